import Console
import Devices
import Testing

@testable import API

@Suite struct RigMetricsTests {
  private func metrics(_ status: RigStatus, _ counters: RigMetrics.Counters = .init()) throws
    -> PrometheusText
  {
    try PrometheusText(RigMetrics(status: status, counters: counters).text)
  }

  @Test func `the figures come from the rig's status`() throws {
    let counters = RigMetrics.Counters(
      answersByClass: [2: 7, 4: 1, 9: 5], listeners: 3, maximumListeners: 32, droppedEvents: 4)
    let metrics = try metrics(Samples.status, counters)
    let expected: [(String, [String: String], Double)] = [
      ("platen_info", ["rig": "rig-7", "version": "1.0", "board": "simulated"], 1),
      ("platen_uptime_seconds", [:], 11_520.5),
      ("platen_readiness", ["state": "notReadyMomentarily"], 1),
      ("platen_readiness", ["state": "ready"], 0),
      ("platen_readiness_reason", ["reason": "thermalPressure", "severity": "refusal"], 1),
      ("platen_presses_total", ["outcome": "stored"], 815),
      ("platen_presses_total", ["outcome": "refused"], 2),
      ("platen_presses_in_flight", [:], 0),
      ("platen_camera_frames_total", [:], 123_456),
      ("platen_camera_frame_age_seconds", [:], 0.0315),
      ("platen_thermal_state", ["state": "critical"], 1),
      ("platen_thermal_state", ["state": "nominal"], 0),
      ("platen_temperature_celsius", ["zone": "cpu-thermal"], 84.5),
      ("platen_spool_items", ["state": "waiting"], 3),
      ("platen_spool_items", ["state": "delivered"], 812),
      ("platen_spool_waiting_bytes", [:], 2_345_678),
      (
        "platen_target_state",
        ["target": "archive", "kind": "webdav", "state": "waitingToRetry"], 1
      ),
      ("platen_target_state", ["target": "archive", "kind": "webdav", "state": "idle"], 0),
      ("platen_target_next_attempt_seconds", ["target": "archive"], 30),
      ("platen_target_delivered_total", ["target": "archive"], 7),
      ("platen_button_lost_edges_total", ["button": "retake"], 17),
      ("platen_button_faulty", ["button": "pedal"], 1),
      ("platen_light_failing", ["role": "fault"], 1),
      ("platen_api_requests_total", ["class": "2xx"], 7),
      ("platen_api_requests_total", ["class": "5xx"], 0),
      ("platen_api_listeners", [:], 3), ("platen_api_listeners_limit", [:], 32),
      ("platen_api_dropped_events_total", [:], 4),
    ]
    for (name, labels, value) in expected {
      #expect(metrics.value(name, labels) == value, "\(name) \(labels)")
    }
  }

  @Test func `a rig with recordings tells their state`() throws {
    let without = try metrics(Samples.status)
    #expect(without.value("platen_movie_state", ["state": "idle"]) == nil)
    #expect(without.value("platen_movie_dropped_frames", [:]) == nil)
    let status = RigStatus(
      rig: "rig-7", version: "1.0", board: "simulated",
      readiness: ReadinessReport(state: "ready"), session: Samples.session,
      rotation: Samples.status.rotation, thermal: Samples.status.thermal,
      spool: Samples.status.spool, targets: [], presses: Samples.status.presses,
      movie: MovieSamples.recording, uptimeSeconds: 1)
    let told = try metrics(status)
    #expect(told.value("platen_movie_state", ["state": "interrupted"]) == 1)
    #expect(told.value("platen_movie_state", ["state": "idle"]) == 0)
    #expect(told.value("platen_movie_elapsed_seconds", [:]) == 12.5)
    #expect(told.value("platen_movie_dropped_frames", [:]) == 2)
    #expect(told.value("platen_movie_sound_level_decibels", [:]) == -18.5)
  }

  @Test func `each warning about pages is counted, also at zero`() throws {
    let presses = PressSummary(
      last: 9, stored: 5, refused: 0, inFlight: 0, warned: [.pageCrooked: 3, .glare: 1])
    let metrics = try metrics(status(readiness: ReadinessReport(state: "ready"), presses: presses))
    let counts = PageWarning.allCases.map {
      metrics.value("platen_page_warnings_total", ["warning": $0.rawValue])
    }
    #expect(counts == [0, 0, 0, 1, 0, 0, 3, 0, 0])
  }

  @Test func `exactly one state holds at a time, even a new one`() throws {
    for state in ["ready", "notReadyMomentarily", "somethingNew"] {
      let metrics = try metrics(status(readiness: ReadinessReport(state: Word(rawValue: state))))
      let states = metrics.samples.filter { $0.name == "platen_readiness" }
      #expect(states.filter { $0.value == 1 }.map(\.labels) == [["state": state]])
      #expect(states.count >= 5)
    }
  }

  @Test func `an unknown value has no figure`() throws {
    let metrics = try metrics(status(readiness: ReadinessReport(state: "ready")))
    for name in [
      "platen_temperature_celsius", "platen_camera_frame_age_seconds", "platen_target_state",
      "platen_readiness_reason", "platen_firmware_throttled", "platen_light_failing",
    ] {
      #expect(metrics.types[name] == nil, "\(name)")
    }
  }

