public import Devices
public import Logging

/// A light of the kernel's LED class (`/sys/class/leds`), which blinks by the kernel's own triggers.
///
/// Where the kernel has not the trigger that a pattern needs, or its attributes may not be written,
/// the pattern is made here by writing `brightness`, and that is logged once. A kernel trigger goes
/// on after the process has died; a pattern with a lifetime ends by itself then, within that time
/// and a repetition of it, and what stops the service must turn off the others. A pattern that is
/// made here stays as it is when the process hangs, also one with a lifetime.
public actor ClassLEDIndicator: Indicator {
  /// The light as the kernel names it, for example `rig:green:ready`.
  public nonisolated let name: String

  private let attributes: SysfsDirectory
  private let clock: any MonotonicClock
  private let logger: Logger?
  private let executor: DispatchQueueExecutor

  /// What was shown last, and what the kernel does of it; `nil` when it has to be told anew.
  private var shown: (pattern: IndicatorPattern, lifetime: Duration?, program: ClassLEDProgram?)?
  /// When what is played here ends; `nil` for never.
  private var expiry: MonotonicInstant?
  private var playing: Task<Void, Never>?
  private var generation = 0
  /// How long udev may take to hand over a trigger's attributes.
  ///
  /// Three lights wait one after the other in less than the 3 s for which the first of them stays lit.
  static let firstPatience = Duration.milliseconds(900)
  /// How long it may take once it has not handed them over.
  static let laterPatience = Duration.milliseconds(500)

  /// Whether it has been logged that the kernel cannot show a pattern.
  private var hasLoggedFallback = false

  /// The actor's own queue, where attributes are written.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  /// Makes an indicator; nothing is opened before ``show(_:)``.
  ///
  /// - Parameters:
  ///   - name: the light's name below `/sys/class/leds`.
  ///   - sysfs: where sysfs is.
  ///   - clock: times what the kernel does not.
  ///   - logger: is told once when the kernel cannot show a pattern; `nil` for nobody.
  public init(
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
  public func show(
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
    // Another call may have come while the trigger's attributes were waited for.
    guard generation == self.generation else { return }
    shown = (pattern, lifetime, isBlinking ? program : nil)
    expiry = lifetime.map(clock.now.advanced(by:))
    if !isBlinking { play(pattern, maximum: maximum) }
  }

  /// Gives the selected trigger another pattern; `false` when it has to be selected anew.
  ///
  /// Selecting it makes the light dark for a moment and waits for udev.
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

  /// Begins the kernel's program anew, or lengthens what is played here; `false` when everything has
  /// to be written again.
  private func refresh(_ program: ClassLEDProgram?) -> Bool {
    guard let program else { return playing != nil && expiry.map { clock.now < $0 } ?? false }
    // A program without an end is one of a dark light.
    guard let refresh = program.refresh else { return true }
    do throws(SystemError) {
      try attributes.write(refresh.value, to: refresh.name)
      return true
    } catch {
      return false
    }
  }

  /// Turns the light off; the next ``show(_:)`` takes it again.
  public func release() async {
    stopPlaying()
    shown = nil
    // A light that is gone is off.
    try? attributes.write("none", to: "trigger")
    try? attributes.write("0", to: "brightness")
  }

  /// Selects the trigger and writes its attributes; `false` when the kernel cannot do it for us.
  private func startTrigger(of program: ClassLEDProgram, generation: Int) async -> Bool {
    guard program.trigger != "none" else { return true }
    do throws(SystemError) {
      try attributes.write(program.trigger, to: "trigger")
    } catch {
      logFallback(program.trigger, error)
      return false
    }
    // Selecting a trigger creates its attributes, owned by root. udev gives them to our group a
    // moment later, so a first refusal is not the last word.
    let patience = hasLoggedFallback ? Self.laterPatience : Self.firstPatience
    let deadline = clock.now.advanced(by: patience)
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

  /// Says once that a pattern is made here, and what has to be done for the kernel to show it.
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
        "light": "\(name)", "light.trigger": "\(trigger)", "error": "\(error.text)",
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

  /// When the playing task has something to do next; `nil` ends it: the pattern's lifetime has
  /// passed, and the light is dark now, or there is nothing to do any more.
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
      // The next pattern, also the same one, then tries anew and reports the fault.
      shown = nil
      return false
    }
  }
}
