import Capture
import Devices

/// The advice for each code: one or two sentences for a person at the rig.
///
/// Each advice begins with the action, and needs no source code.
struct DoctorAdvice: Sendable, Hashable {
  /// The problem's code.
  let code: DoctorCode
  /// The lights' state for the problem, as ``Capture/IndicatorLanguage`` spells it; `nil` for none.
  ///
  /// The type ``RigLights`` knows whether the lights of a rig show that state.
  let light: String?
  /// The advice.
  let text: String

  /// The digits that the fault light, or the only light, flashes; `nil` for none.
  var lightCode: String? {
    guard let light else { return nil }
    let row = IndicatorLanguage.table.first { $0.state == light && $0.code != nil }
    return row?.code?.description
  }

  /// Returns the advice for a code; for an unknown code, the advice to look at the log.
  static func advice(for code: DoctorCode) -> DoctorAdvice {
    if let advice = byCode[code] { return advice }
    let other = byCode[DoctorCode(rawValue: "other")]
    return DoctorAdvice(
      code: code, light: other?.light, text: other?.text ?? "Look into the log.")
  }

  private static let byCode = Dictionary(
    table.map { ($0.code, $0) }, uniquingKeysWith: { first, _ in first })

  /// All advice: first for the codes that the lights show, then for the rest.
  static let table: [DoctorAdvice] =
    ofReasons + ofWarnings + ofLights + ofService + ofMachine + ofDevices
    + ofNetwork
}

extension DoctorAdvice {
  /// Makes the advice for a state of the lights that is not a reason.
  init(_ state: String, _ text: String) {
    self.init(code: DoctorCode(rawValue: state), light: state, text: text)
  }

  init(_ code: DoctorCode, _ text: String, light: String? = nil) {
    self.init(code: code, light: light, text: text)
  }
}
