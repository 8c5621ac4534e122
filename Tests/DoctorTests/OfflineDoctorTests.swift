import API
import Devices
import LinuxDevices
import TestSupport
import Testing

@testable import Doctor

@Suite(.timeLimit(.minutes(10))) struct OfflineDoctorTests {
  private func examine(
    _ machine: FakeMachine, _ parts: [DoctorPart]
  ) async -> DoctorReport {
    // A clock that stands still gives each part its time on a busy machine.
    let doctor = OfflineDoctor(
      configurationPath: "/etc/platen/platen.yaml", files: machine.files,
      clock: ManualClock(now: SystemMonotonicClock().now))
    return await doctor.examine(parts)
  }

  @Test func `a broken configuration is reported and the other parts are examined`() async throws {
    let machine = try FakeMachine()
    try machine.write("rig: { id: rig-1 }\nboard: [", to: "/etc/platen/platen.yaml")
    let report = await examine(machine, [.configuration, .clock, .cameras, .storage])
    #expect(report.rig == nil && !report.isServiceRunning)
    #expect(report.findings.first?.code == "configurationInvalid")
    let later = report.findings.filter { $0.part == .cameras || $0.part == .storage }
    #expect(later.map(\.verdict) == [.notChecked, .notChecked])
    #expect(report.findings.contains { $0.part == .clock && $0.verdict != .notChecked })
  }

  @Test func `the machine's own files are read`() async throws {
    let machine = try FakeMachine()
    try machine.write("cpu-thermal", to: "/sys/class/thermal/thermal_zone0/type")
    try machine.write("81500", to: "/sys/class/thermal/thermal_zone0/temp")
    try machine.write("rpi_volt", to: "/sys/class/hwmon/hwmon0/name")
    try machine.write("1", to: "/sys/class/hwmon/hwmon0/in0_lcrit_alarm")
    let report = await examine(machine, [.supply, .temperatures, .accelerometer])
    #expect(report.rig == "rig-1")
    #expect(report.findings.map(\.part) == [.supply, .temperatures, .accelerometer])
    #expect(report.findings.map(\.code) == ["undervoltage", "thermalPressure", nil])
    #expect(report.findings[1].seen.contains("81.5 °C"))
    #expect(report.findings[2].verdict == .ok)
  }

  @Test func `the nodes of codecs are no camera`() async throws {
    let machine = try FakeMachine()
    // The files belong to this account, whichever it is.
    let there = await examine(machine, [.cameras]).findings
    #expect(there.map(\.verdict) == [.ok] && there[0].seen == "unicam-image: nobody uses them")
    try machine.remove("/dev/video0")
    let gone = await examine(machine, [.cameras]).findings
    #expect(gone.map(\.code) == ["cameraAbsent"])
    #expect(gone[0].seen.contains("bcm2835-codec-decode, bcm2835-isp-output0"))
  }

  @Test func `a stopped service is a fault`() async throws {
    let machine = try FakeMachine()
    let report = await examine(machine, [.service])
    #expect(report.findings.map(\.code) == ["serviceStopped"])
    #expect(report.count(.fault) == 1)
  }

  /// A technician lacks the rights of the service.
  @Test func `a part that this account may not examine is no fault`() async {
    let denied = DeviceError(
      .permissionDenied, device: "SHUTTER", problem: "cannot be looked for",
      cause: "Permission denied")
    let check = ServiceCheck(status: nil, record: { .failure(denied) }, unit: nil)
    let verdicts = await check.findings().map(\.verdict)
    #expect(verdicts == [.fault, .notChecked], "that the service is stopped is the only fault")
    for (isServiceRunning, verdict) in [(false, DoctorReport.Verdict.notChecked), (true, .fault)] {
      let look = LineLook(isServiceRunning: isServiceRunning) { _ in .failure(denied) }
      let finding = look.finding(of: .name("SHUTTER"), by: check, subject: "shutter")
      #expect(finding?.verdict == verdict && finding?.seen.contains("Permission denied") == true)
    }
  }
}
