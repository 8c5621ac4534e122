import API
import Console
import Devices
import Foundation
import TestSupport
import Testing

extension ServerTests {
  /// `platenctl`, as a person or a script uses it.
  @Suite struct CommandTests {
    private func platenctl(_ arguments: [String], socket: String) async throws -> Tool {
      try await Tool.platenctl(arguments, socket: socket)
    }

    @Test func `status is a table or JSON`() async throws {
      try await withServer(FakeRig()) { server in
        let table = try await platenctl(["status"], socket: server.socketPath)
        #expect(table.exitCode == 0)
        #expect(table.output.contains("readiness   thermalPressure (notReadyMomentarily)\n"))
        let json = try await platenctl(["status", "--json"], socket: server.socketPath)
        #expect(json.output.split(separator: "\n").count == 1)
        #expect(try APICoding.decode(RigStatus.self, from: json.output.utf8) == Samples.status)
      }
    }

    @Test func `the exit status of shoot tells whether all pictures are stored`() async throws {
      let rig = FakeRig()
      rig.willAnswer(.success(Samples.stored), .success(Samples.refused))
      try await withServer(rig) { server in
        let both = try await platenctl(["shoot", "--count", "2"], socket: server.socketPath)
        #expect(both.exitCode == 1)
        #expect(both.output.split(separator: "\n").count == 2)
        #expect(both.output.contains("refused, thermalPressure"))
        let one = try await platenctl(["shoot", "--json"], socket: server.socketPath)
        #expect(one.exitCode == 0)
        #expect(try APICoding.decode(PressReport.self, from: one.output.utf8) == Samples.stored)
      }
    }

    @Test func `a retake is asked for, and a warning is told with its advice`() async throws {
      let rig = FakeRig()
      rig.willAnswer(.success(Samples.crooked))
      try await withServer(rig) { server in
        let tool = try await platenctl(["shoot", "--retake"], socket: server.socketPath)
        #expect(tool.exitCode == 0)
        #expect(tool.output.contains("\nThe page lies crooked. Straighten the page, and take"))
      }
      #expect(rig.pressSettings == [PressSettings(retake: true)])
    }

    @Test func `presses are listed`() async throws {
      let rig = FakeRig()
      rig.remembers(Samples.refused, Samples.stored)
      try await withServer(rig) { server in
        let tool = try await platenctl(["presses", "--limit", "1"], socket: server.socketPath)
        #expect(tool.exitCode == 0)
        #expect(tool.output.split(separator: "\n").count == 2)
      }
    }

    @Test func `the ledger is shown and filtered`() async throws {
      let rig = FakeRig()
      rig.remembers(Samples.refused, Samples.stored)
      try await withServer(rig) { server in
        let refused = try await platenctl(
          ["presses", "--outcome", "refused", "--json"], socket: server.socketPath)
        #expect(refused.output.split(separator: "\n").count == 1)
        #expect(
          try APICoding.decode(PressReport.self, from: refused.output.utf8) == Samples.refused)
        let shown = try await platenctl(["presses", "show", "42"], socket: server.socketPath)
        #expect(shown.exitCode == 0 && shown.output.contains("outcome"), "\(shown.complaint)")
        let counts = try await platenctl(["presses", "counts"], socket: server.socketPath)
        #expect(counts.output.contains("25000  19990  stored"), "\(counts.output)")
        #expect(counts.output.contains("3 presses not recorded, 17 edges lost"))
        let edges = try await platenctl(["presses", "lost-edges"], socket: server.socketPath)
        #expect(edges.output.split(separator: "\n").count == 3)
      }
    }

    @Test func `presses are followed until the service stops`() async throws {
      let rig = FakeRig()
      rig.remembers(Samples.stored)
      let tool = try await withServer(rig) { server in
        async let tool = platenctl(
          ["presses", "--follow", "--outcome", "refused"], socket: server.socketPath)
        // The command lists once it listens, so it receives all later events.
        try await eventually { !rig.filters.isEmpty }
        rig.send(.press(Samples.stored))
        rig.send(.press(Samples.refused))
        let listener = server.client.events(after: "none-0")
        for try await item in listener {
          if case .event(let event, _) = item, event.id == 2 { break }
        }
        await server.stop()
        return try await tool
      }
      #expect(tool.exitCode == 69)
      #expect(tool.output.hasSuffix("press 43 by button refused, thermalPressure\n"))
      #expect(!tool.output.contains("press 42"))
    }

