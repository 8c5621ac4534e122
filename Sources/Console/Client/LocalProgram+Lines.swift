import Devices
import Synchronization
import Transfer

extension LocalProgram {
  /// Runs the program and returns its lines as they arrive, without their terminators.
  ///
  /// The program is killed when the caller no longer waits for lines. The lines end when one is too
  /// long for ``Transfer/LineSplitter``. Reading throws ``Devices/LocalProgram/Failure`` when the
  /// program cannot be started.
  func lines() -> AsyncThrowingStream<String, any Error> {
    let (lines, continuation) = AsyncThrowingStream.makeStream(of: String.self)
    let task = Task {
      let splitter = Mutex(LineSplitter())
      do throws(Failure) {
        _ = try await run { bytes in
          bytes.withUnsafeBytes { bytes in
            splitter.withLock { splitter in
              do throws(LineSplitter.LineTooLong) {
                try splitter.add(bytes) { continuation.yield($0) }
              } catch {
                continuation.finish()
              }
            }
          }
        }
        if let rest = splitter.withLock({ $0.finish() }) { continuation.yield(rest) }
        continuation.finish()
      } catch {
        continuation.finish(throwing: error)
      }
    }
    continuation.onTermination = { _ in task.cancel() }
    return lines
  }
}
