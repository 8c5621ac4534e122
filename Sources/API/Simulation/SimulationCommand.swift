package import Devices

/// An action on the simulated world: the body of `POST /v1/simulation`.
///
/// In JSON the key `action` names the action, and the other keys are its values. An unknown key is
/// an error:
///
/// | action | keys |
/// |---|---|
/// | `press` | `durationMilliseconds` 1...60000 (optional), `bounce` (optional) |
/// | `turn` | `degrees` −360...360, or `flat`: true |
/// | `heat` | `celsius` −60...250 |
/// | `throttle` | `flags`: names of ``Devices/ThrottleFlag`` |
/// | `showPage` | `page` 0...999999 |
/// | `showHand` | `isThere` |
/// | `cameraFault` | `fault`, 1 to 32 letters |
package enum SimulationCommand: Sendable, Hashable {
  /// A press of the button's line; a missing duration is a person's, a missing `bounce` is clean.
  case press(durationMilliseconds: Int?, bounce: Bool?)
  /// A turn of the rig.
  case turn(Position)
  /// A temperature in degrees Celsius.
  case heat(celsius: Double)
  /// The flags of the firmware's throttling; an empty list for no throttling.
  case throttle([ThrottleFlag])
  /// A page under the camera, by its number.
  case showPage(Int)
  /// A hand on the page, or none any more.
  case showHand(Bool)
  /// A fault of the camera, for example `stalled`; `none` ends all faults.
  case cameraFault(String)

  /// The position of the rig.
  package enum Position: Sendable, Hashable {
    /// The clockwise turn in degrees, as the operator sees it.
    case degrees(Double)
    /// The rig lies on its back.
    case flat
  }
}

extension SimulationCommand: Codable {
  private enum Action: String, Codable, CaseIterable {
    case press, turn, heat, throttle, showPage, showHand, cameraFault

    var keys: [Key] {
      switch self {
      case .press: [.durationMilliseconds, .bounce]
      case .turn: [.degrees, .flat]
      case .heat: [.celsius]
      case .throttle: [.flags]
      case .showPage: [.page]
      case .showHand: [.isThere]
      case .cameraFault: [.fault]
      }
    }
  }

  private enum Key: String, CodingKey {
    case action, durationMilliseconds, bounce, degrees, flat, celsius, flags, page, isThere, fault
  }

  /// Reads a command as ``SimulationCommand`` describes it.
  ///
  /// - Throws: `DecodingError`, or ``APIError`` or ``Devices/InvalidValue`` for an unknown action
  ///   or key and for a value that is out of range.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    try container.refuseNulls()
    let name = try container.decode(String.self, forKey: .action)
    guard let action = Action(rawValue: name) else {
      let actions = Action.allCases.map(\.rawValue).joined(separator: ", ")
      throw APIError(
        .invalidRequest, "The action \"\(name.prefix(40))\" is unknown; there are: \(actions).")
    }
    try decoder.requireKeys(among: (action.keys + [.action]).map(\.rawValue))
    switch action {
    case .press:
      self = .press(
        durationMilliseconds: try container.decodeIfPresent(
          .durationMilliseconds, in: 1...60_000),
        bounce: try container.decodeIfPresent(Bool.self, forKey: .bounce))
    case .turn:
      let degrees = try container.decodeIfPresent(.degrees, in: -360.0...360)
      let isFlat = try container.decodeIfPresent(Bool.self, forKey: .flat) ?? false
      switch (degrees, isFlat) {
      case (let degrees?, false): self = .turn(.degrees(degrees))
      case (nil, true): self = .turn(.flat)
      default:
        throw APIError(.invalidRequest, "To turn takes either \"degrees\" or \"flat\": true.")
      }
    case .heat:
      self = .heat(celsius: try container.decode(.celsius, in: -60...250))
    case .throttle:
      let names = try container.decode([String].self, forKey: .flags)
      self = .throttle(
        try names.map { name in
          guard let flag = ThrottleFlag(rawValue: name) else {
            throw InvalidValue.unknownWord(
              name, of: Key.flags.rawValue, ThrottleFlag.allCases.map(\.rawValue))
          }
          return flag
        })
    case .showPage:
      self = .showPage(try container.decode(.page, in: 0...999_999))
    case .showHand:
      self = .showHand(try container.decode(Bool.self, forKey: .isThere))
    case .cameraFault:
      let fault = try container.decode(String.self, forKey: .fault)
      guard (1...32).contains(fault.utf8.count),
        fault.utf8.allSatisfy({ (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0) })
      else {
        throw APIError(.invalidRequest, "The value of \"fault\" must be 1 to 32 letters.")
      }
      self = .cameraFault(fault)
    }
  }

  /// Writes the command in the form that ``init(from:)`` reads.
  ///
  /// - Throws: `EncodingError`.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    switch self {
    case .press(let duration, let bounce):
      try container.encode(Action.press, forKey: .action)
      try container.encodeIfPresent(duration, forKey: .durationMilliseconds)
      try container.encodeIfPresent(bounce, forKey: .bounce)
    case .turn(.degrees(let degrees)):
      try container.encode(Action.turn, forKey: .action)
      try container.encode(degrees, forKey: .degrees)
    case .turn(.flat):
      try container.encode(Action.turn, forKey: .action)
      try container.encode(true, forKey: .flat)
    case .heat(let celsius):
      try container.encode(Action.heat, forKey: .action)
      try container.encode(celsius, forKey: .celsius)
    case .throttle(let flags):
      try container.encode(Action.throttle, forKey: .action)
      try container.encode(flags, forKey: .flags)
    case .showPage(let page):
      try container.encode(Action.showPage, forKey: .action)
      try container.encode(page, forKey: .page)
    case .showHand(let isThere):
      try container.encode(Action.showHand, forKey: .action)
      try container.encode(isThere, forKey: .isThere)
    case .cameraFault(let fault):
      try container.encode(Action.cameraFault, forKey: .action)
      try container.encode(fault, forKey: .fault)
    }
  }
}
