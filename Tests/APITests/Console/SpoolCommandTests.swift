import API
import Console
import Foundation
import Testing
import TestSupport

extension ServerTests {
  /// `platenctl spool`, as a technician uses it.
  @Suite struct SpoolCommandTests {
    private let parked = SpoolSamples.item(2, state: "parked")
    private let waiting = SpoolSamples.item(1)

    private func spool(_ arguments: [String], rig: FakeRig = FakeRig()) async throws -> Tool {
      rig.holds(parked, waiting)
      return try await withServer(rig) {
        try await Tool.platenctl(["spool"] + arguments, socket: $0.socketPath)
      }
    }

    @Test func `pictures are a table or JSON`() async throws {
      let table = try await spool(["list"])
      #expect(table.exitCode == 0)
      #expect(table.output.split(separator: "\n").count == 3)
      #expect(table.output.contains("archive parked"))
      let json = try await spool(["list", "--state", "parked", "--json"])
      #expect(try APICoding.decode(SpoolItemReport.self, from: json.output.utf8) == parked)
    }

    @Test func `a picture is shown with the reason of its failure`() async throws {
      let tool = try await spool(["show", parked.id])
      #expect(tool.exitCode == 0)
      #expect(tool.output.contains("the target did not store it"))
      let unknown = try await spool(["show", "nothing"])
      #expect(unknown.exitCode == 1)
      #expect(unknown.complaint.contains("\"nothing\""))
    }

    @Test func `a retry names one picture or all`() async throws {
      #expect(try await spool(["retry", parked.id]).exitCode == 0)
      #expect(
        try await spool(["retry", "--all-parked", "--yes"]).output == "1 delivery waits again\n")
      #expect(try await spool(["retry"]).exitCode == 64)
      #expect(try await spool(["retry", parked.id, "--all-parked"]).exitCode == 64)
      #expect(try await spool(["retry", waiting.id]).exitCode == 1)
    }

    @Test func `a verification with findings fails unless it repairs`() async throws {
      let look = try await spool(["verify"])
      #expect(look.exitCode == 1)
      #expect(look.output.contains("a repair would: it gets a row and waits"))
      #expect(try await spool(["verify", "--repair"]).exitCode == 0)
    }

    @Test func `deleting needs the ID twice`() async throws {
      let rig = FakeRig()
      #expect(try await spool(["delete", waiting.id], rig: rig).exitCode == 64)
      #expect(
        try await spool(["delete", waiting.id, "--confirm", parked.id], rig: rig).exitCode == 64)
      #expect(rig.spool.deleted.isEmpty)
      #expect(
        try await spool(["delete", waiting.id, "--confirm", waiting.id], rig: rig).exitCode == 0)
      #expect(rig.spool.deleted == [waiting.id])
    }

    @Test func `statistics name the oldest waiting picture`() async throws {
      let tool = try await spool(["stats"])
      #expect(tool.exitCode == 0)
      #expect(tool.output.contains("\(waiting.id) for 1 min 15 s"))
      #expect(tool.output.contains("evicted"))
    }

    @Test func `an incomplete export names the pictures`() async throws {
      try await withTemporaryDirectory { directory in
        let tool = try await spool(["export", directory])
        #expect(tool.exitCode == 1)
        #expect(
          tool.output
            == "0 pictures copied, 0 were there already, 2 could not be copied\n")
        #expect(tool.complaint.split(separator: "\n").count == 2)
      }
    }
  }
}
