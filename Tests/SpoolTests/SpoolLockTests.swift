import Foundation
import Testing

@testable import Spool

struct SpoolLockTests {
  @Test func `A second spool, process or connection is refused`() async throws {
    let directory = TestDirectory()
    let spool = try await Spool.open(directory.configuration(), environment: SpoolEnvironment())
    _ = try await spool.store(.sample(1))
    let error = await #expect(throws: SpoolError.self) {
      _ = try await Spool.open(directory.configuration(), environment: SpoolEnvironment())
    }
    #expect(error?.code == .locked)
    // Other programs are referees: flock of util-linux and sqlite3.
    #expect(try run("flock", "--nonblock", directory.spool + "/lock", "true").status == 1)
    let query = try run("sqlite3", directory.spool + "/queue.db", "SELECT COUNT(*) FROM item")
    #expect(query.status != 0)
    #expect(query.output.contains("locked"))
    _ = try await spool.store(.sample(2))
    await spool.close()

    #expect(try run("flock", "--nonblock", directory.spool + "/lock", "true").status == 0)
    let again = try await Spool.open(directory.configuration(), environment: SpoolEnvironment())
    #expect(try await again.counts().stored == 2)
    await again.close()
  }

  @Test func `A spool that is dropped without closing frees the directory`() async throws {
    let directory = TestDirectory()
    for number in 1...3 {
      let spool = try await Spool.open(directory.configuration(), environment: SpoolEnvironment())
      #expect(try await spool.store(.sample(number)).id.sequence == Int64(number))
    }
  }
}
