import Devices
import Dispatch
import Recorder
import Synchronization

/// The synchronization of fragments to stable storage, beside the encoding.
///
/// A slow card takes up to seconds for it, in which no frame has to wait.
final class FragmentSync: Sendable {
  private let file: any MovieFile
  private let report: @Sendable (RecorderMark) -> Void
  private let queue = DispatchQueue(label: "platen.recorder.sync")
  private let failure = Mutex<SystemError?>(nil)
  private let clock: any MonotonicClock
  /// The times at which the fragments were written that are not on stable storage.
  private let pending = Mutex<[MonotonicInstant]>([])

  /// Makes the synchronization of a file.
  ///
  /// - Parameter report: a closure that gets each mark that has become safe, on the queue.
  init(
    _ file: any MovieFile, clock: any MonotonicClock,
    report: @escaping @Sendable (RecorderMark) -> Void
  ) {
    self.file = file
    self.clock = clock
    self.report = report
  }

  /// Whether a synchronization has failed.
  var hasFailed: Bool { failure.withLock { $0 != nil } }

  /// The time for which the oldest fragment that is not on stable storage has waited.
  var delay: Duration {
    pending.withLock { $0.first }.map { $0.duration(to: clock.now) } ?? .zero
  }

  /// Begins the synchronization of what has been written, and then the overwrites.
  func begin(_ mark: RecorderMark, _ overwrites: [MovieOverwrite]) {
    pending.withLock { $0.append(clock.now) }
    queue.async { [self] in
      defer { pending.withLock { _ = $0.removeFirst() } }
      guard !hasFailed else { return }
      do throws(SystemError) {
        try file.seal(overwrites)
        report(mark)
      } catch {
        failure.withLock { $0 = error }
      }
    }
  }

  /// Throws the failure of an earlier synchronization.
  ///
  /// - Throws: ``RecorderFailure``.
  func check() throws(RecorderFailure) {
    if let error = failure.withLock({ $0 }) { throw .file(error) }
  }

  /// Waits until all that has begun is done.
  ///
  /// - Throws: as ``check()``.
  func wait() throws(RecorderFailure) {
    queue.sync {}
    try check()
  }
}
