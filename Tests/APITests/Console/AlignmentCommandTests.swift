import API
import Console
import Devices
import Testing
import TestSupport

extension ServerTests {
  /// `platenctl focus` and `platenctl calibrate`, as a person or a script uses them.
  @Suite(.timeLimit(.minutes(10))) struct AlignmentCommandTests {
    /// Returns a rig whose lens moves to any set position; sharpest at 4 diopters.
    private func rig(lens: LensReport? = LensReport(farthest: 0, nearest: 5)) -> FakeRig {
      let rig = FakeRig()
      rig.editCapture { capture in
        let old = capture.overview
        capture.overview = SessionOverview(
          session: old.session, settings: old.settings, controls: old.controls,
          calibration: old.calibration, lens: lens, cameras: old.cameras, readiness: old.readiness)
      }
      rig.editAlignment { $0.followsLens = lens != nil }
      return rig
    }

    private func wishes(_ rig: FakeRig) -> [Double] {
      rig.capture.changes.compactMap { change in
        if case .locked(let diopters?)? = change.controls.focusMode { return diopters }
        return nil
      }
    }

    @Test func `focus without a position moves no lens`() async throws {
      let rig = rig()
      try await withServer(rig) { server in
        let tool = try await Tool.platenctl(["focus"], socket: server.socketPath)
        #expect(tool.exitCode == 0, "\(tool.complaint)")
        #expect(tool.output.contains("can be placed from 0.00 (far) to 5.00 (near) diopters"))
      }
      #expect(rig.capture.changes.isEmpty && rig.capture.calls.isEmpty)
    }

    @Test(arguments: [("2.5", 2.5), ("near", 5), ("far", 0)])
    func `the lens is moved and its focus figure shown`(_ place: String, _ diopters: Double)
      async throws
    {
      let rig = rig()
      try await withServer(rig) { server in
        let tool = try await Tool.platenctl(["focus", place], socket: server.socketPath)
        #expect(tool.exitCode == 0, "\(tool.complaint)")
        #expect(tool.output.contains("after   focus"), "\(tool.output)")
      }
      #expect(wishes(rig) == [diopters])
    }

    @Test func `auto focuses once`() async throws {
      let rig = rig()
      try await withServer(rig) { server in
        let tool = try await Tool.platenctl(["focus", "auto"], socket: server.socketPath)
        #expect(tool.exitCode == 0, "\(tool.complaint)")
      }
      #expect(rig.capture.calls == ["focus"])
    }

    @Test func `the camera focuses on a place`() async throws {
      let rig = rig()
      try await withServer(rig) { server in
        let tool = try await Tool.platenctl(["focus", "--at", "0.25,1"], socket: server.socketPath)
        #expect(tool.exitCode == 0, "\(tool.complaint)")
        for words in [["--at", "0.25,1.5"], ["--at", "0.25"], ["--at", "0,0", "near"]] {
          let wrong = try await Tool.platenctl(["focus"] + words, socket: server.socketPath)
          #expect(wrong.exitCode == 64, "\(words)")
        }
      }
      #expect(rig.capture.calls == ["focus at 0.25, 1.0"])
    }

    @Test func `a sweep ends at the sharpest position`() async throws {
      let rig = rig()
      try await withServer(rig) { server in
        let tool = try await Tool.platenctl(["focus", "sweep", "--yes"], socket: server.socketPath)
        #expect(tool.exitCode == 0, "\(tool.complaint)")
        #expect(tool.output.contains("where it is sharpest"), "\(tool.output)")
        for line in tool.output.split(separator: "\n") { #expect(line.count < 80) }
      }
      let placed = wishes(rig)
      #expect(placed.count > 15)
      #expect(abs((placed.last ?? 0) - 4) < 0.1, "\(placed)")
    }

    @Test func `a sweep without a result puts the lens back`() async throws {
      let rig = rig()
      rig.editAlignment { $0.isPageEmpty = true }
      try await withServer(rig) { server in
        let tool = try await Tool.platenctl(["focus", "sweep", "--yes"], socket: server.socketPath)
        #expect(tool.exitCode == 1)
        #expect(tool.complaint.contains("No lens position is sharper than another"))
      }
      let focus = SessionSamples.settings.controls.focusMode
      #expect(rig.capture.changes.last?.controls == CameraControls(focusMode: focus))
    }

    @Test func `a sweep must be confirmed`() async throws {
      let rig = rig()
      try await withServer(rig) { server in
        let tool = try await Tool.platenctl(["focus", "sweep"], socket: server.socketPath)
        #expect(tool.exitCode == 64 && tool.complaint.contains("--yes"))
      }
      #expect(rig.capture.changes.isEmpty)
    }

    @Test(arguments: ["2.5", "near", "sweep"])
    func `a camera without a lens is explained`(_ place: String) async throws {
      let rig = rig(lens: nil)
      try await withServer(rig) { server in
        let tool = try await Tool.platenctl(["focus", place, "--yes"], socket: server.socketPath)
        #expect(tool.exitCode == 1)
        #expect(
          tool.complaint.contains("The camera \"imx708\" has no lens that can be placed"),
          "\(tool.complaint)")
      }
      #expect(rig.capture.changes.isEmpty)
    }

    @Test(arguments: ["6", "5.01"])
    func `a position out of range is explained`(_ place: String) async throws {
      let rig = rig()
      try await withServer(rig) { server in
        let tool = try await Tool.platenctl(["focus", place], socket: server.socketPath)
        #expect(tool.exitCode == 1)
        #expect(tool.complaint.contains("from 0.00 to 5.00 diopters"), "\(tool.complaint)")
      }
      #expect(rig.capture.changes.isEmpty)
    }

    @Test(arguments: ["nearer", "-1", "101", "nan"])
    func `an invalid position is refused`(_ place: String) async throws {
      let tool = try await Tool.platenctl(["focus", "--", place], socket: "/nowhere")
      #expect(tool.exitCode == 64, "\(tool.complaint)")
    }

    // MARK: Calibrating

    @Test func `the camera is calibrated and the picture before and after is shown`() async throws {
      let rig = rig()
      try await withServer(rig) { server in
        let text = try await Tool.platenctl(
          ["calibrate", "camera", "--yes"], socket: server.socketPath)
        #expect(text.exitCode == 0, "\(text.complaint)")
        for part in ["before  brightness", "after   brightness", "fixed   exposure 9.50 ms"] {
          #expect(text.output.contains(part), "\(text.output)")
        }
        // A ramp from black to white is no empty page.
        #expect(text.output.contains("warning: 3.1 % of the picture is white"))
        #expect(text.output.contains("lit unevenly"))
        let json = try await Tool.platenctl(
          ["calibrate", "camera", "--yes", "--json"], socket: server.socketPath)
        #expect(json.output.split(separator: "\n").count == 1)
        #expect(json.output.contains("\"calibration\":{"))
      }
      #expect(rig.capture.calls == ["calibrate", "calibrate"])
    }

    static let sheets = [
      (["a4"], 210.0, 297.0), (["letter"], 215.9, 279.4), (["--size", "300x30.5"], 300, 30.5),
    ]

    @Test(arguments: sheets)
    func `a scale is measured and a contradiction to the configuration shown`(
      _ words: [String], _ width: Double, _ height: Double
    ) async throws {
      let rig = FakeRig()
      try await withServer(rig) { server in
        let tool = try await Tool.platenctl(
          ["calibrate", "scale"] + words, socket: server.socketPath)
        #expect(tool.exitCode == 0, "\(tool.complaint)")
        let text = tool.output.split { $0.isWhitespace }.joined(separator: " ")
        for part in [
          "scale 152.3 pixels to an inch, 152.0 along the rows and 152.6 along the columns",
          "sheet turned counterclockwise by 1.3 degrees, opposite sides differ by 0.4 %",
          "holds for pictures of 2028x1520, with the lens at 2.25 diopters",
          "warning: \"image.dpi\" is 300.0, and pictures",
        ] {
          #expect(text.contains(part), "\(text)")
        }
        for line in tool.output.split(separator: "\n") { #expect(line.count <= 80) }
      }
      #expect(
        rig.capture.sheets == [ScaleRequest(widthMillimeters: width, heightMillimeters: height)])
    }

    @Test func `the reason for a missing scale is shown`() async throws {
      let rig = FakeRig()
      rig.editCapture { $0.failure = APIError(.conflict, "No sheet was found: lay one flat.") }
      try await withServer(rig) { server in
        let tool = try await Tool.platenctl(
          ["calibrate", "scale", "a4"], socket: server.socketPath)
        #expect(tool.exitCode == 1)
        #expect(tool.complaint.contains("No sheet was found"), "\(tool.complaint)")
      }
    }

    @Test(arguments: [
      [], ["a4", "--size", "210x297"], ["b9"], ["--size", "210"], ["--size", "5x5"],
    ])
    func `a sheet without one size is refused`(_ words: [String]) async throws {
      let tool = try await Tool.platenctl(["calibrate", "scale"] + words, socket: "/nowhere")
      #expect(tool.exitCode == 64, "\(tool.complaint)")
    }

    /// Returns the readings of a sensor that is soldered with its x axis up in an upright rig.
    static func readings(
      _ poses: [[Double]], seconds: Double = 6
    ) -> [AccelerometerReport] {
      var time: Int64 = 1_000_000_000
      return poses.flatMap { pose in
        (0..<Int(seconds * 5)).map { index in
          time += 200_000_000
          let noise = Double(index % 3 - 1) * 0.02
          return AccelerometerReport(
            state: "ok", captureAngle: 0,
            reading: AccelerometerReport.Reading(
              timeNanoseconds: time, ageMilliseconds: 10, sensor: pose.map { $0 + noise },
              rig: [0, 0, 9.81]))
        }
      }
    }

    static let poses: [[Double]] = [[0, 0, 9.81], [0, -9.81, 0], [9.81, 0, 0]]

    @Test func `the mount matrix is found and set`() async throws {
      let rig = FakeRig()
      rig.editAlignment { $0.readings = Self.readings(Self.poses) }
      try await withServer(rig) { server in
        let tool = try await Tool.platenctl(
          ["calibrate", "level", "--yes"], socket: server.socketPath)
        #expect(tool.exitCode == 0, "\(tool.complaint)")
        for part in [
          "1 of 3: Lay the rig level", "2 of 3: Stand it on its left side", "3 of 3: Stand it on",
          "left taken, noise", "right-angled  0, -1, 0; 1, 0, 0; 0, 0, 1",
        ] {
          #expect(tool.output.contains(part), "\(part) is not in \(tool.output)")
        }
        for line in tool.output.split(separator: "\n") { #expect(line.count <= 80) }
      }
      #expect(
        rig.configuration.changes.map(\.set) == [
          ["accelerometer.mount_matrix": "\"0, -1, 0; 1, 0, 0; 0, 0, 1\""]
        ])
    }

    @Test func `a dry run sets no key and answers in JSON`() async throws {
      let rig = FakeRig()
      rig.editAlignment { $0.readings = Self.readings(Self.poses) }
      try await withServer(rig) { server in
        let tool = try await Tool.platenctl(
          ["calibrate", "level", "--dry-run", "--json"], socket: server.socketPath)
        #expect(tool.exitCode == 0, "\(tool.complaint)")
        let result = try APICoding.decode(LevelResult.self, from: tool.output.utf8)
        #expect(result.rightAngled == "0, -1, 0; 1, 0, 0; 0, 0, 1")
        #expect(result.measurements.map(\.pose) == LevelPose.allCases)
      }
      #expect(rig.configuration.changes.isEmpty)
    }

    @Test func `contradictory positions set no key`() async throws {
      let rig = FakeRig()
      rig.editAlignment {
        $0.readings = Self.readings([[0, 0, 9.81], [0, 9.81, 0], [9.81, 0, 0]])
      }
      try await withServer(rig) { server in
        let tool = try await Tool.platenctl(
          ["calibrate", "level", "--yes"], socket: server.socketPath)
        #expect(tool.exitCode == 1)
        #expect(tool.complaint.contains("contradict each other"), "\(tool.complaint)")
      }
      #expect(rig.configuration.changes.isEmpty)
    }

    @Test func `a rig without an accelerometer is explained`() async throws {
      let rig = FakeRig()
      rig.editAlignment { $0.accelerometer = AccelerometerReport(state: "none", captureAngle: 0) }
      try await withServer(rig) { server in
        let tool = try await Tool.platenctl(
          ["calibrate", "level", "--yes"], socket: server.socketPath)
        #expect(tool.exitCode == 1)
        #expect(tool.complaint.contains("names no accelerometer"))
      }
    }

    @Test func `leveling must be confirmed`() async throws {
      let rig = FakeRig()
      try await withServer(rig) { server in
        let tool = try await Tool.platenctl(["calibrate", "level"], socket: server.socketPath)
        #expect(tool.exitCode == 64 && tool.complaint.contains("accelerometer.mount_matrix"))
      }
      #expect(rig.configuration.changes.isEmpty)
    }
  }
}