    @Test func `watch shows changes until the service stops`() async throws {
      let rig = FakeRig()
      let tool = try await withServer(rig) { server in
        async let tool = platenctl(["watch"], socket: server.socketPath)
        // The command asks for the status once it listens, so it receives all later events.
        for await _ in rig.asked { break }
        rig.send(.press(Samples.refused))
        rig.send(.rotation(Samples.status.rotation))
        let listener = server.client.events(after: "none-0")
        for try await item in listener {
          if case .event(let event, _) = item, event.id == 2 { break }
        }
        await server.stop()
        return try await tool
      }
      #expect(tool.exitCode == 69)
      #expect(tool.output.contains("readiness   thermalPressure (notReadyMomentarily)\n"))
      #expect(
        tool.output.hasSuffix(
          "    0.000  press 43 by button refused, thermalPressure\n"
            + "    0.001  rotation capture 90°, EXIF 6, accelerometer ok\n"))
    }

    @Test(
      arguments: [
        (
          ["press", "--duration", "80", "--bounce"], .press(durationMilliseconds: 80, bounce: true)
        ),
        (["turn", "270"], .turn(.degrees(270))), (["turn", "flat"], .turn(.flat)),
        (["heat", "71.5"], .heat(celsius: 71.5)), (["page", "7"], .showPage(7)),
        (["throttle"], .throttle([])),
        (["throttle", "undervoltage", "throttled"], .throttle([.undervoltage, .throttled])),
        (["hand", "on"], .showHand(true)), (["hand", "off"], .showHand(false)),
        (["fault", "stall"], .cameraFault("stall")),
      ] as [([String], SimulationCommand)])
    func `simulate sends the command`(arguments: [String], command: SimulationCommand) async throws
    {
      let rig = FakeRig()
      let tool = try await withServer(rig) { server in
        try await platenctl(["simulate"] + arguments + ["--yes"], socket: server.socketPath)
      }
      #expect(tool.exitCode == 0, "\(tool.complaint)")
      #expect(rig.commands == [command])
    }

    @Test func `simulate refuses an unknown flag and names the known ones`() async throws {
      let tool = try await platenctl(["simulate", "throttle", "slow", "--yes"], socket: "/unused")
      #expect(tool.exitCode == 64)
      for name in ["slow"] + ThrottleFlag.allCases.map(\.rawValue) {
        #expect(tool.complaint.contains("'\(name)'"), "\(tool.complaint)")
      }
    }

    @Test func `a refusal is explained`() async throws {
      let rig = FakeRig()
      rig.refuseSimulation()
      let tool = try await withServer(rig) { server in
        try await platenctl(["simulate", "heat", "50", "--yes"], socket: server.socketPath)
      }
      #expect(tool.exitCode == 1)
      #expect(tool.complaint == "platenctl: The board \"linux\" is not simulated.\n")
    }

    @Test func `a service that does not answer is unavailable`() async throws {
      try await withTemporaryDirectory { directory in
        for arguments in [["status"], ["shoot"], ["watch"], ["simulate", "turn", "flat", "--yes"]] {
          let tool = try await platenctl(
            arguments + ["--socket", directory + "/none"], socket: "/unused")
          #expect(tool.exitCode == 69)
          #expect(
            tool.complaint
              == "platenctl: The service does not answer on \"\(directory)/none\": no such file or "
              + "directory. Start it with \"platenctl service restart\".\n")
        }
      }
    }

    @Test(arguments: [
      ["jump"], ["presses", "list", "--gesture", "clap"], ["shoot", "--count", "0"],
      ["shoot", "--quality", "best"],
      ["shoot", "--flash", "dim"], ["shoot", "--bracket", "ev=1"],
      ["shoot", "--bracket", "lamp=1,2"], ["shoot", "--merge", "only"],
      ["shoot", "--retake", "--count", "2"],
      ["shoot", "--bracket", "ev=-1,1", "--merge", "hdr"],
      ["shoot", "--bracket", "lamps=left,right", "--merge", "add"],
      ["simulate", "turn", "sideways"], ["status", "--jsn"],
      ["presses", "--limit", "x"], ["presses", "--outcome", "lost"],
      ["presses", "--since", "yesterday"], ["presses", "show", "x"],
      ["session", "configure"], ["session", "configure", "--preset", "huge"],
      ["session", "configure", "--preset", "640x"], ["session", "configure", "--exposure", "1"],
      ["session", "configure", "--focus", "near"], ["session", "configure", "--zoom", "0"],
      ["session", "configure", "--frame-rate", "nan"], ["session", "jump"], ["lights", "red"],
      ["simulate", "turn", "flat"], ["session", "stop"], ["spool", "retry", "--all-parked"],
      ["console", "--idle-logout", "10"], ["console", "--json"],
      ["console", "--jsonl", "--idle-logout", "90"],
      // The command is not confirmed here, so that no clock is set.
      ["time", "set", "2026-11-22T21:30:00Z"], ["time", "set"], ["time", "set", "tomorrow"],
      ["time", "set", "1970-01-01T00:00:00Z", "--yes"], ["time", "2026-11-22T21:30:00Z"],
    ])
    func `a wrong command line is a usage error`(_ arguments: [String]) async throws {
      let tool = try await platenctl(arguments, socket: "/unused")
      #expect(tool.exitCode == 64)
      #expect(tool.complaint.contains("Usage:"))
    }

    /// A file or a pipe needs no progress, and a program wants its JSON alone.
    @Test(arguments: [[], ["--json"]] as [[String]])
    func `no progress is shown without a terminal`(_ options: [String]) async throws {
      try await withServer(FakeRig()) { server in
        let tool = try await Tool.platenctl(
          ["shoot", "--count", "3"] + options, socket: server.socketPath)
        #expect(tool.exitCode == 0 && tool.complaint.isEmpty, "\(tool.complaint)")
        #expect(tool.output.split(separator: "\n").count == 3)
      }
    }
  }
}
