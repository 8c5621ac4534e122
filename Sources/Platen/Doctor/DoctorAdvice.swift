import Capture

/// What to do about each code: one or two sentences for somebody who stands before the rig.
///
/// Each begins with what to do, and needs no source code.
struct DoctorAdvice: Sendable, Hashable {
  /// What is wrong.
  let code: DoctorCode
  /// The state that lights show for it, as ``Capture/IndicatorLanguage`` spells it; `nil` for none.
  ///
  /// ``RigLights`` knows whether those of a rig do.
  let light: String?
  /// What to do.
  let text: String

  /// The digits that the fault light, or the only light, flashes for it; `nil` for none.
  var lightCode: String? {
    guard let light else { return nil }
    let row = IndicatorLanguage.table.first { $0.state == light && $0.code != nil }
    return row?.code?.description
  }

  /// The advice for a code; for one that nobody knows, the one to look at the log.
  static func advice(for code: DoctorCode) -> DoctorAdvice {
    if let advice = byCode[code] { return advice }
    let other = byCode[DoctorCode(rawValue: "other")]
    return DoctorAdvice(
      code: code, light: other?.light, text: other?.text ?? "Look into the log.")
  }

  private static let byCode = Dictionary(
    table.map { ($0.code, $0) }, uniquingKeysWith: { first, _ in first })

  /// All advice: first what the lights have a code for, then the rest.
  static let table: [DoctorAdvice] =
    ofReasons + ofLights + ofService + ofMachine + ofDevices
    + ofNetwork
}

extension DoctorAdvice {
  /// A reason of the session, which the fault light shows itself.
  init(_ reason: InterruptionReason, _ text: String) {
    self.init(code: DoctorCode(reason), light: reason.rawValue, text: text)
  }

  /// A state of the lights that is no reason.
  init(_ state: String, _ text: String) {
    self.init(code: DoctorCode(rawValue: state), light: state, text: text)
  }

  init(_ code: DoctorCode, _ text: String, light: String? = nil) {
    self.init(code: code, light: light, text: text)
  }
}
