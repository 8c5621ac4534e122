import API
import Console
import Devices
import Testing
import TestSupport

extension ServerTests {
  /// `platenctl session` and `platenctl lights`, as a person or a script uses them.
  @Suite struct SessionCommandTests {
    @Test func `the session is text or JSON`() async throws {
      try await withServer(FakeRig()) { server in
        let text = try await Tool.platenctl(["session", "show"], socket: server.socketPath)
        #expect(text.exitCode == 0, "\(text.complaint)")
        #expect(text.output.contains("readiness   ready\n"))
        let json = try await Tool.platenctl(
          ["session", "show", "--json"], socket: server.socketPath)
        let overview = try APICoding.decode(SessionOverview.self, from: json.output.utf8)
        #expect(overview == SessionSamples.overview)
      }
    }

    /// Arguments and the change that the service gets from them.
    struct Wish: Sendable, CustomStringConvertible {
      let arguments: [String]
      let edit: @Sendable (inout SessionChange) -> Void
      init(_ arguments: [String], _ edit: @escaping @Sendable (inout SessionChange) -> Void) {
        self.arguments = arguments
        self.edit = edit
      }
      var description: String { arguments.joined(separator: " ") }
    }

    static let wishes: [Wish] = [
      Wish(["--camera", "overhead"]) { $0.camera = "overhead" },
      Wish(["--preset", "1080p"]) { $0.size = .preset("1080p") },
      Wish(["--preset", "2028x1520"]) { $0.size = .custom(width: 2028, height: 1520) },
      Wish(["--frame-rate", "12.5", "--zoom", "2"]) {
        $0.frameRate = .fixed(12.5)
        $0.set(.zoom) { $0.videoZoomFactor = 2 }
      },
      Wish(["--frame-rate", "own"]) { $0.frameRate = .own },
      Wish(["--exposure", "8000,1.5"]) {
        $0.set(.exposure) { $0.exposureMode = .custom(duration: .milliseconds(8), gain: 1.5) }
      },
      Wish(["--exposure", "auto", "--white-balance", "locked"]) {
        $0.set(.exposure) { $0.exposureMode = .continuousAutoExposure }
        $0.set(.whiteBalance) { $0.whiteBalanceMode = .locked }
      },
      Wish(["--white-balance", "1.9,1.4"]) {
        $0.set(.whiteBalance) {
          $0.whiteBalanceMode = .custom(WhiteBalanceGains(red: 1.9, blue: 1.4))
        }
      },
      Wish(["--focus", "2.5"]) { $0.set(.focus) { $0.focusMode = .locked(lensPosition: 2.5) } },
      Wish(["--focus", "continuous", "--flicker", "60"]) {
        $0.set(.focus) { $0.focusMode = .continuousAutoFocus }
        $0.set(.flicker) { $0.flickerAvoidance = .hertz60 }
      },
      Wish(["--flash", "off"]) { $0.flash = .off },
      Wish(["--flicker", "off", "--prioritization", "speed", "--no-fast-capture"]) {
        $0.set(.flicker) { $0.flickerAvoidance = .off }
        $0.prioritization = .speed
        $0.fastCapture = false
      },
      Wish(["--image", "sharpness=1.5", "--image", "exposureCompensation=-1"]) {
        $0.image = [.sharpness: .set(1.5), .exposureCompensation: .set(-1)]
      },
      Wish(["--image", "contrast=own", "--exposure", "own"]) {
        $0.image = [.contrast: .own]
        $0.set(.exposure) { $0.exposureMode = nil }
      },
    ]

    static let interrupting = ["--camera", "--preset", "--frame-rate"]

    @Test func `a change is sent as typed`() async throws {
      let rig = FakeRig()
      try await withServer(rig) { server in
        for wish in Self.wishes {
          let interrupts = wish.arguments.contains { Self.interrupting.contains($0) }
          let tool = try await Tool.platenctl(
            ["session", "configure"] + wish.arguments + (interrupts ? ["--yes"] : []),
            socket: server.socketPath)
          #expect(tool.exitCode == 0, "\(wish): \(tool.complaint)")
        }
      }
      let expected = Self.wishes.map { wish in
        var change = SessionChange()
        wish.edit(&change)
        return change
      }
      #expect(rig.capture.changes == expected)
    }