  @Test func `temperatures and firmware flags are reported in full`() throws {
    let thermal = ThermalReport(
      state: "fair",
      temperatures: [
        TemperatureReport(
          zone: "cpu", celsius: 61.25,
          limits: ThermalLimitsReport(fair: 60, serious: 70, critical: 80, shutdown: 90)),
        TemperatureReport(zone: "broken", celsius: .nan),
      ], firmware: ThrottleReport(now: ["throttled"], sinceBoot: ["throttled", "undervoltage"]))
    let metrics = try metrics(
      status(readiness: ReadinessReport(state: "ready", warnings: ["undervoltage"]), thermal))
    #expect(metrics.value("platen_temperature_celsius", ["zone": "cpu"]) == 61.25)
    #expect(metrics.value("platen_temperature_celsius", ["zone": "broken"]) == nil)
    #expect(
      metrics.value("platen_temperature_limit_celsius", ["zone": "cpu", "state": "shutdown"]) == 90)
    #expect(metrics.value("platen_firmware_throttled", ["flag": "throttled"]) == 1)
    #expect(metrics.value("platen_firmware_throttled", ["flag": "undervoltage"]) == 0)
    #expect(
      metrics.value(
        "platen_readiness_reason", ["reason": "undervoltage", "severity": "warning"]) == 1)
  }

  /// Names come from the configuration and the kernel, and must not break the text.
  @Test(arguments: [
    "a\"b", "a\\", "\\n", "a\nplaten_forged 1\n", "}", "{", ",", "=", "ü🌡", "", "#", "\t", "\\\"",
  ])
  func `no name breaks the text`(_ name: String) throws {
    let thermal = ThermalReport(
      state: "nominal", temperatures: [TemperatureReport(zone: name, celsius: 1)])
    let metrics = try metrics(
      status(readiness: ReadinessReport(state: Word(rawValue: name)), thermal))
    #expect(metrics.value("platen_temperature_celsius", ["zone": name]) == 1)
    #expect(metrics.types["platen_forged"] == nil)
  }

  @Test func `names follow the conventions, and each label has a value`() {
    let rig = RigMetrics(status: Samples.status, counters: RigMetrics.Counters())
    for metric in RigMetric.all {
      #expect(metric.name.hasPrefix("platen_"))
      #expect(!metric.name.contains("milliseconds"))
      let samples = metric.samples(rig)
      #expect(samples.allSatisfy { $0.0.count == metric.labels.count }, "\(metric.name)")
    }
    #expect(Set(RigMetric.all.map(\.name)).count == RigMetric.all.count, "no name is there twice")
  }

  /// The reader of this test refuses any other format.
  @Test(arguments: [
    "a 1\n", "# HELP a b\n# TYPE a gauge\na 1", "# HELP a b\n# TYPE a gauge\na{x=1} 1\n",
    "# HELP a b\n# TYPE a gauge\na{x=\"1} 1\n", "# HELP a b\n# TYPE a gauge\na  1\n",
    "# HELP a b\n# TYPE a gauge\na one\n", "# HELP a b\n# TYPE a gauge\na 1\na 1\n",
    "# HELP a b\n# TYPE a gauge\na{x=\"\\t\"} 1\n", "# HELP a b\n# TYPE a meter\na 1\n",
    "# HELP a b\n# TYPE a gauge\n1a 1\n", "# HELP a b\n# TYPE a gauge\n\n",
    "# HELP a b\n# TYPE a gauge\na{x=\"1\",x=\"2\"} 1\n",
  ])
  func `the reader is strict`(_ text: String) {
    #expect(throws: PrometheusText.Fault.self) { try PrometheusText(text) }
  }

  private func status(
    readiness: ReadinessReport, _ thermal: ThermalReport = ThermalReport(state: "nominal"),
    presses: PressSummary = PressSummary(last: nil, stored: 0, refused: 0, inFlight: 0)
  ) -> RigStatus {
    RigStatus(
      rig: "r", version: "1", board: "linux", readiness: readiness,
      session: SessionReport(state: "stopped"),
      rotation: RotationReport(
        captureAngle: 0, previewAngle: 0, exifOrientation: 1, accelerometer: "none"),
      thermal: thermal,
      spool: SpoolReport(waiting: 0, delivered: 0, quarantined: 0, bytesWaiting: 0), targets: [],
      presses: presses, uptimeSeconds: 1)
  }
}

extension ServerTests {
  @Suite struct MetricsRouteTests {
    @Test func `the server counts its answers`() async throws {
      let answer = try await withServer(FakeRig(), edit: { $0.maximumListeners = 5 }) { server in
        for path in ["/v1/status", "/healthz", "/v1/nothing", "/v1/presses/7", "/v1/events?x=1"] {
          _ = try await CurlAnswer.get(path, on: server)
        }
        let listener = server.client.events()
        for try await _ in listener { break }
        return try await CurlAnswer.get("/metrics", on: server)
      }
      #expect(answer.status == 200)
      #expect(answer.contentType == "text/plain; version=0.0.4; charset=utf-8")
      let metrics = try PrometheusText(answer.body)
      #expect(metrics.value("platen_api_requests_total", ["class": "2xx"]) == 3)
      #expect(metrics.value("platen_api_requests_total", ["class": "4xx"]) == 3)
      #expect(metrics.value("platen_api_listeners_limit") == 10, "5 each")
      #expect(metrics.value("platen_presses_total", ["outcome": "stored"]) == 815)
    }
  }
}
