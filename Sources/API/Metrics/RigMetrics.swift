/// A rig's figures for Prometheus.
///
/// Names begin with `platen_` and end with the unit, if any, a base unit each: seconds, bytes,
/// degrees Celsius. An unknown value has no figure. Labels hold only names from the configuration
/// or the code, so that their number is bounded.
struct RigMetrics {
  /// The server's own counts.
  struct Counters: Sendable {
    var answersByClass: [Int: Int] = [:]
    var listeners = 0
    var maximumListeners = 0
    var droppedEvents: UInt64 = 0
  }

  private static let readinessStates = [
    "ready", "notReadyMomentarily", "notReadyWaitingForCapture", "notReadyWaitingForProcessing",
    "sessionNotRunning",
  ]
  private static let thermalStates = ["nominal", "fair", "serious", "critical"]
  private static let targetStates = ["stopped", "idle", "delivering", "waitingToRetry", "held"]
  private static let firmwareFlags = [
    "undervoltage", "frequencyCapped", "throttled", "softTemperatureLimit",
  ]

  let status: RigStatus
  let counters: Counters

  /// The figures in the text format 0.0.4.
  var text: String {
    var metrics = MetricsText()
    addService(to: &metrics)
    addCapture(to: &metrics)
    addHeat(to: &metrics)
    addSpool(to: &metrics)
    addTargets(to: &metrics)
    addDevices(to: &metrics)
    return metrics.text
  }

  private func addService(to metrics: inout MetricsText) {
    metrics.add(
      "platen_info", .gauge, "The rig and its service; always 1.",
      [
        .init(
          [("rig", status.rig), ("version", status.version), ("board", status.board)], 1.0)
      ])
    metrics.add(
      "platen_uptime_seconds", .gauge, "How long the service has run.", status.uptimeSeconds)
    metrics.add(
      "platen_api_requests_total", .counter, "Answers of the API by the class of their status.",
      (2...5).map { .init([("class", "\($0)xx")], counters.answersByClass[$0] ?? 0) })
    metrics.add(
      "platen_api_listeners", .gauge, "How many receive events or the log now.",
      Double(counters.listeners))
    metrics.add(
      "platen_api_listeners_limit", .gauge, "How many may receive events or the log at a time.",
      Double(counters.maximumListeners))
    metrics.add(
      "platen_api_dropped_events_total", .counter,
      "Events that listeners did not get because they were slow.", Double(counters.droppedEvents))
  }

  private func addCapture(to metrics: inout MetricsText) {
    metrics.addStates(
      "platen_readiness", "Whether a press would be taken: 1 for the state that holds.",
      Self.readinessStates, of: status.readiness.state)
    let reasons = status.readiness.reasons.map { ($0, "refusal") }
    let warnings = (status.readiness.warnings ?? []).map { ($0, "warning") }
    metrics.add(
      "platen_readiness_reason", .gauge, "What is wrong now: 1 for each reason code.",
      (reasons + warnings).map { .init([("reason", $0.0), ("severity", $0.1)], 1.0) })
    metrics.add(
      "platen_presses_total", .counter, "Presses that ended since the service started.",
      [
        .init([("outcome", "stored")], status.presses.stored),
        .init([("outcome", "refused")], status.presses.refused),
      ])
    metrics.add(
      "platen_presses_in_flight", .gauge, "Presses that have no outcome yet.",
      Double(status.presses.inFlight))
    metrics.add(
      "platen_camera_frames_total", .counter, "Frames that have come since the service started.",
      Double(status.session.framesSeen))
    metrics.add(
      "platen_camera_frame_age_seconds", .gauge, "The time since the camera's last frame.",
      status.session.lastFrameAgeMilliseconds.map { $0 / 1000 })
    metrics.add(
      "platen_camera_process_starts_total", .counter,
      "How often the process of the cameras was started.",
      status.session.cameraProcess.map { Double($0.starts) })
  }

  private func addHeat(to metrics: inout MetricsText) {
    let thermal = status.thermal
    metrics.addStates(
      "platen_thermal_state", "How hot the rig is: 1 for the state that holds.",
      Self.thermalStates, of: thermal.state)
    metrics.add(
      "platen_temperature_celsius", .gauge, "The temperature of a zone.",
      thermal.temperatures.compactMap { report in
        report.celsius.map { .init([("zone", report.zone)], $0) }
      })
    metrics.add(
      "platen_temperature_limit_celsius", .gauge, "Where a zone's thermal state begins.",
      thermal.temperatures.flatMap { report -> [MetricsText.Sample] in
        guard let limits = report.limits else { return [] }
        let all = [
          ("fair", limits.fair), ("serious", limits.serious), ("critical", limits.critical),
        ]
        return (all + (limits.shutdown.map { [("shutdown", $0)] } ?? [])).map {
          .init([("zone", report.zone), ("state", $0.0)], $0.1)
        }
      })
    metrics.add(
      "platen_firmware_throttled", .gauge,
      "What the firmware says of supply and throttling: 1 while it is so.",
      thermal.firmware.map { firmware in
        Self.firmwareFlags.map { .init([("flag", $0)], firmware.now.contains($0) ? 1.0 : 0) }
      } ?? [])
  }

  private func addSpool(to metrics: inout MetricsText) {
    let spool = status.spool
    metrics.add(
      "platen_spool_items", .gauge, "Pictures that the spool knows, by their state.",
      [
        .init([("state", "waiting")], spool.waiting), .init([("state", "parked")], spool.parked),
        .init([("state", "quarantined")], spool.quarantined),
        .init([("state", "delivered")], spool.delivered),
      ])
    metrics.add(
      "platen_spool_waiting_bytes", .gauge, "The length of the pictures that wait.",
      Double(spool.bytesWaiting))
  }

  private func addTargets(to metrics: inout MetricsText) {
    let targets = status.targets
    metrics.add(
      "platen_target_state", .gauge, "What a target does: 1 for the state that holds.",
      targets.flatMap { target in
        Self.targetStates.map { state in
          .init(
            [("target", target.name), ("kind", target.kind), ("state", state)],
            target.state == state ? 1.0 : 0)
        }
      })
    metrics.add(
      "platen_target_next_attempt_seconds", .gauge, "The time to a target's next attempt.",
      targets.compactMap { target in
        target.nextAttemptSeconds.map { .init([("target", target.name)], $0) }
      })
    let counts: [(String, String, KeyPath<TargetReport, Int>)] = [
      ("delivered", "Pictures that a target acknowledged.", \.delivered),
      ("duplicates", "Pictures that a target had already.", \.duplicates),
      ("failures", "Attempts at a target that failed.", \.failures),
      ("parked", "Pictures that were set aside for a target.", \.parked),
    ]
    for (name, help, count) in counts {
      metrics.add(
        "platen_target_\(name)_total", .counter, help,
        targets.map { .init([("target", $0.name)], $0[keyPath: count]) })
    }
  }

  private func addDevices(to metrics: inout MetricsText) {
    metrics.add(
      "platen_button_lost_edges_total", .counter, "Edges of a button that nobody got to see.",
      status.buttons.map { .init([("button", $0.name)], $0.lostEdges) })
    metrics.add(
      "platen_button_faulty", .gauge, "Whether something is wrong with a button.",
      status.buttons.map { .init([("button", $0.name)], $0.faults.isEmpty ? 0.0 : 1) })
    metrics.add(
      "platen_light_failing", .gauge, "Whether a light cannot be set.",
      status.lights.map { .init([("role", $0.role)], $0.isFailing ? 1.0 : 0) })
  }
}
