public import Devices

/// A light of the kernel's LED class (`/sys/class/leds`), which blinks by the kernel's own triggers.
///
/// Where the kernel has not the trigger that a pattern needs, or its attributes may not be written,
/// the pattern is made here by writing `brightness`. A kernel trigger goes on after the process has
/// died; what stops the service must turn the light off then.
public actor ClassLEDIndicator: Indicator {
  /// The light as the kernel names it, for example `rig:green:ready`.
  public nonisolated let name: String

  private let attributes: SysfsDirectory
  private let clock: any MonotonicClock
  private let executor: DispatchQueueExecutor

  private var shown: IndicatorPattern?
  private var playing: Task<Void, Never>?
  private var generation = 0

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
  public init(
    name: String, sysfs: String = "/sys", clock: any MonotonicClock = SystemMonotonicClock()
  ) {
    self.name = name
    self.clock = clock
    attributes = SysfsDirectory(path: sysfs + "/class/leds/" + name)
    executor = DispatchQueueExecutor(label: "platen.indicator.\(name)")
  }

  deinit {
    playing?.cancel()
  }

  /// Shows a pattern until the next call; showing the same again changes nothing.
  ///
  /// - Throws: ``DeviceError``: `absent`, `permissionDenied` or `inputOutput`.
  public func show(_ pattern: IndicatorPattern) async throws(DeviceError) {
    guard pattern != shown else { return }
    stopPlaying()
    shown = nil
    let generation = generation
    let maximum: Int
    let program: ClassLEDProgram
    do {
      maximum = max(1, Int(try attributes.read("max_brightness")) ?? 1)
      program = ClassLEDProgram(pattern, maximum: maximum)
      // The brightness comes after the old trigger's end, because that turns the light off.
      try attributes.write("none", to: "trigger")
      try attributes.write("\(program.brightnessBeforeTrigger)", to: "brightness")
    } catch {
      throw DeviceError(error, device: name, problem: "cannot be lit")
    }
    let isBlinking = await startTrigger(of: program, generation: generation)
    // Another call may have come while the trigger's attributes were waited for.
    guard generation == self.generation else { return }
    shown = pattern
    if !isBlinking { play(pattern, maximum: maximum) }
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
      return false
    }
    // Selecting a trigger creates its attributes, owned by root. udev gives them to our group a
    // moment later, so a first refusal is not the last word.
    let deadline = clock.now.advanced(by: .milliseconds(500))
    for attribute in program.triggerAttributes {
      while true {
        guard generation == self.generation else { return true }
        do throws(SystemError) {
          try attributes.write(attribute.value, to: attribute.name)
          break
        } catch {
          let mayComeYet = error.code == .permissionDenied || error.code == .absent
          guard mayComeYet, clock.now < deadline else {
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

  private func stopPlaying() {
    generation += 1
    playing?.cancel()
    playing = nil
  }

  private func play(_ pattern: IndicatorPattern, maximum: Int) {
    var schedule = PatternSchedule(pattern, start: clock.now)
    playing = Task { [weak self, clock, generation] in
      while !Task.isCancelled {
        let step = schedule.begin(at: clock.now)
        let brightness = ClassLEDProgram.brightness(step.level, maximum: maximum)
        guard await self?.light(brightness, generation: generation) == true, let end = step.until
        else { return }
        do { try await clock.sleep(until: end) } catch { return }
      }
    }
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
