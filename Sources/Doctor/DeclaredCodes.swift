package import API
import Capture

extension DeclarationsReport.Code {
  /// All codes that the lights show and the doctor names, in alphabetical order.
  package static let all: [DeclarationsReport.Code] = {
    let lights = Dictionary(
      IndicatorLanguage.table.map { ($0.state, $0) }, uniquingKeysWith: { first, _ in first })
    let advice = Dictionary(
      DoctorAdvice.table.map { ($0.code.rawValue, $0) }, uniquingKeysWith: { first, _ in first })
    return Set(lights.keys).union(advice.keys).sorted().map { code in
      DeclarationsReport.Code(
        code: code, flashes: advice[code]?.lightCode, meaning: lights[code]?.meaning,
        advice: advice[code]?.text)
    }
  }()
}
