import Devices
import Dispatch
import Synchronization
import Transfer

extension LocalProgram {
  /// Runs the program and returns its lines as they arrive, without their terminators.
  ///
  /// The program is killed when the caller no longer waits for lines. The lines end when one is too
  /// long for ``Transfer/LineSplitter``. Reading throws ``Devices/LocalProgram/Failure`` when the
  /// program cannot be started.
  ///
  /// A program that writes faster than its lines are read waits with a full pipe: on a slow serial
  /// line nothing gathers in memory.
  func lines() -> some AsyncSequence<String, any Error> {
    let (lines, continuation) = AsyncThrowingStream.makeStream(of: String.self)
    let room = LineRoom()
    let task = Task {
      let splitter = Mutex(LineSplitter())
      do throws(Failure) {
        _ = try await run { bytes in
          bytes.withUnsafeBytes { bytes in
            splitter.withLock { splitter in
              do throws(LineSplitter.LineTooLong) {
                try splitter.add(bytes) {
                  room.take()
                  continuation.yield($0)
                }
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
    continuation.onTermination = { _ in
      task.cancel()
      room.end()
    }
    return lines.map { line in
      room.giveBack()
      return line
    }
  }
}

/// The room for lines that are not yet read, at which the program's thread waits.
private final class LineRoom: Sendable {
  private static let lines = 1000
  // Dispatch takes a semaphore that ends below its first value for a mistake.
  private let free = DispatchSemaphore(value: 0)
  private let isEnded = Mutex(false)

  init() {
    for _ in 0..<Self.lines { free.signal() }
  }

  func take() {
    if !isEnded.withLock({ $0 }) { free.wait() }
  }

  func giveBack() {
    free.signal()
  }

  /// Lets a waiting thread go on, and later ones not wait.
  func end() {
    isEnded.withLock { $0 = true }
    free.signal()
  }
}
