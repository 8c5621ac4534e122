public import Devices

/// A light on a plain GPIO line that no kernel driver has, lit while the line is active.
///
/// The line knows no brightness: levels of one half and more are lit. Patterns are made here, by a
/// task that sleeps on the injected clock; levels drift neither with load nor with time.
public actor GPIOLineIndicator: Indicator {
  /// The line as people know it, for example `READY` or `pinctrl-bcm2835 line 22`.
  public nonisolated let name: String

  private let address: GPIOLineAddress
  private let isActiveLow: Bool
  private let clock: any MonotonicClock
  private let executor: DispatchQueueExecutor

  private var line: GPIOOutputLine?
  private var shown: IndicatorPattern?
  private var playing: Task<Void, Never>?
  private var generation = 0

  /// The actor's own queue, where the line is driven.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  /// Makes an indicator; the line is taken by the first ``show(_:)``.
  ///
  /// - Parameters:
  ///   - address: where the line is.
  ///   - isActiveLow: whether the light is lit while the line is low.
  ///   - clock: times the patterns.
  public init(
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

  /// Shows a pattern until the next call; showing the same again changes nothing.
  ///
  /// - Throws: ``DeviceError``: `absent`, `busy`, `permissionDenied` or `inputOutput`.
  public func show(_ pattern: IndicatorPattern) async throws(DeviceError) {
    guard pattern != shown else { return }
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
    guard let end = first.until else { return }
    playing = Task { [weak self, clock, generation] in
      var end = end
      while !Task.isCancelled {
        do { try await clock.sleep(until: end) } catch { return }
        let step = schedule.begin(at: clock.now)
        guard await self?.drive(level: step.level, generation: generation) == true else { return }
        end = step.until ?? end
      }
    }
  }

  /// Turns the light off and gives the line back; the next ``show(_:)`` takes it again.
  public func release() async {
    stopPlaying()
    shown = nil
    line = nil
  }

  private func stopPlaying() {
    generation += 1
    playing?.cancel()
    playing = nil
  }

  /// Drives the line for the playing task; `false` ends that task.
  private func drive(level: Double, generation: Int) -> Bool {
    guard generation == self.generation else { return false }
    do throws(SystemError) {
      try line?.set(isActive: level >= 0.5)
      return true
    } catch {
      // The line is given back, so that the next pattern takes it anew and reports the fault.
      shown = nil
      line = nil
      return false
    }
  }
}
