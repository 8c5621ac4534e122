package import Devices

/// A light on a plain GPIO line without a kernel driver, lit while the line is active.
///
/// The line has no brightness: levels of one half and more are lit. A task that sleeps on the
/// injected clock plays the patterns; neither load nor time makes them drift. The task also ends
/// lifetimes: when the whole process hangs, its supervisor has to turn the light off.
package actor GPIOLineIndicator: Indicator {
  /// The line's display name, for example `READY` or `pinctrl-bcm2835 line 22`.
  package nonisolated let name: String

  private let address: GPIOLineAddress
  private let isActiveLow: Bool
  private let clock: any MonotonicClock
  private let executor: DispatchQueueExecutor

  private var line: GPIOOutputLine?
  private var shown: IndicatorPattern?
  private var expiry: MonotonicInstant?
  private var playing: Task<Void, Never>?
  private var generation = 0

  /// The actor's own queue, where the line is driven.
  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  /// Makes an indicator; the line is taken by the first ``show(_:)``.
  ///
  /// - Parameters:
  ///   - address: the address of the line.
  ///   - isActiveLow: whether the light is lit while the line is low.
  ///   - clock: the clock of the patterns.
  package init(
    _ address: GPIOLineAddress, isActiveLow: Bool = false,
    clock: any MonotonicClock = SystemMonotonicClock()
  ) {
    self.address = address
    self.isActiveLow = isActiveLow
    self.clock = clock
    name = address.description
    executor = DispatchQueueExecutor(label: "platen.indicator.\(address)")
  }

  deinit {
    playing?.cancel()
  }

  /// Shows a pattern until the next call, or for a lifetime; see ``Indicator/show(_:for:)``.
  ///
  /// - Throws: ``DeviceError``: `absent`, `busy`, `permissionDenied` or `inputOutput`.
  package func show(
    _ pattern: IndicatorPattern, for lifetime: Duration?
  ) async throws(DeviceError) {
    expiry = lifetime.map(clock.now.advanced(by:))
    guard pattern != shown || playing == nil && lifetime != nil && pattern != .off else { return }
    stopPlaying()
    var schedule = PatternSchedule(pattern, start: clock.now)
    let first = schedule.begin(at: clock.now)
    shown = nil
    if line == nil {
      line = try GPIOOutputLine(
        address, isActiveLow: isActiveLow, isActive: first.level >= 0.5)
    } else {
      do throws(SystemError) {
        try line?.set(isActive: first.level >= 0.5)
      } catch {
        line = nil
        throw DeviceError(error, device: name, problem: "cannot be driven")
      }
    }
    shown = pattern
    guard lifetime != nil || first.until != nil else { return }
    playing = Task { [weak self, clock, generation] in
      var step = first.until
      while !Task.isCancelled {
        guard let expiry = await self?.expiry(generation: generation),
          let next = [step, expiry.instant].compactMap({ $0 }).min()
        else { return }
        do { try await clock.sleep(until: next) } catch { return }
        guard await self?.endIfExpired(generation: generation) == false else { return }
        guard let due = step, due <= clock.now else { continue }
        let now = schedule.begin(at: clock.now)
        guard await self?.drive(level: now.level, generation: generation) == true else { return }
        step = now.until
      }
    }
  }

  /// Turns the light off and releases the line; the next ``show(_:)`` takes it again.
  package func release() async {
    stopPlaying()
    shown = nil
    line = nil
  }

  private func stopPlaying() {
    generation += 1
    playing?.cancel()
    playing = nil
  }

  /// Returns the time at which the pattern ends, for the playing task; `nil` ends that task.
  private func expiry(generation: Int) -> (instant: MonotonicInstant?, Void)? {
    generation == self.generation ? (expiry, ()) : nil
  }

  /// Makes the light dark when its pattern's lifetime has passed; `true` ends the playing task.
  private func endIfExpired(generation: Int) -> Bool {
    guard generation == self.generation else { return true }
    guard let expiry, expiry <= clock.now else { return false }
    _ = drive(level: 0, generation: generation)
    shown = nil
    return true
  }

  /// Drives the line for the playing task; `false` ends that task.
  private func drive(level: Double, generation: Int) -> Bool {
    guard generation == self.generation else { return false }
    do throws(SystemError) {
      try line?.set(isActive: level >= 0.5)
      return true
    } catch {
      // The line is released, so that the next pattern takes it again and reports the fault.
      shown = nil
      line = nil
      return false
    }
  }
}
