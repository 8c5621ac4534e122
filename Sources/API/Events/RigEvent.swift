/// Something that changed on a rig.
public struct RigEvent: NumberedEvent {
  /// The event's number in this run of the service: 1 for the first; a gap is what was lost.
  public let id: UInt64
  /// When it happened, in nanoseconds of `CLOCK_MONOTONIC`.
  public let timeNanoseconds: Int64
  /// What happened.
  public let payload: Payload

  /// What happened, with the new state of the part that changed.
  public enum Payload: Sendable, Hashable {
    /// Whether a press would be taken has changed.
    case readiness(ReadinessReport)
    /// A press began, ended, or its picture was acknowledged by the target.
    case press(PressReport)
    /// A capture went a step further.
    case progress(CaptureProgressReport)
    /// The session was interrupted, or an interruption ended.
    case interruption(InterruptionReport)
    /// The thermal state changed.
    case thermal(ThermalReport)
    /// The session or its camera changed.
    case session(SessionReport)
    /// What the session is set to was changed.
    case configuration(SessionSettingsReport)
    /// A picture moved on its way to the target.
    case delivery(DeliveryReport)
    /// A fault of a button began or ended, or edges of it were lost; all buttons.
    case buttons([ButtonReport])
    /// The rig was turned, or the accelerometer's health changed.
    case rotation(RotationReport)
    /// A target has something to do or nothing any more, waits for another attempt, or is held by heat
    /// or by a technician or not any more; all targets.
    case targets([TargetReport])
  }

  /// Makes an event.
  ///
  /// - Parameters:
  ///   - id: more than the event before by one and by how many were lost; 1 for the first of a run.
  ///   - timeNanoseconds: when it happened, in nanoseconds of `CLOCK_MONOTONIC`.
  ///   - payload: what happened.
  public init(id: UInt64, timeNanoseconds: Int64, payload: Payload) {
    self.id = id
    self.timeNanoseconds = timeNanoseconds
    self.payload = payload
  }

  /// The kind of event as the API spells it; also the key under which the payload lies.
  public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
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
  }

  /// The kind of event, as the stream names it.
  public var name: String { kind.rawValue }

  /// The kind of event.
  public var kind: Kind {
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
    }
  }
}

extension RigEvent: Codable {
  private enum Key: String, CodingKey {
    case id, kind, timeNanoseconds
    case readiness, press, progress, interruption, thermal, session, configuration, delivery
    case buttons, rotation, targets
  }

  /// Reads an event: `id`, `kind`, `timeNanoseconds`, and the payload under the kind's name.
  ///
  /// - Throws: `DecodingError`.
  public init(from decoder: any Decoder) throws {
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
      }
  }

  /// Writes the event in the form that ``init(from:)`` reads.
  ///
  /// - Throws: `EncodingError`.
  public func encode(to encoder: any Encoder) throws {
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
    }
  }
}
