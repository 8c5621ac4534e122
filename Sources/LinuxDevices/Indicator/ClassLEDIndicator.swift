package import Devices
package import Logging

/// A light of the kernel's LED class (`/sys/class/leds`), blinking by the kernel's triggers.
///
/// The kernel may lack the trigger of a pattern, or its attributes may not be writable. Then this
/// actor plays the pattern by writing `brightness`, which is logged once. A kernel trigger
/// continues after the process has died. A pattern with a lifetime then ends by itself, within that
/// time and a repetition of it; the service's supervisor must turn off the others. A pattern played
/// by this actor freezes when the process hangs, even one with a lifetime.
package actor ClassLEDIndicator: Indicator {
  /// The light's name in the kernel, for example `rig:green:ready`.
  package nonisolated let name: String

  private let attributes: SysfsDirectory
  private let clock: any MonotonicClock
  private let logger: Logger?
  private let executor: DispatchQueueExecutor

  /// The last pattern and the kernel's program for it; `nil` when it has to be written again.
  private var shown: (pattern: IndicatorPattern, lifetime: Duration?, program: ClassLEDProgram?)?
  /// The time at which a pattern played by this actor ends; `nil` for never.
  private var expiry: MonotonicInstant?
  private var playing: Task<Void, Never>?
  private var generation = 0
  /// The timeout for udev to hand over a trigger's attributes.
  ///
  /// Three lights wait one after the other in less than the 3 s for which the first of them stays
  /// lit.
  static let firstTimeout = Duration.milliseconds(900)
  /// The timeout once udev has failed to hand them over.
  static let laterTimeout = Duration.milliseconds(500)

  /// Whether the kernel's inability to show a pattern has been logged.
  private var hasLoggedFallback = false

  /// The actor's own queue, where attributes are written.
  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  /// Makes an indicator; nothing is opened before ``show(_:)``.
  ///
  /// - Parameters:
  ///   - name: the light's name below `/sys/class/leds`.
  ///   - sysfs: the path of sysfs.
  ///   - clock: the clock of patterns that the kernel does not play.
  ///   - logger: receives one message when the kernel cannot show a pattern; `nil` for none.
  package init(
    name: String, sysfs: String = "/sys", clock: any MonotonicClock = SystemMonotonicClock(),
    logger: Logger? = nil
  ) {
    self.name = name
    self.clock = clock
    self.logger = logger
    attributes = SysfsDirectory(path: sysfs + "/class/leds/" + name)
    executor = DispatchQueueExecutor(label: "platen.indicator.\(name)")
  }

  deinit {
    playing?.cancel()
  }

  /// Shows a pattern until the next call, or for a lifetime; see ``Indicator/show(_:for:)``.
  ///
  /// - Throws: ``DeviceError``: `absent`, `permissionDenied` or `inputOutput`.
  package func show(
    _ pattern: IndicatorPattern, for lifetime: Duration?
  ) async throws(DeviceError) {
    if let shown, shown.pattern == pattern, shown.lifetime == lifetime,
      lifetime == nil || refresh(shown.program)
    {
      expiry = lifetime.map(clock.now.advanced(by:))
      return
    }
    let selected = shown?.program?.trigger
    stopPlaying()
    shown = nil
    let generation = generation
    let maximum: Int
    let program: ClassLEDProgram
    do {
      maximum = max(1, Int(try attributes.read("max_brightness")) ?? 1)
      program = ClassLEDProgram(pattern, maximum: maximum, lifetime: lifetime)
      if selected == "pattern", program.trigger == "pattern", rewrite(program) {
        shown = (pattern, lifetime, program)
        expiry = nil
        return
      }
      // The brightness comes after the old trigger's end, because that turns the light off.
      try attributes.write("none", to: "trigger")
      try attributes.write("\(program.brightnessBeforeTrigger)", to: "brightness")
    } catch {
      throw DeviceError(error, device: name, problem: "cannot be lit")
    }
    let isBlinking = await startTrigger(of: program, generation: generation)
    // Another call may have come during the wait for the trigger's attributes.
    guard generation == self.generation else { return }
    shown = (pattern, lifetime, isBlinking ? program : nil)
    expiry = lifetime.map(clock.now.advanced(by:))
    if !isBlinking { play(pattern, maximum: maximum) }
  }

  /// Gives the selected trigger another pattern; `false` when it has to be selected again.
  ///
  /// Another selection would darken the light for a moment and wait for udev.
  private func rewrite(_ program: ClassLEDProgram) -> Bool {
    do throws(SystemError) {
      for attribute in program.triggerAttributes {
        try attributes.write(attribute.value, to: attribute.name)
      }
      return true
    } catch {
      return false
    }
  }

  /// Restarts the kernel's program; `false` when everything has to be written again.
  ///
  /// For a pattern played by this actor, the result says whether its lifetime can be extended.
  private func refresh(_ program: ClassLEDProgram?) -> Bool {
    guard let program else { return playing != nil && expiry.map { clock.now < $0 } ?? false }
    // Only the program of a dark light has no end.
    guard let refresh = program.refresh else { return true }
    do throws(SystemError) {
      try attributes.write(refresh.value, to: refresh.name)
      return true
    } catch {
      return false
    }
  }

  /// Turns the light off; the next ``show(_:)`` takes it again.
  package func release() async {
    stopPlaying()
    shown = nil
    // A missing light is off.
    try? attributes.write("none", to: "trigger")
    try? attributes.write("0", to: "brightness")
  }

  /// Selects the trigger and writes its attributes; `false` when the kernel cannot.
  private func startTrigger(of program: ClassLEDProgram, generation: Int) async -> Bool {
    guard program.trigger != "none" else { return true }
    do throws(SystemError) {
      try attributes.write(program.trigger, to: "trigger")
    } catch {
      logFallback(program.trigger, error)
      return false
    }
    // Selecting a trigger creates its attributes, owned by root. udev gives them to the service's
    // group a moment later, so a first refusal is retried.
    let timeout = hasLoggedFallback ? Self.laterTimeout : Self.firstTimeout
    let deadline = clock.now.advanced(by: timeout)
    for attribute in program.triggerAttributes {
      while true {
        guard generation == self.generation else { return true }
        do throws(SystemError) {
          try attributes.write(attribute.value, to: attribute.name)
          break
        } catch {
          let mayComeYet = error.code == .permissionDenied || error.code == .absent
          guard mayComeYet, clock.now < deadline else {
            logFallback(program.trigger, error)
            try? attributes.write("none", to: "trigger")
            return false
          }
        }
        try? await clock.sleep(for: .milliseconds(20))
        if Task.isCancelled { return false }
      }
    }
    return true
  }

  /// Logs once that this actor plays a pattern, and the remedy for that.
  private func logFallback(_ trigger: String, _ error: SystemError) {
    guard !hasLoggedFallback else { return }
    hasLoggedFallback = true
    let advice =
      error.code == .permissionDenied
      ? "install 60-platen.rules, which gives the light's attributes to our group"
      : "run \"modprobe ledtrig-\(trigger)\", and install platen.modules-load.conf for each start"
    logger?.warning(
      "the kernel cannot show a light's pattern, the service does as long as it does not hang",
      metadata: [
        "light": "\(name)", "light.trigger": "\(trigger)", "error": "\(error)",
        "advice": "\(advice)",
      ])
  }

  private func stopPlaying() {
    generation += 1
    playing?.cancel()
    playing = nil
  }

  private func play(_ pattern: IndicatorPattern, maximum: Int) {
    var schedule = PatternSchedule(pattern, start: clock.now)
    playing = Task { [weak self, clock, generation] in
      var end: MonotonicInstant?
      while !Task.isCancelled {
        if end.map({ $0 <= clock.now }) ?? true {
          let step = schedule.begin(at: clock.now)
          let brightness = ClassLEDProgram.brightness(step.level, maximum: maximum)
          guard await self?.light(brightness, generation: generation) == true else { return }
          end = step.until ?? clock.now.advanced(by: .seconds(3600))
        }
        guard let wake = await self?.wake(before: end, generation: generation) else { return }
        do { try await clock.sleep(until: wake) } catch { return }
      }
    }
  }

  /// Returns the time of the playing task's next action; `nil` ends the task.
  ///
  /// The task ends when the pattern's lifetime has passed, with the light dark, or when another
  /// pattern replaces it.
  private func wake(before end: MonotonicInstant?, generation: Int) -> MonotonicInstant? {
    guard generation == self.generation else { return nil }
    guard let expiry else { return end }
    guard expiry <= clock.now else { return end.map { min($0, expiry) } ?? expiry }
    _ = light(0, generation: generation)
    shown = nil
    return nil
  }

  /// Sets the brightness for the playing task; `false` ends that task.
  private func light(_ brightness: Int, generation: Int) -> Bool {
    guard generation == self.generation else { return false }
    do throws(SystemError) {
      try attributes.write("\(brightness)", to: "brightness")
      return true
    } catch {
      // The next pattern, even the same one, then retries and reports the fault.
      shown = nil
      return false
    }
  }
}
