import API
import Capture
import Devices
import RigConfiguration
import Spool

@testable import Doctor

/// Faults of the configuration, the service, the clock, the supply and the temperatures.
extension PlantedFault {
  private static func thermal(
    _ celsius: Double?, firmware: ThrottleReport = ThrottleReport(now: [], sinceBoot: [])
  ) -> @Sendable (inout DoctorEvidence, FakeMachine) -> Void {
    { evidence, _ in
      let report = ThermalReport(
        state: "nominal",
        temperatures: [
          TemperatureReport(
            zone: "cpu-thermal", celsius: celsius,
            limits: ThermalLimitsReport(fair: 60, serious: 70, critical: 80))
        ], firmware: firmware)
      evidence.thermal = { report }
      evidence.flags = { .success(report.firmware) }
    }
  }

  static let ofMachine: [PlantedFault] = [
    .init(
      name: "unknown key", part: .configuration, code: "configurationInvalid",
      advice: "Correct the lines",
      plant: { _, machine in
        try machine.write(
          FakeMachine.configuration + "\ncolor: red\n", to: "/etc/platen/platen.yaml")
      }),
    .init(
      name: "file gone", part: .configuration, code: "configurationUnreadable",
      advice: "Check that the file", plant: { _, machine in try machine.remove("/etc/platen") }),
    .init(
      name: "file newer than what runs", part: .configuration, verdict: .warning,
      code: "configurationChanged", advice: "Restart the service",
      plant: { _, machine in
        try machine.write(
          FakeMachine.configuration + "\nlog: { level: debug }\n", to: "/etc/platen/platen.yaml")
      }),
    .init(
      name: "file that ended the service again and again", part: .configuration,
      code: "configurationFailed", advice: "Read \"platenctl log --journal\"",
      plant: { _, machine in
        let text = FakeMachine.configuration + "\nlog: { level: debug }\n"
        try machine.write(text, to: "/etc/platen/platen.yaml")
        let hash = ConfigurationSource(path: "", text: text).hash
        try machine.write(
          "{\"hash\":\"\(hash)\",\"bootID\":\"b\",\"starts\":4}",
          to: "/etc/platen/platen.yaml.history/starts.json")
      }),
    .init(
      name: "restarted for the camera", part: .service, verdict: .warning,
      code: "serviceRestarted", advice: "Check the camera's cable",
      plant: { evidence, _ in
        var record = RestartRecord()
        record.note(
          .service, fault: "\"cam\" hangs", at: BootMoment(bootID: "b", monotonicNanoseconds: 1))
        evidence.record = { [record] in .success(record) }
      }),
    .init(
      name: "record damaged", part: .service, verdict: .warning, code: "serviceRestarted",
      advice: "Check the camera's cable",
      plant: { evidence, _ in
        evidence.record = {
          .failure(DeviceError(.inputOutput, device: "recovery.json", problem: "is no record"))
        }
      }),
    .init(
      name: "address of the API not there", part: .service, verdict: .warning,
      code: "apiNotOnNetwork", advice: "Check the keys below \"api.tcp\"",
      plant: { evidence, _ in
        evidence.networkProblem = "the API's address \"192.0.2.1:8443\" cannot be used"
      }),
    .init(
      name: "socket without its group", part: .service, verdict: .warning,
      code: "socketGroupNotSet", advice: "Add the service's user to the group",
      plant: { evidence, _ in
        evidence.socketProblem = "the API's socket cannot be given to the group \"technicians\""
      }),
    .init(
      name: "account that the machine does not know", part: .service, verdict: .warning,
      code: "accountsUnknown", advice: "Correct the name in the configuration",
      plant: { evidence, _ in
        evidence.accountsProblem = "\"api.act.users[0]\": there is no user \"eve\" on this machine"
      }),
    .init(
      name: "API without TLS on a trusted network", part: .service, verdict: .warning,
      code: "apiUnencrypted", advice: "Let nginx or Caddy with TLS",
      plant: { evidence, _ in
        let tcp = """
          api:
            tcp:
              address: 192.0.2.7
              network: trusted
              tokens: { web: { hash: "sha256:\(String(repeating: "ab", count: 32))", allow: read } }
          """
        evidence.configuration = try PlatenConfiguration.parse(
          FakeMachine.configuration + "\n" + tcp, file: "platen.yaml")
      }),
    .init(
      name: "clock wrong", part: .clock, code: "clockImplausible", advice: "Set the clock",
      plant: { evidence, _ in
        evidence.clock = WallClockReading(
          nanosecondsSinceEpoch: 3_600_000_000_000, trust: .estimated, secondsFromGMT: 0)
      }),
    .init(
      name: "clock not synchronized", part: .clock, verdict: .warning,
      code: "clockUnsynchronized", advice: "Connect the network",
      plant: { evidence, _ in evidence.clock.trust = .estimated }),
    .init(
      name: "undervoltage", part: .supply, code: "undervoltage", digits: "4-2",
      advice: "Replace the power supply",
      plant: thermal(
        48.5, firmware: ThrottleReport(now: ["undervoltage"], sinceBoot: ["undervoltage"]))),
    .init(
      name: "undervoltage before", part: .supply, verdict: .warning, code: "undervoltageBefore",
      advice: "Check the power supply",
      plant: thermal(48.5, firmware: ThrottleReport(now: [], sinceBoot: ["undervoltage"]))),
    .init(
      name: "throttled", part: .supply, verdict: .warning, code: "throttled",
      advice: "Check power supply and cooling",
      plant: thermal(48.5, firmware: ThrottleReport(now: ["throttled"], sinceBoot: ["throttled"]))),
    .init(
      name: "hot", part: .temperatures, code: "thermalPressure", digits: "4-1",
      advice: "Let the rig cool down", plant: thermal(81)),
    .init(
      name: "warm", isServiceRunning: false, part: .temperatures, verdict: .warning,
      code: "thermalPressure", digits: "4-1", advice: "Let the rig cool down", plant: thermal(70)),
    .init(
      name: "zone gone", part: .temperatures, verdict: .warning, code: "sensorUnreadable",
      advice: "Check the names", plant: thermal(nil)),
  ]
}
