import Devices
import Synchronization

/// A reading of a device that may never answer, with a time limit.
///
/// A reading that exceeds its time stays open, because it cannot be ended. The device is not read
/// again until the late answer has come and was discarded. Readings therefore do not pile up.
final class PatientReading<Value: Sendable>: Sendable {
  /// The time that an answer may take: the kernel's attributes are read in milliseconds.
  static var limit: Duration { .seconds(2) }

  private let name: String
  private let clock: any MonotonicClock
  private let read: @Sendable () async throws(DeviceError) -> Value
  private let isOpen = Mutex(false)

  /// Makes a reading of a device.
  ///
  /// - Parameters:
  ///   - name: the device's name for people.
  ///   - clock: the clock that measures the limit.
  ///   - read: the function that reads the device.
  init(
    of name: String, clock: any MonotonicClock,
    _ read: @escaping @Sendable () async throws(DeviceError) -> Value
  ) {
    self.name = name
    self.clock = clock
    self.read = read
  }

  /// Reads the device.
  ///
  /// - Returns: the value or the device's error. The error has the code `timedOut` when the device
  ///   does not answer within ``limit``, and at once while an earlier answer is pending.
  func result() async -> Result<Value, DeviceError> {
    let isFree = isOpen.withLock { isOpen in
      defer { isOpen = true }
      return !isOpen
    }
    return isFree ? await answerInTime() : .failure(late)
  }

  private func answerInTime() async -> Result<Value, DeviceError> {
    let (answers, give) = AsyncStream.makeStream(
      of: Result<Value, DeviceError>.self, bufferingPolicy: .bufferingOldest(1))
    Task {
      let answer: Result<Value, DeviceError>
      do throws(DeviceError) { answer = .success(try await read()) } catch {
        answer = .failure(error)
      }
      isOpen.withLock { $0 = false }
      give.yield(answer)
    }
    let waiting = Task {
      try? await clock.sleep(for: Self.limit)
      give.yield(.failure(late))
    }
    defer { waiting.cancel() }
    // A cancelled task waits, too: the limit is short, and the value is needed.
    for await answer in answers { return answer }
    return .failure(late)
  }

  private var late: DeviceError {
    DeviceError(
      .timedOut, device: name, problem: "does not answer",
      cause: "no reading within \(Self.limit)")
  }
}
