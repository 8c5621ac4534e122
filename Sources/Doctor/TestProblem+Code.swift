package import API

extension TestProblem {
  /// Makes a problem with the doctor's advice.
  package init(_ code: DoctorCode, _ seen: String) {
    self.init(code: code.rawValue, seen: seen, advice: DoctorAdvice.advice(for: code).text)
  }
}
