@testable import Spool

extension FaultyFileSystem.Crash {
  /// Crashes the start of a spool at each of its points, and checks what a later start makes of it.
  ///
  /// - Parameter prepare: makes a spool's directory, and the check of the spool after the crash.
  /// - Returns: the number of points.
  func atEachPointOfStart(
    _ prepare: () async throws -> (TestDirectory, (Spool) async throws -> Void)
  ) async throws -> Int {
    for point in 0..<200 {
      let (directory, check) = try await prepare()
      let survivor = directory.path + "/survivor"
      let files = FaultyFileSystem(
        root: directory.spool, crashAt: point, crash: self, survivor: survivor,
        seed: UInt64(point))
      let first = try? await Spool.open(
        directory.configuration(), environment: SpoolEnvironment(files: files, bootID: "b"))
      await first?.close()
      guard files.hasCrashed else { return point }
      let spool = try await Spool.open(
        directory.configuration { $0.directory = survivor },
        environment: SpoolEnvironment(bootID: "b"))
      try await check(spool)
      await spool.close()
    }
    return 200
  }
}
