/// A change on a rig.
package struct RigEvent: NumberedEvent {
  /// The event's number in this run of the service: 1 for the first; a gap marks lost events.
  package let id: UInt64
  /// The time of the change, in nanoseconds of `CLOCK_MONOTONIC`.
  package let timeNanoseconds: Int64
  /// The changed part with its new state.
  package let payload: Payload

  /// The changed part of a rig with its new state.
  package enum Payload: Sendable, Hashable {
    /// The readiness for a press changed.
    case readiness(ReadinessReport)
    /// A press began or ended, or the target acknowledged its picture.
    case press(PressReport)
    /// A capture advanced by a step.
    case progress(CaptureProgressReport)
    /// The session was interrupted, or an interruption ended.
    case interruption(InterruptionReport)
    /// The thermal state changed.
    case thermal(ThermalReport)
    /// The session or its camera changed.
    case session(SessionReport)
    /// The settings of the session changed.
    case configuration(SessionSettingsReport)
    /// A picture moved on its way to the target.
    case delivery(DeliveryReport)
    /// A fault of a button began or ended, or edges were lost; the reports are of all buttons.
    case buttons([ButtonReport])
    /// The rig was turned, or the accelerometer's health changed.
    case rotation(RotationReport)
    /// The activity of a target changed; the reports are of all targets.
    ///
    /// A target has something to do or nothing any more, or it waits for a retry. Heat or a
    /// technician may hold a target or release it.
    case targets([TargetReport])
    /// A picture without a press is counted down, or the countdown ended.
    case handsFree(HandsFreeReport)
    /// The recording changed its state or lost frames, or one got its outcome, which is in `last`.
    case movie(MovieReport)
  }

  /// Makes an event.
  ///
  /// - Parameters:
  ///   - id: the number of the event before plus one and the number of lost events; 1 for the first
  ///     of a run.
  ///   - timeNanoseconds: the time of the change, in nanoseconds of `CLOCK_MONOTONIC`.
  ///   - payload: the changed part with its new state.
  package init(id: UInt64, timeNanoseconds: Int64, payload: Payload) {
    self.id = id
    self.timeNanoseconds = timeNanoseconds
    self.payload = payload
  }

  /// The kind of event as the API spells it; also the key of the payload.
  package enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
    /// See ``RigEvent/Payload/readiness(_:)``.
    case readiness
    /// See ``RigEvent/Payload/press(_:)``.
    case press
    /// See ``RigEvent/Payload/progress(_:)``.
    case progress
    /// See ``RigEvent/Payload/interruption(_:)``.
    case interruption
    /// See ``RigEvent/Payload/thermal(_:)``.
    case thermal
    /// See ``RigEvent/Payload/session(_:)``.
    case session
    /// See ``RigEvent/Payload/configuration(_:)``.
    case configuration
    /// See ``RigEvent/Payload/delivery(_:)``.
    case delivery
    /// See ``RigEvent/Payload/buttons(_:)``.
    case buttons
    /// See ``RigEvent/Payload/rotation(_:)``.
    case rotation
    /// See ``RigEvent/Payload/targets(_:)``.
    case targets
    /// See ``RigEvent/Payload/handsFree(_:)``.
    case handsFree
    /// See ``RigEvent/Payload/movie(_:)``.
    case movie
  }

  /// The kind of event, as the stream names it.
  package var name: String { kind.rawValue }

  /// The kind of event.
  package var kind: Kind {
    switch payload {
    case .readiness: .readiness
    case .press: .press
    case .progress: .progress
    case .interruption: .interruption
    case .thermal: .thermal
    case .session: .session
    case .configuration: .configuration
    case .delivery: .delivery
    case .buttons: .buttons
    case .rotation: .rotation
    case .targets: .targets
    case .handsFree: .handsFree
    case .movie: .movie
    }
  }
}

extension RigEvent: Codable {
  private enum Key: String, CodingKey {
    case id, kind, timeNanoseconds
    case readiness, press, progress, interruption, thermal, session, configuration, delivery
    case buttons, rotation, targets, handsFree, movie
  }

  /// Reads an event: `id`, `kind`, `timeNanoseconds`, and the payload under the kind's name.
  ///
  /// - Throws: `DecodingError`.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    id = try container.decode(UInt64.self, forKey: .id)
    timeNanoseconds = try container.decode(Int64.self, forKey: .timeNanoseconds)
    payload =
      switch try container.decode(Kind.self, forKey: .kind) {
      case .readiness: .readiness(try container.decode(ReadinessReport.self, forKey: .readiness))
      case .press: .press(try container.decode(PressReport.self, forKey: .press))
      case .progress: .progress(try container.decode(CaptureProgressReport.self, forKey: .progress))
      case .interruption:
        .interruption(try container.decode(InterruptionReport.self, forKey: .interruption))
      case .thermal: .thermal(try container.decode(ThermalReport.self, forKey: .thermal))
      case .session: .session(try container.decode(SessionReport.self, forKey: .session))
      case .configuration:
        .configuration(try container.decode(SessionSettingsReport.self, forKey: .configuration))
      case .delivery: .delivery(try container.decode(DeliveryReport.self, forKey: .delivery))
      case .buttons: .buttons(try container.decode([ButtonReport].self, forKey: .buttons))
      case .rotation: .rotation(try container.decode(RotationReport.self, forKey: .rotation))
      case .targets: .targets(try container.decode([TargetReport].self, forKey: .targets))
      case .handsFree: .handsFree(try container.decode(HandsFreeReport.self, forKey: .handsFree))
      case .movie: .movie(try container.decode(MovieReport.self, forKey: .movie))
      }
  }

  /// Writes the event in the form that ``init(from:)`` reads.
  ///
  /// - Throws: `EncodingError`.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(id, forKey: .id)
    try container.encode(kind, forKey: .kind)
    try container.encode(timeNanoseconds, forKey: .timeNanoseconds)
    switch payload {
    case .readiness(let report): try container.encode(report, forKey: .readiness)
    case .press(let report): try container.encode(report, forKey: .press)
    case .progress(let report): try container.encode(report, forKey: .progress)
    case .interruption(let report): try container.encode(report, forKey: .interruption)
    case .thermal(let report): try container.encode(report, forKey: .thermal)
    case .session(let report): try container.encode(report, forKey: .session)
    case .configuration(let report): try container.encode(report, forKey: .configuration)
    case .delivery(let report): try container.encode(report, forKey: .delivery)
    case .buttons(let reports): try container.encode(reports, forKey: .buttons)
    case .rotation(let report): try container.encode(report, forKey: .rotation)
    case .targets(let reports): try container.encode(reports, forKey: .targets)
    case .handsFree(let report): try container.encode(report, forKey: .handsFree)
    case .movie(let report): try container.encode(report, forKey: .movie)
    }
  }
}
