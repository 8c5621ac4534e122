import API
import Capture
import Devices
import Testing

@testable import Doctor

@Suite struct RigLightsTests {
  /// A rig's lights, a fault, and the expected words about the lights.
  struct Case: Sendable, CustomTestStringConvertible {
    var roles: Set<IndicatorRole> = [.ready, .fault, .upload]
    var states: [IndicatorRole: String]?
    let code: DoctorCode
    var light: String?
    var digits: String?

    var testDescription: String {
      "\(code.rawValue) on \(roles.map(\.rawValue).sorted()) showing \(states?.count ?? 0)"
    }
  }

  private static let inOrder: [IndicatorRole: String] = [
    .ready: "ready", .fault: "inOrder", .upload: "uploadsIdle", .power: "running",
  ]
  private static let waiting: [IndicatorRole: String] = [
    .ready: "ready", .fault: "inOrder", .upload: "uploadsWaitingToRetry",
  ]
  private static let failed: [IndicatorRole: String] = [
    .ready: "notReady", .fault: "storageFailed", .upload: "uploadsIdle",
  ]

  static let cases: [Case] = [
    // A reason of the session has its code, even if the light shows another reason first.
    .init(states: inOrder, code: DoctorCode(.cameraAbsent), light: "cameraAbsent", digits: "1-1"),
    .init(code: DoctorCode(.cameraAbsent), light: "cameraAbsent", digits: "1-1"),
    .init(
      roles: [.single], states: [.single: "cameraAbsent"], code: DoctorCode(.cameraAbsent),
      light: "cameraAbsent", digits: "1-1"),
    .init(roles: [.ready], states: [.ready: "notReady"], code: DoctorCode(.cameraAbsent)),
    .init(roles: [], code: DoctorCode(.cameraAbsent)),
    // The index was rebuilt, and pictures are taken.
    .init(states: inOrder, code: .indexDamaged),
    .init(states: failed, code: .indexDamaged, light: "storageFailed", digits: "3-3"),
    .init(code: .indexDamaged, light: "storageFailed", digits: "3-3"),
    .init(
      roles: [.single], states: [.single: "storageFailed"], code: .indexDamaged,
      light: "storageFailed", digits: "3-3"),
    .init(roles: [.single], states: [.single: "ready"], code: .storageReadOnly),
    // Code 7-1 is for the only light, and only while a picture waits.
    .init(states: inOrder, code: .noCarrier), .init(code: .noCarrier),
    .init(states: waiting, code: .noCarrier, light: "uploadsWaitingToRetry"),
    .init(states: waiting, code: .targetUnauthorized, light: "uploadsWaitingToRetry"),
    .init(roles: [.single], states: [.single: "ready"], code: .targetUnauthorized),
    .init(
      roles: [.single], states: [.single: "uploadsWaitingToRetry"], code: .targetUnauthorized,
      light: "uploadsWaitingToRetry", digits: "7-1"),
    .init(roles: [.single], code: .targetUnauthorized),
    .init(
      states: [.upload: "uploadsPaused"], code: .uploadsPaused, light: "uploadsPaused"),
    .init(
      roles: [.single], states: [.single: "uploadsPaused"], code: .uploadsPaused,
      light: "uploadsPaused", digits: "7-2"),
    // A wrong file does not stop a running service.
    .init(roles: [.power], states: inOrder, code: .configurationInvalid),
    .init(roles: [.power], code: .configurationInvalid, light: "stopped"),
    .init(code: .configurationInvalid),
    // A code without a light names none.
    .init(states: failed, code: .clockImplausible),
  ]

  @Test(arguments: cases) func `only a light that shows the fault is named`(_ given: Case) async {
    let check = LitCheck(
      check: FaultyPart(code: given.code),
      lights: RigLights(roles: given.roles, states: given.states))
    let findings = await check.findings()
    #expect(check.part == .lamp && findings.count == 1)
    #expect(findings[0].light == given.light)
    #expect(findings[0].lightCode == given.digits)
    let plain = await FaultyPart(code: given.code).findings()
    #expect(findings[0].seen == plain[0].seen && findings[0].advice == plain[0].advice)
    #expect(findings[0].code == given.code.rawValue && findings[0].verdict == .fault)
  }

  @Test func `the lights come from the configuration and the service`() throws {
    let machine = try FakeMachine()
    let evidence = try machine.evidence(isServiceRunning: true)
    let lights = RigLights(evidence.configuration, evidence.status)
    #expect(lights.roles == [.ready, .fault])
    #expect(lights.states == [.ready: "ready", .fault: "inOrder"])
    let unknown = RigLights(nil, nil)
    #expect(unknown.roles == Set(IndicatorRole.allCases) && unknown.states == nil)
  }

  private struct FaultyPart: DoctorCheck {
    let part = DoctorPart.lamp
    let code: DoctorCode

    func findings() async -> [DoctorReport.Finding] { [fault(code, "seen", of: "lamp")] }
  }
}
