import CHostCalls

/// The memory of this process.
package enum ProcessMemory {
  /// Has all threads allocate from one arena; must be called before a second thread is started.
  ///
  /// An arena of its own for each thread keeps freed memory that no other thread can use. Such an
  /// arena also grows by single pages, each with a system call, where the first arena grows by 32.
  ///
  /// - Returns: whether the allocator agrees; a sanitizer's allocator does not.
  @discardableResult
  package static func useOneArena() -> Bool {
    CHostCalls_useOneArena() == 0
  }

  /// Gives the kernel back the memory pages that the allocator keeps and nobody uses.
  ///
  /// Allocations of other threads wait meanwhile, for some milliseconds at most.
  package static func giveBackFreed() { CHostCalls_giveBackFreed() }
}
