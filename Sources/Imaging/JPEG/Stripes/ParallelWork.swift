import CJPEGStripes

/// The work of several threads on one picture while the caller waits.
///
/// Swift's concurrent closures need sendable values. A frame's memory is not sendable: it is valid
/// only during the call. A thread for each part costs some tens of microseconds, and the shared
/// pools are not blocked.
enum ParallelWork {
  /// Calls a closure for each number below `count` concurrently, and waits for all calls.
  ///
  /// A call must not write memory that another call reads or writes. The compiler cannot see that
  /// the calls are concurrent.
  ///
  /// - Complexity: a thread for each number above 0 (`pthread_create`); the caller does the work of
  ///   threads that the system refuses.
  static func perform(_ count: Int, _ work: (Int) -> Void) {
    guard count > 1 else {
      if count == 1 { work(0) }
      return
    }
    withoutActuallyEscaping(work) { work in
      var work = work
      withUnsafeMutablePointer(to: &work) { context in
        cjpegstripes_perform(count, context) { context, index in
          context?.assumingMemoryBound(to: ((Int) -> Void).self).pointee(index)
        }
      }
    }
  }
}
