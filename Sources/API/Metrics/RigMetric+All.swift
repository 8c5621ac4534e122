import Devices

extension RigMetric {
  /// All figures, in the order of the text.
  static let all: [RigMetric] = [service, capture, heat, spool, targets, devices].flatMap { $0 }

  private static let service: [RigMetric] = [
    RigMetric("platen_info", "The rig and its service; always 1.", ["rig", "version", "board"]) {
      [([$0.status.rig, $0.status.version, $0.status.board], 1)]
    },
    RigMetric("platen_uptime_seconds", "How long the service has run.") { $0.status.uptimeSeconds },
    RigMetric(
      "platen_api_requests_total", "Answers of the API by the class of their status.", ["class"]
    ) { rig in
      (2...5).map { (["\($0)xx"], Double(rig.counters.answersByClass[$0] ?? 0)) }
    },
    RigMetric("platen_api_listeners", "How many receive events or the log now.") {
      Double($0.counters.listeners)
    },
    RigMetric(
      "platen_api_listeners_limit", "How many may receive events or the log at a time."
    ) { Double($0.counters.maximumListeners) },
    RigMetric(
      "platen_api_dropped_events_total",
      "Events that listeners did not get because they were slow."
    ) { Double($0.counters.droppedEvents) },
  ]

  private static let capture: [RigMetric] = [
    RigMetric(
      "platen_readiness", "Whether a press would be taken: 1 for the state that holds.",
      states: CaptureReadiness.self
    ) { $0.status.readiness.state },
    RigMetric(
      "platen_readiness_reason", "What is wrong now: 1 for each reason code.",
      ["reason", "severity"]
    ) { rig in
      let readiness = rig.status.readiness
      let reasons = readiness.reasons.map { ($0.rawValue, "refusal") }
      let warnings = (readiness.warnings ?? []).map { ($0.rawValue, "warning") }
      return (reasons + warnings).map { ([$0.0, $0.1], 1) }
    },
    RigMetric(
      "platen_presses_total", "Presses that ended since the service started.", ["outcome"]
    ) { rig in
      let presses = rig.status.presses
      return [(["stored"], Double(presses.stored)), (["refused"], Double(presses.refused))]
    },
    RigMetric(
      "platen_page_warnings_total",
      "Pictures with a warning about the page since the service started.", ["warning"]
    ) { rig in
      PageWarning.allCases.map {
        ([$0.rawValue], Double(rig.status.presses.warned?[Word($0)] ?? 0))
      }
    },
    RigMetric("platen_presses_in_flight", "Presses that have no outcome yet.") {
      Double($0.status.presses.inFlight)
    },
    RigMetric(
      "platen_movie_state", "The recording of a rig with recordings: 1 for the state that holds.",
      ["state"]
    ) { rig in
      guard let movie = rig.status.movie else { return [] }
      return MovieReport.State.allCases.map {
        ([$0.rawValue], movie.state.value == $0 ? 1 : 0)
      }
    },
    RigMetric("platen_movie_elapsed_seconds", "The recorded time of the recording that goes on.") {
      $0.status.movie?.elapsedSeconds
    },
    RigMetric(
      "platen_movie_dropped_frames", "Frames that the recording that goes on does not have."
    ) { ($0.status.movie?.droppedFrames).map { Double($0) } },
    RigMetric(
      "platen_movie_sound_level_decibels",
      "The level of the recording's sound in decibels below full scale."
    ) { $0.status.movie?.soundLevelDecibels },
    RigMetric(
      "platen_recorder_failures_total",
      "Recorders that failed or were killed since the service started."
    ) { ($0.status.movie?.recorderFailures).map { Double($0) } },
    RigMetric(
      "platen_camera_frames_total", "Frames that have come since the service started."
    ) { Double($0.status.session.framesSeen) },
    RigMetric("platen_camera_frame_age_seconds", "The time since the camera's last frame.") {
      $0.status.session.lastFrameAgeMilliseconds.map { $0 / 1000 }
    },
    RigMetric(
      "platen_camera_process_starts_total", "How often the process of the cameras was started."
    ) { $0.status.session.cameraProcess.map { Double($0.starts) } },
  ]

