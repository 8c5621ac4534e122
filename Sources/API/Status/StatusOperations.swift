extension Operations {
  /// The health of the service.
  package static let health = Endpoint<NoInput, HealthReport>(
    "health", .get, "/healthz", .read,
    "Tells that the service answers, and whether a press would be taken.")

  /// The status of the whole rig.
  package static let status = Endpoint<NoInput, RigStatus>(
    "status", .get, "/v1/status", .read, "Returns the status of the whole rig.")

  /// The heat of the last day.
  package static let history = Endpoint<NoInput, HistoryReport>(
    "history", .get, "/v1/history", .read,
    "Returns temperatures and throttling of the last day, a sample a minute.")

  /// A change of the simulated world.
  package static let simulate = Endpoint<SimulationCommand, SimulationReport>(
    "simulate", .post, "/v1/simulation", .act,
    "Changes the simulated world; a real board has none.", failures: [.notSimulated])

  /// The stream of events.
  package static let events = Operation(
    id: "events", method: .get, path: "/v1/events", permission: .read,
    summary: "Streams changes from now on, or since the event in `Last-Event-ID`.",
    failures: [.tooManyListeners],
    answer: .media(
      "text/event-stream",
      "Server-sent events. The `event` field is the kind, `id` is to be sent back as "
        + "`Last-Event-ID`, `data` is a JSON object with `id`, `kind`, `timeNanoseconds` and the "
        + "payload under the kind's name: `readiness` (ReadinessReport), `press` (PressReport), "
        + "`progress` (CaptureProgressReport), `interruption` (InterruptionReport), `thermal` "
        + "(ThermalReport), `session` (SessionReport), `configuration` (SessionSettingsReport), "
        + "`delivery` (DeliveryReport), `buttons` (ButtonReport), `rotation` (RotationReport), "
        + "`targets` (TargetReport). `missed` tells the number of lost events (`count` is absent "
        + "when the number is unknown)."))

  /// The metrics.
  package static let metrics = Operation(
    id: "metrics", method: .get, path: "/metrics", permission: .read,
    summary: "Returns metrics for Prometheus in its text format 0.0.4.",
    answer: .media("text/plain", "The metrics."))
}

extension SimulationCommand: JSONInput {}

/// The answer to `GET /healthz`.
package struct HealthReport: Sendable, Hashable, Codable {
  /// Always `ok`: the service answers.
  package let status: String
  /// The readiness to take a press.
  package let readiness: ReadinessReport
}

/// The answer to `POST /v1/simulation`.
package struct SimulationReport: Sendable, Hashable, Codable {
  /// The command as it was understood and done.
  package let done: SimulationCommand

  package init(done: SimulationCommand) { self.done = done }
}
