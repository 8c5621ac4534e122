import API
import Capture
import Devices
import LinuxDevices
import Spool
import Testing

@testable import Doctor

/// A fault that is planted into a rig that is otherwise in order.
struct PlantedFault: Sendable, CustomTestStringConvertible {
  var name: String
  var isServiceRunning = true
  var part: DoctorPart
  var verdict = DoctorReport.Verdict.fault
  var code: String
  /// The code that the fault light, or the only light, flashes for it; `nil` for none.
  var digits: String?
  /// The advice's first words.
  var advice: String
  /// Codes of consequences of the fault in other parts.
  var consequences: Set<String> = []
  var plant: @Sendable (inout DoctorEvidence, FakeMachine) throws -> Void

  var testDescription: String { name }
}

@Suite struct PlantedFaultTests {
  @Test(arguments: [true, false])
  func `a rig in order has no finding`(_ isServiceRunning: Bool) async throws {
    let machine = try FakeMachine()
    let evidence = try machine.evidence(isServiceRunning: isServiceRunning)
    for part in DoctorPart.allCases where isServiceRunning || part != .service {
      let findings = await evidence.check(of: part).findings()
      #expect(!findings.isEmpty && findings.allSatisfy { $0.part == part })
      #expect(findings.allSatisfy { $0.verdict == .ok }, "\(part): \(findings.map(\.seen))")
    }
  }

  @Test(arguments: PlantedFault.all)
  func `the planted fault is found and no other`(_ fault: PlantedFault) async throws {
    let machine = try FakeMachine()
    var evidence = try machine.evidence(isServiceRunning: fault.isServiceRunning)
    try fault.plant(&evidence, machine)
    var complaints: [DoctorReport.Finding] = []
    for part in DoctorPart.allCases where fault.isServiceRunning || part != .service {
      complaints += await evidence.check(of: part).findings().filter {
        $0.verdict == .fault || $0.verdict == .warning
      }
    }
    let found = try #require(
      complaints.first { $0.code == fault.code }, "\(complaints.map(\.seen))")
    #expect(found.part == fault.part)
    #expect(found.verdict == fault.verdict)
    #expect(found.lightCode == fault.digits)
    #expect(found.advice?.hasPrefix(fault.advice) == true, "\(found.advice ?? "none")")
    #expect(!found.seen.isEmpty)
    let others = Set(complaints.compactMap(\.code)).subtracting([fault.code])
    #expect(others == fault.consequences)
    // The report is the same after its way through the API.
    let report = DoctorReport(
      rig: "rig-1", version: "1", isServiceRunning: true, findings: complaints)
    let decoded = try APICoding.decode(DoctorReport.self, from: APICoding.encode(report))
    #expect(decoded == report)
  }

  /// A reason of the session is shown by the lights themselves: the doctor must say the same.
  @Test(arguments: PlantedFault.all)
  func `the lights and the doctor name the same fault`(_ fault: PlantedFault) throws {
    guard
      let reason = InterruptionReason.allCases.first(where: {
        $0.rawValue == fault.code
      })
    else {
      // A consequence of the fault is shown on some rigs and not on others: RigLightsTests.
      guard let digits = fault.digits else { return }
      let light = DoctorAdvice.advice(for: DoctorCode(rawValue: fault.code)).light
      let row = light.flatMap { state in
        IndicatorLanguage.table.first { $0.state == state && $0.code != nil }
      }
      #expect(row?.code?.description == digits)
      return
    }
    let shown = IndicatorLanguage.signal(
      of: .fault,
      in: IndicatorLanguage.Condition(
        readiness: Readiness(
          state: .notReadyMomentarily, reasons: [reason], capturesInFlight: 0)))
    let entry = try #require(IndicatorLanguage.entry(of: .fault, showing: shown.pattern))
    #expect(entry.state == fault.code)
    #expect(entry.code?.description == fault.digits)
  }
}