  private static let heat: [RigMetric] = [
    RigMetric(
      "platen_thermal_state", "How hot the rig is: 1 for the state that holds.",
      states: ThermalState.self
    ) { $0.status.thermal.state },
    RigMetric("platen_temperature_celsius", "The temperature of a zone.", ["zone"]) { rig in
      rig.status.thermal.temperatures.compactMap { report in
        report.celsius.map { ([report.zone], $0) }
      }
    },
    RigMetric(
      "platen_temperature_limit_celsius", "Where a zone's thermal state begins.", ["zone", "state"]
    ) { rig in
      rig.status.thermal.temperatures.flatMap { report -> [Sample] in
        guard let limits = report.limits else { return [] }
        let all: [(String, Double?)] = [
          ("fair", limits.fair), ("serious", limits.serious), ("critical", limits.critical),
          ("shutdown", limits.shutdown),
        ]
        return all.compactMap { state, celsius in
          celsius.map { ([report.zone, state], $0) }
        }
      }
    },
    RigMetric(
      "platen_firmware_throttled",
      "What the firmware says of supply and throttling: 1 while it is so.", ["flag"]
    ) { rig in
      guard let firmware = rig.status.thermal.firmware else { return [] }
      return ThrottleFlag.allCases.map { flag in
        ([flag.rawValue], firmware.now.contains(Word(flag)) ? 1 : 0)
      }
    },
  ]

  private static let spool: [RigMetric] = [
    RigMetric("platen_spool_items", "Pictures that the spool knows, by their state.", ["state"]) {
      rig in
      let spool = rig.status.spool
      return [
        (["waiting"], Double(spool.waiting)), (["parked"], Double(spool.parked)),
        (["quarantined"], Double(spool.quarantined)), (["delivered"], Double(spool.delivered)),
      ]
    },
    RigMetric("platen_spool_waiting_bytes", "The length of the pictures that wait.") {
      Double($0.status.spool.bytesWaiting)
    },
    RigMetric("platen_deferred_waiting", "Pictures whose final version is still to be made.") {
      Double($0.status.spool.proxies)
    },
    RigMetric("platen_deferred_kept_total", "Single frames that were kept as final pictures.") {
      Double($0.status.spool.keptProxies)
    },
  ]

  private static let targets: [RigMetric] = [
    RigMetric(
      "platen_target_state", "What a target does: 1 for the state that holds.",
      ["target", "kind", "state"]
    ) { rig in
      rig.status.targets.flatMap { target -> [Sample] in
        TargetReport.State.allCases.map { state in
          ([target.name, target.kind, state.rawValue], target.state.value == state ? 1 : 0)
        }
      }
    },
    RigMetric(
      "platen_target_next_attempt_seconds", "The time to a target's next attempt.", ["target"]
    ) { rig in
      rig.status.targets.compactMap { target in
        target.nextAttemptSeconds.map { ([target.name], $0) }
      }
    },
    RigMetric(target: "delivered", "Pictures that a target acknowledged.") { $0.delivered },
    RigMetric(target: "duplicates", "Pictures that a target had already.") { $0.duplicates },
    RigMetric(target: "failures", "Attempts at a target that failed.") { $0.failures },
    RigMetric(target: "parked", "Pictures that were set aside for a target.") { $0.parked },
  ]

  private static let devices: [RigMetric] = [
    RigMetric(
      "platen_button_lost_edges_total", "Edges of a button that nobody got to see.", ["button"]
    ) { $0.status.buttons.map { ([$0.name], Double($0.lostEdges)) } },
    RigMetric("platen_button_faulty", "Whether something is wrong with a button.", ["button"]) {
      $0.status.buttons.map { ([$0.name], $0.faults.isEmpty ? 0 : 1) }
    },
    RigMetric("platen_light_failing", "Whether a light cannot be set.", ["role"]) {
      $0.status.lights.map { ([$0.role.rawValue], $0.isFailing ? 1 : 0) }
    },
  ]
}
