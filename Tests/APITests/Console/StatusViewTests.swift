import API
import Console
import Testing

@Suite struct StatusViewTests {
  @Test func aRigOnAnEightyColumnTerminal() {
    #expect(
      StatusView().lines(Samples.status) == [
        "rig         rig-7, simulated board, platend 1.0",
        "up          3 h 12 min",
        "readiness   sessionNotRunning: thermalPressure",
        "camera      imx708, /base/soc/i2c0mux/i2c@1/imx708@1a",
        "            running, 4608x2592, yuv420, 14.3 frames/s",
        "            123456 frames seen, the last 32 ms ago",
        "            The frame rate is 14.35 a second, not 30, because the size allows no",
        "            more.",
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

  @Test func longAndHostileNamesNeitherOverflowNorControlTheTerminal() {
    let nasty = "\u{1B}[2J\u{9B}31m\u{7}\r\n\u{202E}\u{2028}" + String(repeating: "長い", count: 60)
    let status = RigStatus(
      rig: nasty, version: nasty, board: nasty,
      readiness: ReadinessReport(state: nasty, reasons: [nasty]),
      session: SessionReport(
        state: nasty, camera: CameraReport(id: nasty, model: nasty), pixelFormat: nasty,
        adjustments: [nasty]),
      rotation: RotationReport(
        captureAngle: 0, previewAngle: 0, exifOrientation: 1, accelerometer: nasty),
      thermal: ThermalReport(
        state: nasty, temperatures: [TemperatureReport(zone: nasty, celsius: nil)]),
      spool: SpoolReport(waiting: 0, delivered: 0, quarantined: 0, bytesWaiting: 0),
      targets: [
        TargetReport(
          name: nasty, kind: nasty, url: nasty, state: nasty, detail: nasty, holds: [nasty],
          running: [
            TargetReport.Running(
              itemID: nasty, bytesSent: 1, bytes: 2, fraction: .nan, text: nasty)
          ])
      ],
      presses: PressSummary(last: nil, stored: 0, refused: 0, inFlight: 0),
      lights: [LightReport(role: nasty, name: nasty, state: nasty, shown: nasty)],
      buttons: [
        ButtonReport(name: nasty), ButtonReport(name: nasty, faults: [nasty], lostEdges: 1),
      ], uptimeSeconds: .nan)
    for width in [40, 80, 200] {
      for line in StatusView(width: width).lines(status) {
        #expect(PlainText.columns(line) <= width)
        #expect(line == PlainText.escaping(line))
      }
    }
  }
}