    @Test(arguments: [
      ("sharpness", "NAME=NUMBER"), ("glow=1", "glow"), ("sharpness=17", "image.sharpness"),
      ("sharpness=much", "sharpness"),
    ])
    func `an impossible control of the image is refused by name`(_ text: String, _ named: String)
      async throws
    {
      let rig = FakeRig()
      try await withServer(rig) { server in
        let tool = try await Tool.platenctl(
          ["session", "configure", "--image", text], socket: server.socketPath)
        #expect(tool.exitCode == 64)
        #expect(tool.complaint.contains(named), "\(tool.complaint)")
      }
      #expect(rig.capture.changes.isEmpty)
    }

    @Test func `a failed change is explained`() async throws {
      let rig = FakeRig()
      rig.editCapture {
        $0.failure = APIError(
          .configurationRolledBack,
          "The session is back at its old configuration: \"cam\" cannot start.")
      }
      try await withServer(rig) { server in
        let tool = try await Tool.platenctl(
          ["session", "configure", "--preset", "full", "--yes"], socket: server.socketPath)
        #expect(tool.exitCode == 1)
        #expect(
          tool.complaint
            == "platenctl: The session is back at its old configuration: \"cam\" cannot start.\n")
      }
    }

    @Test func `every verb has its own effect`() async throws {
      let rig = FakeRig()
      let verbs = ["stop", "resume", "switch", "focus", "calibrate", "forget"]
      try await withServer(rig) { server in
        for verb in verbs {
          let yes = ["resume", "focus"].contains(verb) ? [] : ["--yes"]
          let tool = try await Tool.platenctl(
            ["session", verb] + yes, socket: server.socketPath)
          #expect(tool.exitCode == 0, "\(verb): \(tool.complaint)")
          #expect(tool.output.contains("calibrated"), "\(verb)")
        }
        let list = try await Tool.platenctl(
          ["session", "interruptions"], socket: server.socketPath)
        #expect(list.output.contains("thermalPressure"))
        let json = try await Tool.platenctl(
          ["session", "interruptions", "--json"], socket: server.socketPath)
        #expect(
          try APICoding.decode(InterruptionList.self, from: json.output.utf8)
            == SessionSamples.interruptions)
      }
      #expect(rig.capture.calls == verbs)
    }

    @Test(arguments: [
      ["session", "stop"], ["session", "switch"], ["session", "calibrate"], ["session", "forget"],
      ["calibrate", "camera"], ["session", "configure", "--camera", "overhead"],
      ["session", "configure", "--zoom", "2", "--preset", "full"],
    ])
    func `an interrupting or overwriting command must be confirmed`(_ words: [String]) async throws
    {
      let rig = FakeRig()
      try await withServer(rig) { server in
        let tool = try await Tool.platenctl(words, socket: server.socketPath)
        #expect(tool.exitCode == 64 && tool.complaint.contains("--yes"))
      }
      #expect(rig.capture.calls.isEmpty && rig.capture.changes.isEmpty)
    }

    @Test func `the lights are explained without a service`() async throws {
      let text = try await Tool.platenctl(["lights"], socket: "/nowhere")
      #expect(text.exitCode == 0, "\(text.complaint)")
      #expect(text.output.contains("fault (red)\n"))
      #expect(
        text.output.contains(
          "  1-2 flashes   the camera has been unplugged (cameraUnplugged)\n"), "\(text.output)")
      let json = try await Tool.platenctl(["lights", "--json"], socket: "/nowhere")
      let rows = try json.output.split(separator: "\n").map {
        try APICoding.decode(LightTableRow.self, from: $0.utf8)
      }
      #expect(rows == LightTable().rows)
    }
  }
}
