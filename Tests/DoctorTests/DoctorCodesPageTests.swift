import TestSupport
import Testing

@testable import Doctor

/// The reference page of the doctor's codes.
@Suite struct DoctorCodesPageTests {
  @Test func `the page of the codes is current`() throws {
    let sorted = DoctorAdvice.table.sorted {
      ($0.lightCode ?? "9", $0.code.rawValue) < ($1.lightCode ?? "9", $1.code.rawValue)
    }
    let rows = sorted.map { advice in
      ["`\(advice.code.rawValue)`", advice.lightCode ?? "", advice.text]
    }
    let text = """
      # Codes of the doctor

      `platenctl doctor` names each fault with one of these codes, its cause and its advice. \
      The same codes stand in the log, in the API and in the events. \
      A code with two digits is one that the fault light flashes, see [lights](lights.md).

      \(ReferencePage.table(["code", "flashes", "advice"], rows))
      """
    let difference = try ReferencePage.difference(of: "doctor-codes.md", text)
    #expect(difference == nil, "\(difference ?? "")")
  }
}
