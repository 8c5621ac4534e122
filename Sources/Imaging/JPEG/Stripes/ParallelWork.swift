import CJPEGStripes

/// Work on one picture that several threads do at once while the caller waits.
///
/// Swift's ways to run closures at once ask for values that may be sent, which a frame's memory is
/// not: it is valid as long as the call. A thread for each part costs some tens of microseconds,
/// and the shared pools are not blocked.
enum ParallelWork {
  /// Calls a closure for each number below `count`, at once, and returns when all have returned.
  ///
  /// The calls must not write what another one reads or writes; the compiler cannot see that they
  /// are concurrent.
  ///
  /// - Complexity: a thread for each number above 0 (`pthread_create`); those that the system
  ///   does not grant are done by the caller.
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
