import Devices
import Synchronization

/// Reads a device that may never answer, and goes on without it after a while.
///
/// A reading that has not come in time stays open, because nobody can end it: until it has come, and
/// was thrown away, the device is not read again, so that readings do not pile up.
final class PatientReading<Value: Sendable>: Sendable {
  /// How long an answer may take: attributes of the kernel are read in milliseconds.
  static var limit: Duration { .seconds(2) }

  private let name: String
  private let clock: any MonotonicClock
  private let read: @Sendable () async throws(DeviceError) -> Value
  private let isOpen = Mutex(false)

  /// Makes a reading of a device.
  ///
  /// - Parameters:
  ///   - name: the device, as people know it.
  ///   - clock: what the limit is measured with.
  ///   - read: reads the device.
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
  /// - Returns: the value or what the device throws; `DeviceError` with the code `timedOut` when it
  ///   does not answer within ``limit``, and at once when it still owes an earlier answer.
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
    // A cancelled task waits, too: the limit is short, and what it asked for is wanted.
    for await answer in answers { return answer }
    return .failure(late)
  }

  private var late: DeviceError {
    DeviceError(
      .timedOut, device: name, problem: "does not answer",
      cause: "no reading within \(Self.limit)")
  }
}
