import API
import Console
import Foundation
import Testing
import TestSupport

extension ServerTests {
  /// `platenctl preview` on a real terminal, as a technician uses it.
  @Suite(.timeLimit(.minutes(10))) struct PlatenctlPreviewTests {
    private static let foot = "best 0.1875"

    /// Runs a preview on a terminal; at its end the terminal has its old modes.
    private func withPreview(
      _ terminal: String, _ arguments: [String] = [], rig: FakeRig = FakeRig(), status: Int32 = 0,
      _ body: @Sendable (TerminalProgram) async throws -> Void
    ) async throws {
      try await withServer(rig) { server in
        let program = try TerminalProgram(
          try Tool.platenctlPath(), ["preview", "--interval", "0.1"] + arguments,
          environment: ["PLATEN_SOCKET": server.socketPath, "HOME": "/proc/none", "TERM": terminal])
        try await body(program)
        let result = await program.end()
        #expect(result == status, "\(program.shown.debugDescription)")
        #expect(program.isCooked)
      }
    }

    @Test(arguments: ["q", "x", " ", "\u{3}", "\u{1A}", "\u{1B}[A"])
    func `any key ends the preview and restores the terminal`(_ key: String) async throws {
      try await withPreview("vt100") { program in
        let first = try await program.expect(Self.foot)
        try await program.expect(Self.foot, after: first)
        program.type(key)
      }
    }

    @Test(arguments: [SIGTERM, SIGINT, SIGHUP])
    func `a signal ends the preview and restores the terminal`(_ number: Int32) async throws {
      try await withPreview("vt100", status: 128 + number) { program in
        try await program.expect(Self.foot)
        program.signal(number)
      }
    }

    @Test func `a VT100 is drawn in place`() async throws {
      try await withPreview("vt100") { program in
        let first = try await program.expect(Self.foot)
        let second = try await program.expect("\u{1B}[H", after: first)
        try await program.expect(Self.foot, after: second)
        program.type("q")
        _ = await program.end()
        let shown = program.shown
        #expect(shown.components(separatedBy: "\u{1B}[2J").count == 2)
        // The screen is cleared once, at the first picture.
        #expect(shown.contains("\u{1B}[2J\u{1B}[H"))
        // The shell's prompt comes below the picture.
        #expect(shown.hasSuffix("\u{1B}[24;1H\n"))
      }
    }

    @Test func `a dumb terminal gets pictures one after the other without escape sequences`()
      async throws
    {
      try await withPreview("dumb") { program in
        let first = try await program.expect(Self.foot)
        try await program.expect(Self.foot, after: first)
        program.type("q")
        _ = await program.end()
        #expect(!program.bytes.contains(0x1B))
      }
    }

    @Test func `sixel sequences are always ended`() async throws {
      let rig = FakeRig()
      try await withPreview("vt100", ["--sixel", "--width", "64"], rig: rig) { program in
        let first = try await program.expect("\u{1B}P0;1;0q\"1;1;16;4#0;2;0;0;0")
        try await program.expect("\u{1B}\\", after: first)
        program.type("q")
        _ = await program.end()
        let shown = program.shown
        // As many ends as beginnings, so that the shell's output is text again.
        #expect(
          shown.components(separatedBy: "\u{1B}\\").count
            >= shown.components(separatedBy: "\u{1B}P").count)
      }
      #expect(rig.alignment.sizes.first == PreviewSize(width: 64, height: 240))
    }

    @Test func `a missing camera is waited for`() async throws {
      let rig = FakeRig()
      rig.editAlignment {
        $0.previewFailure = APIError(.conflict, "There is no preview: cameraUnplugged.")
      }
      try await withPreview("vt100", rig: rig) { program in
        try await program.expect("There is no preview: cameraUnplugged.")
        rig.editAlignment { $0.previewFailure = nil }
        try await program.expect(Self.foot)
        program.type("q")
      }
    }

    @Test func `a lasting failure ends the preview`() async throws {
      let rig = FakeRig()
      rig.editAlignment { $0.previewFailure = APIError(.internalError, "The frame is broken.") }
      try await withPreview("vt100", rig: rig, status: 1) { program in
        try await program.expect("platenctl: The frame is broken.")
      }
    }

    @Test func `a console ends a preview by its own keys and goes on`() async throws {
      try await withServer(FakeRig()) { server in
        let program = try TerminalProgram(
          try Tool.platenctlPath(), ["console"],
          environment: [
            "PLATEN_SOCKET": server.socketPath, "HOME": "/proc/none", "TERM": "vt100",
          ])
        let prompt = try await program.expect("thermalPressure> ")
        program.type("preview --interval 0.1\r")
        let first = try await program.expect(Self.foot, after: prompt)
        let second = try await program.expect(Self.foot, after: first)
        program.type("q")
        let again = try await program.expect("thermalPressure> ", after: second)
        program.type("preview --once\r")
        let once = try await program.expect(Self.foot, after: again)
        try await program.expect("thermalPressure> ", after: once)
        program.type("exit\r")
        #expect(await program.end() == 0)
        #expect(program.isCooked)
      }
    }

    @Test func `without a terminal one picture is printed`() async throws {
      try await withServer(FakeRig()) { server in
        let text = try await Tool.platenctl(["preview"], socket: server.socketPath)
        #expect(text.exitCode == 0, "\(text.complaint)")
        // The picture has the height of the fake rig's sample.
        #expect(text.output.split(separator: "\n").count == 7)
        #expect(text.output.contains("aim 0.62  text 90°  Move the whole page into the picture."))
        let json = try await Tool.platenctl(["preview", "--json"], socket: server.socketPath)
        let report = try APICoding.decode(PreviewReport.self, from: json.output.utf8)
        #expect(report == AlignmentSamples.preview)
      }
    }

    @Test(arguments: [
      ["--interval", "0"], ["--interval", "61"], ["--width", "7"], ["--height", "321"],
      ["--sixels"],
    ])
    func `a wrong option is explained`(_ arguments: [String]) async throws {
      let tool = try await Tool.platenctl(["preview"] + arguments, socket: "/nowhere")
      #expect(tool.exitCode == 64)
      #expect(tool.complaint.contains(arguments[0]))
    }
  }
}
