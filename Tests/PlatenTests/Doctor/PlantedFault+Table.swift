import API
import Capture
import Devices
import LinuxDevices
import Spool

@testable import Platen

extension PlantedFault {
  static let all: [PlantedFault] = ofMachine + ofStorage + ofDevices + ofNetwork

  private static func reason(
    _ reason: InterruptionReason, _ cause: String? = nil
  ) -> @Sendable (inout DoctorEvidence, FakeMachine) -> Void {
    { evidence, _ in evidence.reasons = [DoctorReason(reason, cause: cause)] }
  }

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

  private static let ofMachine: [PlantedFault] = [
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

  private static let ofStorage: [PlantedFault] = [
    .init(
      name: "disk full", part: .storage, code: "storageFull", digits: "3-1",
      advice: "Connect the network", plant: reason(.storageFull)),
    .init(
      name: "disk full without a service", isServiceRunning: false, part: .storage,
      code: "storageFull", digits: "3-1", advice: "Connect the network",
      plant: { evidence, _ in
        evidence.room = { _ in StorageCheck.Room(freeBytes: 1 << 20, totalBytes: 30 << 30) }
      }),
    .init(
      name: "disk almost full", part: .storage, verdict: .warning, code: "storageAlmostFull",
      advice: "Check that uploads run",
      plant: { evidence, _ in
        evidence.room = { _ in StorageCheck.Room(freeBytes: 300 << 20, totalBytes: 30 << 30) }
      }),
    .init(
      name: "disk stalled", part: .storage, code: "storageStalled", digits: "3-2",
      advice: "Wait a minute", plant: reason(.storageStalled)),
    .init(
      name: "disk failed", part: .storage, code: "storageFailed", digits: "3-3",
      advice: "Copy the pictures away", plant: reason(.storageFailed)),
    .init(
      name: "read-only disk", isServiceRunning: false, part: .storage, code: "storageReadOnly",
      digits: "3-3", advice: "Start the machine anew",
      plant: { _, machine in
        try machine.write(
          "/dev/root / ext4 rw 0 0\n/dev/mmcblk0p3 /var/lib ext4 ro,noatime 0 0",
          to: "/proc/self/mounts")
      }),
    .init(
      name: "errors of the file system", part: .storage, code: "storageErrors",
      advice: "Copy the pictures away",
      plant: { _, machine in
        try machine.write("3", to: "/sys/fs/ext4/mmcblk0p3/errors_count")
        try machine.write("1795219000", to: "/sys/fs/ext4/mmcblk0p3/last_error_time")
      }),
    .init(
      name: "older errors of the file system", part: .storage, verdict: .warning,
      code: "storageErrors", advice: "Copy the pictures away",
      plant: { _, machine in
        try machine.write("3", to: "/sys/fs/ext4/mmcblk0p3/errors_count")
        try machine.write("1795000000", to: "/sys/fs/ext4/mmcblk0p3/last_error_time")
      }),
    .init(
      name: "spool missing", isServiceRunning: false, part: .storage, code: "storageUnusable",
      digits: "3-3", advice: "Check that the spool's drive",
      plant: { evidence, _ in evidence.room = { _ in nil } }),
    .init(
      name: "database corrupt", isServiceRunning: false, part: .index, code: "indexDamaged",
      digits: "3-3", advice: "Restart the service",
      plant: { evidence, _ in
        evidence.index = {
          .inspected(SpoolInspection(index: .damaged("database disk image is malformed")))
        }
      }),
    .init(
      name: "database made anew", part: .index, verdict: .warning, code: "indexRebuilt",
      advice: "Replace the card",
      plant: { evidence, _ in
        let report = SpoolReport(waiting: 1, delivered: 2, quarantined: 0, bytesWaiting: 4)
        evidence.index = { .open(report, brokenIndex: "database disk image is malformed") }
      }),
    .init(
      name: "newer database", isServiceRunning: false, part: .index, code: "indexNewer",
      digits: "3-3", advice: "Install the newer version",
      plant: { evidence, _ in evidence.index = { .inspected(SpoolInspection(index: .newer(9))) } }),
    .init(
      name: "quarantined pictures", part: .index, verdict: .warning, code: "picturesQuarantined",
      advice: "Look at them",
      plant: { evidence, _ in
        let report = SpoolReport(waiting: 1, delivered: 2, quarantined: 3, bytesWaiting: 4)
        evidence.index = { .open(report, brokenIndex: nil) }
      }),
  ]

  private static let ofDevices: [PlantedFault] = [
    .init(
      name: "camera missing", part: .cameras, code: "cameraAbsent", digits: "1-1",
      advice: "Switch the rig off", plant: reason(.cameraAbsent)),
    .init(
      name: "camera missing without a service", isServiceRunning: false, part: .cameras,
      code: "cameraAbsent", digits: "1-1", advice: "Switch the rig off",
      plant: { _, machine in
        // The board's codecs are still there.
        try machine.remove("/dev/media0")
        try machine.remove("/dev/video0")
      }),
    .init(
      name: "camera busy", part: .cameras, code: "cameraInUse", digits: "1-3",
      advice: "End the program", plant: reason(.cameraInUse, "process 7 (\"a\") uses /dev/media0")),
    .init(
      name: "camera busy without a service", isServiceRunning: false, part: .cameras,
      code: "cameraInUse", digits: "1-3", advice: "End the program",
      plant: { evidence, _ in
        evidence.cameraUse = { .somebody("process 7 uses /dev/media0") }
      }),
    .init(
      name: "permission missing", part: .cameras, code: "cameraNotAuthorized", digits: "1-4",
      advice: "Add the service's user",
      plant: { _, machine in try machine.write("", to: "/dev/media0", mode: 0o600) }),
    .init(
      name: "permission missing without a service", isServiceRunning: false, part: .cameras,
      code: "cameraNotAuthorized", digits: "1-4", advice: "Add the service's user",
      plant: { _, machine in try machine.write("", to: "/dev/video0", mode: 0o660) }),
    .init(
      name: "camera stalled", part: .cameras, code: "cameraStalled", digits: "2-1",
      advice: "Wait a minute", plant: reason(.cameraStalled)),
    .init(
      name: "stopped by a technician", part: .cameras, code: "stoppedByTechnician",
      digits: "6-1", advice: "Run \"platenctl session resume\"",
      plant: reason(.stoppedByTechnician)),
    .init(
      name: "button stuck", part: .buttons, verdict: .warning, code: "buttonStuck", digits: "5-1",
      advice: "Free the button",
      plant: { evidence, _ in
        evidence.status = FakeMachine.status(
          thermalReport(of: evidence.status), buttonFaults: ["buttonStuck"])
      }),
    .init(
      name: "button's line taken", isServiceRunning: false, part: .buttons, code: "lineTaken",
      advice: "End the program that holds the line",
      plant: { evidence, _ in
        evidence.lines = LineLook(isServiceRunning: false) { line in
          .success(GPIOLineLook(isUsed: line == .name("SHUTTER"), consumer: "spi0 CS0"))
        }
      }),
    .init(
      name: "LED's line taken", part: .lights, code: "lineTaken",
      advice: "End the program that holds the line",
      plant: { evidence, _ in
        evidence.lines = LineLook(isServiceRunning: true) { line in
          .success(
            GPIOLineLook(isUsed: true, consumer: line == .name("FAULT") ? "leds-gpio" : "platen"))
        }
      }),
    .init(
      name: "line absent", part: .buttons, code: "lineAbsent", advice: "Check the line's name",
      plant: { evidence, _ in
        evidence.lines = LineLook(isServiceRunning: true) { line in
          line == .name("SHUTTER")
            ? .failure(DeviceError(.absent, device: "SHUTTER", problem: "cannot be found"))
            : .success(GPIOLineLook(isUsed: true, consumer: "platen"))
        }
      }),
    .init(
      name: "LED missing", part: .lights, code: "lightAbsent", advice: "Check the light's name",
      plant: { _, machine in try machine.remove("/sys/class/leds/rig:green:ready") }),
    .init(
      name: "LED with another trigger", part: .lights, verdict: .warning,
      code: "lightTriggerForeign", advice: "Remove what sets",
      plant: { _, machine in
        try machine.write("none [mmc0] timer", to: "/sys/class/leds/rig:green:ready/trigger")
      }),
    .init(
      name: "LED without the trigger for patterns", part: .lights, verdict: .warning,
      code: "lightPatternAbsent", advice: "Run \"modprobe ledtrig-pattern\"",
      plant: { _, machine in
        try machine.write("[none] timer mmc0", to: "/sys/class/leds/rig:green:ready/trigger")
      }),
    .init(
      name: "accelerometer absent", part: .accelerometer, verdict: .warning,
      code: "accelerometer", digits: "6-2", advice: "Check the accelerometer's cable",
      plant: { evidence, _ in
        evidence.status = evidence.status.map {
          $0.replacingRotation(
            RotationReport(
              captureAngle: 0, previewAngle: 0, exifOrientation: 1, accelerometer: "absent"))
        }
      }),
    .init(
      name: "accelerometer absent without a service", isServiceRunning: false,
      part: .accelerometer, verdict: .warning, code: "accelerometer", digits: "6-2",
      advice: "Check the accelerometer's cable",
      plant: { _, machine in try machine.remove("/sys/bus/iio/devices/iio:device0") }),
    .init(
      name: "lamp fails", part: .lamp, verdict: .warning, code: "lamp", digits: "6-3",
      advice: "Check the lamp's cable",
      plant: { evidence, _ in evidence.reasons = [DoctorReason(.lamp, refuses: false)] }),
  ]

  private static func failure(
    _ code: String, _ status: Int?
  ) -> @Sendable (inout DoctorEvidence, FakeMachine) -> Void {
    { evidence, _ in
      evidence.targets[0].failure = TargetCheck.Failure(
        code: code, status: status, text: "the target did not store", isOpen: true)
    }
  }

  private static func way(
    failing step: TargetProbeReport.Step, _ problem: String = "no",
    trust: WallTrust = .synchronized
  ) -> @Sendable (inout DoctorEvidence, FakeMachine) -> Void {
    { evidence, _ in
      evidence.clock.trust = trust
      evidence.probe = {
        TargetProbeReport(
          target: $0.target, endpoint: "pages.example:443", failedStep: step, problem: problem)
      }
    }
  }

  private static let ofNetwork: [PlantedFault] = [
    .init(
      name: "cable out", part: .network, code: "noCarrier",
      advice: "Plug the network cable in",
      plant: { _, machine in try machine.write("0", to: "/sys/class/net/eth0/carrier") }),
    .init(
      name: "no address", part: .network, code: "noAddress",
      advice: "Check that the network has a DHCP server",
      plant: { evidence, _ in
        evidence.addresses = { ["eth0": ["169.254.3.4", "fe80::1%eth0"]] }
      }),
    .init(
      name: "no route", part: .network, code: "noDefaultRoute",
      advice: "Check the router",
      plant: { _, machine in try machine.write("Iface\tDestination\n", to: "/proc/net/route") }),
    .init(
      name: "no name server", part: .network, code: "noNameServer",
      advice: "Set a name server",
      plant: { _, machine in try machine.write("# none\n", to: "/etc/resolv.conf") }),
    .init(
      name: "DNS dead", part: .network, code: "nameServerSilent",
      advice: "Check the router and its firewall",
      plant: { evidence, _ in
        evidence.askNameServer = { _ in NameServerProbe.Answer(problem: "does not answer") }
      }),
    .init(
      name: "name unknown", part: .targets, code: "targetUnresolved",
      advice: "Check the spelling", plant: way(failing: .resolve)),
    .init(
      name: "server down", part: .targets, code: "targetUnreachable",
      advice: "Check that the server runs", plant: way(failing: .connect)),
    .init(
      name: "certificate not valid", part: .targets, code: "targetTLSFailed",
      advice: "Check the server's certificate", plant: way(failing: .tls)),
    .init(
      name: "certificate not valid because of the clock", part: .targets,
      code: "targetClockWrong", advice: "Set the rig's clock first",
      consequences: ["clockUnsynchronized"],
      plant: way(
        failing: .tls, "SSL certificate problem: certificate is not yet valid", trust: .estimated)),
    .init(
      name: "certificate not valid in 1970", part: .targets, code: "targetClockWrong",
      advice: "Set the rig's clock first", consequences: ["clockImplausible"],
      plant: { evidence, machine in
        way(failing: .tls)(&evidence, machine)
        evidence.clock.nanosecondsSinceEpoch = 3_600_000_000_000
      }),
    // After the clock has been set by hand, the advice does not point at the clock again.
    .init(
      name: "certificate not valid by a clock that was set by hand", part: .targets,
      code: "targetTLSFailed", advice: "Check the server's certificate",
      consequences: ["clockUnsynchronized"],
      plant: way(failing: .tls, "unable to get local issuer certificate", trust: .estimated)),
    .init(
      name: "certificate expired by a clock that is right", part: .targets,
      code: "targetTLSFailed", advice: "Check the server's certificate",
      plant: way(failing: .tls, "certificate has expired")),
    .init(
      name: "our own certificate expired by the server's clock", part: .targets,
      code: "targetTLSFailed", advice: "Check the server's certificate",
      consequences: ["clockUnsynchronized"],
      plant: way(failing: .tls, "sslv3 alert certificate expired", trust: .estimated)),
    .init(
      name: "server 401", part: .targets, code: "targetUnauthorized",
      advice: "Check the target's user", plant: failure("unauthorized", 401)),
    .init(
      name: "server 403", part: .targets, code: "targetForbidden",
      advice: "Ask who runs the server", plant: failure("unauthorized", 403)),
    .init(
      name: "server 500", part: .targets, code: "targetFailing",
      advice: "Read what the server answered", plant: failure("serverError", 500)),
    .init(
      name: "drive not mounted", part: .targets, code: "targetDirectoryAbsent",
      advice: "Mount the drive",
      plant: { _, machine in try machine.remove("/media/drive/.platen-target") }),
    .init(
      name: "parked pictures", part: .targets, verdict: .warning, code: "picturesParked",
      advice: "Look at them", plant: { evidence, _ in evidence.targets[0].parked = 2 }),
    .init(
      name: "uploads paused", part: .targets, verdict: .warning, code: "uploadsPaused",
      advice: "Press the button",
      plant: { evidence, _ in evidence.targets[0].isPaused = true }),
  ]
}

/// Returns the thermal report of a status; nominal without a status.
private func thermalReport(of status: RigStatus?) -> ThermalReport {
  status?.thermal ?? ThermalReport(state: "nominal")
}

extension RigStatus {
  /// Returns the same status with another rotation.
  fileprivate func replacingRotation(_ rotation: RotationReport) -> RigStatus {
    RigStatus(
      rig: rig, version: version, board: board, readiness: readiness, session: session,
      rotation: rotation, thermal: thermal, spool: spool, targets: targets, presses: presses,
      lights: lights, buttons: buttons, uptimeSeconds: uptimeSeconds)
  }
}
