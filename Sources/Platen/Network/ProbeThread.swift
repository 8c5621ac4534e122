import Devices
import Foundation
import Synchronization

/// Threads for calls that may block for longer than anybody wants to wait.
///
/// A call that does not return in time goes on, because nobody can end it; so there are only so many
/// at once.
final class ProbeThread: Sendable {
  /// How long a probe may take.
  static let patience = Duration.seconds(2)

  /// What became of a call.
  enum Outcome<Value: Sendable>: Sendable {
    case answered(Value)
    /// It takes too long.
    case late
    /// It was not made, as the text says: too many earlier ones have not returned yet.
    case busy(String)
  }

  /// All ways to targets, on which the resolver keeps whoever asks it for as long as it wants.
  static let targets = ProbeThread()
  /// All questions to name servers: just while the resolver gets no answers, it matters who is silent.
  static let nameServers = ProbeThread()
  /// All readings of the kernel's files, which are there without any network.
  static let kernelFiles = ProbeThread(limit: 4)

  private let limit: Int
  private let running = Mutex(0)

  /// Makes threads.
  ///
  /// - Parameter limit: the most calls that run at once, those that are no longer waited for among
  ///   them.
  init(limit: Int = 16) { self.limit = limit }

  /// Runs a call on a thread of its own and waits for it up to ``patience``.
  func run<Value: Sendable>(
    _ clock: any MonotonicClock, _ body: @escaping @Sendable () -> Value
  ) async -> Outcome<Value> {
    let mayRun = running.withLock { running in
      guard running < limit else { return false }
      running += 1
      return true
    }
    guard mayRun else {
      return .busy("not tried: \(limit) earlier probes have not returned")
    }
    let value = await answer(within: Self.patience, clock) { [self] () -> Value? in
      await withCheckedContinuation { continuation in
        Thread.detachNewThread { [self] in
          let value = body()
          running.withLock { $0 -= 1 }
          continuation.resume(returning: value)
        }
      }
    }
    return value.map { .answered($0) } ?? .late
  }
}
