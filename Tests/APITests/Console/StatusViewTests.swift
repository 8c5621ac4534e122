import API
import Console
import Devices
import Testing

@Suite struct StatusViewTests {
  @Test func `a rig's status fits an eighty column terminal`() {
    #expect(
      Samples.status.rendered() == [
        "rig         rig-7, simulated board, platend 1.0, up 3 h 12 min",
        "readiness   thermalPressure (notReadyMomentarily)",
        "camera      imx708, /base/soc/i2c0mux/i2c@1/imx708@1a",
        "            running, 4608x2592, yuv420, 14.3 frames/s",
        "            123456 frames seen, the last 32 ms ago",
        "            The frame rate is 14.35 a second, not 30, because the size allows no",
        "            more.",
        "process     the service's own",
        "lamp        none, or not needed yet",
        "rotation    capture 90°, preview 90°, EXIF 6, accelerometer ok",
        "            acceleration 9.8 0.0 0.4 m/s²",
        "thermal     critical, cpu-thermal 84.5 °C",
        "presses     815 stored, 2 refused, 0 in flight, last number 43",
        "spool       3 waiting (2.3 MB), 812 delivered, 0 parked, 0 quarantined",
        "targets     archive: waitingToRetry, next attempt in 30 s, 7 delivered, webdav",
        "            http://archive.example/pages/",
        "            connection refused",
        "buttons     shutter in order",
        "            button pedal: buttonStuck",
        "            button retake: in order, 17 edges lost",
        "lights      ready dark: notReady",
        "            fault 4-1 flashes: thermalPressure, but it cannot be set",
      ])
  }

  @Test func `long and hostile names neither overflow nor control the terminal`() {
    let nasty = "\u{1B}[2J\u{9B}31m\u{7}\r\n\u{202E}\u{2028}" + String(repeating: "長い", count: 60)
    let status = RigStatus(
      rig: nasty, version: nasty, board: nasty,
      readiness: ReadinessReport(state: Word(rawValue: nasty), reasons: [Word(rawValue: nasty)]),
      session: SessionReport(
        state: Word(rawValue: nasty), camera: CameraReport(id: nasty, model: nasty),
        pixelFormat: Word(rawValue: nasty),
        adjustments: [nasty]),
      rotation: RotationReport(
        captureAngle: 0, previewAngle: 0, exifOrientation: 1,
        accelerometer: Word(rawValue: nasty)),
      thermal: ThermalReport(
        state: Word(rawValue: nasty),
        temperatures: [TemperatureReport(zone: nasty, celsius: nil)]),
      spool: SpoolReport(waiting: 0, delivered: 0, quarantined: 0, bytesWaiting: 0),
      targets: [
        TargetReport(
          name: nasty, kind: nasty, url: nasty, state: Word(rawValue: nasty),
          detail: nasty, holds: [nasty],
          running: [
            TargetReport.Running(
              itemID: nasty, bytesSent: 1, bytes: 2, fraction: .nan, text: nasty)
          ])
      ],
      presses: PressSummary(last: nil, stored: 0, refused: 0, inFlight: 0),
      lights: [LightReport(role: Word(rawValue: nasty), name: nasty, state: nasty, shown: nasty)],
      buttons: [
        ButtonReport(name: nasty),
        ButtonReport(name: nasty, faults: [Word(rawValue: nasty)], lostEdges: 1),
      ], uptimeSeconds: .nan)
    for width in [40, 80, 200] {
      for line in status.rendered(width: width) {
        #expect(PlainText.columns(line) <= width)
        #expect(line == PlainText.escaping(line))
      }
    }
  }

  @Test func `a part that fails is not shown in order`() {
    let status = RigStatus(
      rig: "rig-7", version: "1.0", board: "linux", readiness: ReadinessReport(state: "ready"),
      session: SessionReport(state: "running", framesSeen: 1),
      rotation: RotationReport(
        captureAngle: 0, previewAngle: 0, exifOrientation: 1, accelerometer: "frozen"),
      thermal: ThermalReport(
        state: "nominal", temperatures: [TemperatureReport(zone: "cpu-thermal", celsius: nil)],
        firmwareProblem: "\"firmware\" gave no throttle flags"),
      spool: SpoolReport(
        waiting: 3, delivered: 812, quarantined: 0, bytesWaiting: 2_345_678, isStale: true),
      targets: [
        TargetReport(
          name: "archive", kind: "webdav", url: "http://h/", state: "idle",
          faults: ["deliveryParked"])
      ],
      presses: PressSummary(
        last: 8, stored: 8, refused: 0, inFlight: 0, warnings: [.glare], warned: [.glare: 1]),
      buttons: [
        ButtonReport(name: "shutter", faults: ["buttonUnreadable"]),
        ButtonReport(name: "pedal", lostEdges: 1, spikes: 1),
      ], uptimeSeconds: 1)
    let lines = status.rendered(width: 132)
    for line in [
      "            1 frame seen", "thermal     nominal, cpu-thermal cannot be read",
      "            \"firmware\" gave no throttle flags",
      "spool       3 waiting (2.3 MB), 812 delivered, 0 parked, 0 quarantined, as known last: the "
        + "spool does not answer",
      "targets     archive: idle, deliveryParked, 0 delivered, webdav http://h/",
      "presses     8 stored, 0 refused, 0 in flight, last number 8",
      "            A reflection covers a part of the page. Turn the lamp or the page until the "
        + "reflection is gone, and take it again.",
      "buttons     button shutter: buttonUnreadable",
      "            button pedal: in order, 1 edge lost, 1 pulse too short for a press",
    ] {
      #expect(lines.contains(line), "\(line)")
    }
  }

  @Test func `the longest plausible status fits eighty by twenty four`() {
    let reasons: [Word<InterruptionReason>] = [
      "thermalPressure", "cameraNotAuthorized", "storageStalled", "stoppedByTechnician",
      "buttonHeldAtStart", "undervoltage",
    ]
    let session = SessionReport(
      state: "waitingForCamera",
      camera: CameraReport(
        id: "/base/axi/pcie@1000120000/rp1/i2c@88000/imx708@1a", model: "imx708_wide_noir"),
      size: SizeReport(width: 4608, height: 2592), pixelFormat: "yuv420", frameRate: 14.35,
      adjustments: (0..<4).map { "The control number \($0) is not what the configuration wants." },
      framesSeen: .max, lastFrameAgeMilliseconds: 1e9, preset: "document",
      cameraProcess: CameraProcessReport(
        processID: 4_194_304, starts: 1000,
        lastEnd: CameraProcessReport.End(
          cause: "hung", detail: "the camera process 4194303 was killed: \"stop\" took 15 s",
          processID: 4_194_303, timeNanoseconds: 1, ageMilliseconds: 1)),
      lamp: LampReport(isLit: false, fault: "\"rig:white:lamp\" cannot be set: no such device"))
    let targets = (0..<8).map { number in
      TargetReport(
        name: "archive-number-\(number)", kind: "processing",
        url: "https://archive-\(number).scanning.example.org/very/long/path/to/pages/",
        state: "waitingToRetry", detail: "could not resolve the host's name",
        nextAttemptSeconds: 299, holds: ["window", "thermalCritical"],
        running: [
          TargetReport.Running(
            itemID: "000001-0000000002-8e138539d3cb512f", bytesSent: 1, bytes: 2, fraction: 0.5,
            text: "reading the page")
        ], delivered: 1_000_000, parked: 100_000)
    }
    let status = RigStatus(
      rig: "rig-in-the-reading-room-of-the-library-7", version: "1.10.100-rc.1", board: "simulated",
      readiness: ReadinessReport(
        state: "notReadyWaitingForProcessing", reasons: reasons, warnings: reasons),
      session: session,
      rotation: RotationReport(
        captureAngle: 270, previewAngle: 270, exifOrientation: 8, accelerometer: "failing",
        acceleration: [-39.24, -39.24, -39.24]),
      thermal: ThermalReport(
        state: "critical",
        temperatures: (0..<6).map { TemperatureReport(zone: "thermal-zone-\($0)", celsius: 104.5) }),
      spool: SpoolReport(
        waiting: 100_000, delivered: 1_000_000, quarantined: 1000, bytesWaiting: .max),
      targets: targets,
      presses: PressSummary(last: .max, stored: .max, refused: .max, inFlight: 1000),
      lights: ["ready", "fault", "upload", "power"].map {
        LightReport(
          role: Word(rawValue: $0), name: "rig:x:\($0)", state: "stoppedByTechnician",
          shown: "6-1 flashes",
          isFailing: true)
      },
      buttons: (0..<6).map {
        ButtonReport(name: "pedal-\($0)", faults: ["buttonChattering"], lostEdges: 1000)
      }, uptimeSeconds: 1e9)
    let lines = status.rendered()
    #expect(lines.count == 23)
    for line in lines { #expect(PlainText.columns(line) <= 80) }
    // Every part is still there, and each cut is marked.
    for part in [
      "rig", "readiness", "camera", "process", "lamp", "rotation", "thermal", "presses", "spool",
      "targets", "buttons", "lights",
    ] {
      #expect(lines.contains { $0.hasPrefix(part + " ") }, "\(part) is missing")
    }
    #expect(lines.contains { $0.hasSuffix("…") })
    #expect(lines.contains { $0.contains("preset document") })
    #expect(lines.contains { $0.contains("dark, but it fails") })
    #expect(lines.contains { $0.contains("4194304, started 1000 times") })
  }
}
