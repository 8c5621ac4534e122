import API
import Console
import Foundation
import Testing
import TestSupport

extension ServerTests {
  /// `platenctl test`, `queue`, `targets` and `thermal`, as a technician uses them.
  @Suite(.timeLimit(.minutes(10))) struct TestCommandTests {
    private func platenctl(
      _ arguments: [String], rig: FakeRig = FakeRig()
    ) async throws -> Tool {
      try await withServer(rig) { try await Tool.platenctl(arguments, socket: $0.socketPath) }
    }

    private func results(_ tool: Tool) throws -> [TestResult] {
      try tool.output.split(separator: "\n").map {
        try APICoding.decode(TestResult.self, from: $0.utf8)
      }
    }

    @Test func `a press is shown with its bounce`() async throws {
      let rig = FakeRig()
      let tool = try await platenctl(["test", "button", "--timeout", "5"], rig: rig)
      #expect(tool.exitCode == 0)
      // A rig that is slow to answer has the person asked first.
      #expect(tool.output.contains("PASS     button shutter ("))
      #expect(tool.output.contains("held for 100 ms, 4 edges, bounce of 1.5 ms"))
      #expect(tool.output.contains("understood as single, which would be shoot"))
      #expect(rig.tests.buttonRequests == [ButtonTestRequest(seconds: 5, presses: 1)])
    }

    @Test func `a silent button fails with advice`() async throws {
      let rig = FakeRig()
      rig.editTests { $0.button = TestSamples.silentButton }
      let tool = try await platenctl(["test", "button"], rig: rig)
      #expect(tool.exitCode == 1)
      #expect(tool.output.contains("FAIL     button shutter, code buttonSilent"))
      #expect(tool.output.contains("  next:  Check the button's plug and cable."))
      let json = try results(try await platenctl(["test", "button", "--json"], rig: rig))
      #expect(json.map(\.verdict) == [.failed] && json[0].code == "buttonSilent")
    }

    @Test(arguments: [("yes", Int32(0)), ("no", 1)])
    func `the state of the lights can be given beforehand`(_ known: (String, Int32)) async throws {
      let rig = FakeRig()
      let tool = try await platenctl(
        ["test", "leds", "--seen", known.0, "--timeout", "1", "--json"], rig: rig)
      #expect(tool.exitCode == known.1)
      let all = try results(tool)
      #expect(all.map(\.subject) == ["ready", "fault"])
      #expect(all.allSatisfy { ($0.verdict == .passed) == (known.1 == 0) })
      #expect(rig.tests.lightRequests.map(\.light) == ["ready", "fault"])
    }

    @Test func `a light without an answer fails`() async throws {
      let tool = try await platenctl(["test", "leds", "--light", "ready", "--json"])
      let all = try results(tool)
      #expect(tool.exitCode == 1 && all.map(\.code) == ["notAnswered"])
      let none = try await platenctl(["test", "leds", "--light", "power"])
      #expect(none.exitCode == 1 && none.output.contains("SKIPPED  leds power"))
    }

    @Test func `a picture is read back and compared`() async throws {
      try await withTemporaryDirectory { directory in
        let bytes: [UInt8] =
          [0xFF, 0xD8, 0xFF, 0xC0, 0, 17, 8, 0x0A, 0x20, 0x12, 0x00, 3]
          + [UInt8](repeating: 1, count: 100)
        let path = directory + "/1.jpg"
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        // The digest is sha256sum's.
        let digest = "7c17694fe4328409657bbf9fcfa8ca7de7507c0ea77caa01ac8d53e0177200b5"
        for (sha256, code) in [(digest, Int32(0)), (String(repeating: "0", count: 64), 1)] {
          let item = SpoolSamples.item(3, path: path, sha256: sha256, bytes: 112)
          let press = PressReport(
            number: 3, source: "api", outcome: .stored, selectionErrorMilliseconds: 5,
            frameIntervalMilliseconds: 33, pressToFrameMilliseconds: 20,
            pressToStoredMilliseconds: 60, itemID: item.id, sha256: sha256, bytes: 112)
          let rig = FakeRig()
          rig.holds(item)
          rig.remembers(press)
          rig.willAnswer(.success(press))
          let tool = try await platenctl(["test", "camera"], rig: rig)
          #expect(tool.exitCode == code, "\(tool.output)")
          #expect(tool.output.contains("press 3 is stored after 60.0 ms"))
          #expect(tool.output.contains("a JPEG of 4608x2592") == (code == 0))
        }
      }
    }

    @Test func `a refused press fails with the doctor's advice`() async throws {
      let rig = FakeRig()
      rig.willAnswer(.success(Samples.refused))
      let tool = try await platenctl(["test", "camera"], rig: rig)
      #expect(tool.exitCode == 1)
      #expect(tool.output.contains("FAIL     camera, code thermalPressure"))
      #expect(tool.output.contains("the doctor finds: main: process 4711"))
      #expect(tool.output.contains("  next:  End the program that is named here."))
    }

    @Test func `the waiting picture is followed to its receipt`() async throws {
      let rig = FakeRig()
      rig.holds(SpoolSamples.item(1))
      let late = try await platenctl(["test", "upload", "--timeout", "1"], rig: rig)
      #expect(late.exitCode == 1 && late.output.contains("has no receipt after 1 s"))
      rig.editTests { $0.deliversOnRetry = true }
      let tool = try await platenctl(["test", "upload", "--json"], rig: rig)
      let all = try results(tool)
      #expect(tool.exitCode == 0 && all.map(\.subject) == ["archive"])
      #expect(all[0].seen.contains { $0.contains("the answer was 201") })
    }

    @Test func `the other tests show their results`() async throws {
      let storage = try await platenctl(["test", "storage"])
      #expect(storage.exitCode == 0 && storage.output.contains("8 MiB written at 21.5 MiB/s"))
      let still = try await platenctl(["test", "accelerometer", "--still"])
      #expect(still.exitCode == 0 && still.output.contains("together 9.80 m/s²"))
      let turned = try await platenctl(["test", "accelerometer", "--timeout", "1"])
      #expect(turned.exitCode == 1 && turned.output.contains("only 90° of 4 positions were seen"))
      let temperature = try await platenctl(["test", "temperature"])
      #expect(temperature.exitCode == 0 && temperature.output.contains("cpu-thermal 84.5 °C"))
      let network = try await platenctl(["test", "network"])
      #expect(network.exitCode == 1 && network.output.contains("fails at resolve"))
    }

    @Test func `all tests run after a failure and are summed up`() async throws {
      let rig = FakeRig()
      rig.holds(SpoolSamples.item(1))
      rig.editTests {
        $0.button = TestSamples.silentButton
        $0.deliversOnRetry = true
      }
      let tool = try await platenctl(
        ["test", "all", "--timeout", "1", "--still", "--seen", "yes"], rig: rig)
      #expect(tool.exitCode == 1)
      let lines = tool.output.split(separator: "\n").map(String.init)
      let parts = lines.filter { $0.hasPrefix("PASS     ") || $0.hasPrefix("FAIL     ") }
      #expect(parts.first?.hasPrefix("FAIL     button shutter") == true)
      #expect(parts.contains { $0.hasPrefix("PASS     upload archive") })
      #expect(lines.last?.hasSuffix("0 skipped") == true)
      #expect(lines.allSatisfy { PlainText.columns($0) <= 80 }, "\(tool.output)")
      let json = try results(
        try await platenctl(
          ["test", "all", "--timeout", "1", "--still", "--seen", "yes", "--json"], rig: rig))
      #expect(Set(json.map(\.part)) == Set(TestPart.allCases))
      #expect(json.map(\.part) == json.map(\.part).sorted { order($0) < order($1) })
    }

    private func order(_ part: TestPart) -> Int {
      TestPart.allCases.firstIndex(of: part) ?? -1
    }

    @Test(
      arguments: [
        ["test", "button", "--timeout", "121"], ["test", "button", "--presses", "0"],
        ["test", "leds", "--seen", "maybe"], ["test", "leds", "--light", "green"],
        ["test", "storage", "--mebibytes", "65"], ["test", "upload", "--timeout", "0"],
        ["test", "lamp"], ["test"],
      ])
    func `impossible arguments are refused`(_ arguments: [String]) async throws {
      let tool = try await platenctl(arguments)
      #expect(tool.exitCode == (arguments == ["test"] ? 0 : 64))
    }

    @Test func `a service that does not answer is no failure of a part`() async throws {
      let tool = try await Tool.platenctl(["test", "storage"], socket: "/tmp/platen-none")
      #expect(tool.exitCode == 69 && !tool.output.contains("FAIL"))
    }

    @Test func `the queue and the targets show waiting pictures and the reason`() async throws {
      let rig = FakeRig()
      let queue = try await platenctl(["queue"], rig: rig)
      #expect(queue.exitCode == 0)
      #expect(queue.output.hasPrefix("3 pictures wait, 2.3 MB; the oldest one for 1 min 15 s:"))
      #expect(queue.output.contains("archive: connection refused"))
      #expect(queue.output.split(separator: "\n").allSatisfy { $0.count <= 80 })
      let list = try await platenctl(["targets"], rig: rig)
      #expect(list.output.contains("archive  webdav  waitingToRetry"))
      let show = try await platenctl(["targets", "show", "archive"], rig: rig)
      #expect(show.output.contains("queue        2 waiting, 1 parked"))
      #expect(try await platenctl(["targets", "show", "moon"], rig: rig).exitCode == 1)
      #expect(try await platenctl(["targets", "retry"], rig: rig).output == "tried now: archive\n")
      #expect(try await platenctl(["targets", "retry", "moon"], rig: rig).exitCode == 1)
      let found = try await platenctl(["identify", "--seconds", "3"], rig: rig)
      #expect(found.exitCode == 0 && found.output == "the lights blinked: ready\n")
      #expect(try await platenctl(["identify", "--seconds", "0"], rig: rig).exitCode == 64)
      #expect(try await platenctl(["targets", "pause"], rig: rig).exitCode == 64)
      #expect(!rig.tests.areUploadsPaused)
      #expect(try await platenctl(["targets", "pause", "--yes"], rig: rig).exitCode == 0)
      #expect(rig.tests.areUploadsPaused)
      #expect(try await platenctl(["targets", "resume"], rig: rig).exitCode == 0)
      #expect(!rig.tests.areUploadsPaused)
    }

    @Test func `temperatures are a table with their limits`() async throws {
      let tool = try await platenctl(["thermal"])
      #expect(tool.exitCode == 0 && tool.output.hasPrefix("state critical\nzone "))
      #expect(tool.output.contains("presses are refused now"))
    }
  }
}
