import API
import Capture
import Devices

@testable import Doctor
@testable import LinuxDevices
@testable import RigConfiguration

/// Faults of the cameras, buttons, lights, accelerometer and lamp.
extension PlantedFault {
  static let ofDevices: [PlantedFault] = [
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
        evidence.cameraUse = { .used(by: "process 7 uses /dev/media0") }
      }),
    .init(
      name: "another libcamera without a service", isServiceRunning: false, part: .cameras,
      code: "cameraLibraryUnknown", digits: "1-5", advice: "Install the camera library",
      plant: { evidence, _ in
        evidence.libraryProblem = {
          "no camera object fits the installed libcamera, libcamera.so.9.9"
        }
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
      name: "button's line unreadable", part: .buttons, verdict: .warning,
      code: "buttonUnreadable", digits: "5-4", advice: "Check the button's \"line\"",
      plant: { evidence, _ in
        evidence.status = FakeMachine.status(
          thermalReport(of: evidence.status), buttonFaults: ["buttonUnreadable"])
      }),
    .init(
      name: "button's line taken", isServiceRunning: false, part: .buttons, code: "lineTaken",
      advice: "End the program that holds the line",
      plant: { evidence, _ in
        evidence.lines = LineLook(isServiceRunning: false) { line in
          .success(GPIOLineInfo(isUsed: line == .name("SHUTTER"), consumer: "spi0 CS0"))
        }
      }),
    .init(
      name: "LED's line taken", part: .lights, code: "lineTaken",
      advice: "End the program that holds the line",
      plant: { evidence, _ in
        evidence.lines = LineLook(isServiceRunning: true) { line in
          .success(
            GPIOLineInfo(isUsed: true, consumer: line == .name("FAULT") ? "leds-gpio" : "platen"))
        }
      }),
    .init(
      name: "line absent", part: .buttons, code: "lineAbsent", advice: "Check the line's name",
      plant: { evidence, _ in
        evidence.lines = LineLook(isServiceRunning: true) { line in
          line == .name("SHUTTER")
            ? .failure(DeviceError(.absent, device: "SHUTTER", problem: "cannot be found"))
            : .success(GPIOLineInfo(isUsed: true, consumer: "platen"))
        }
      }),
    .init(
      name: "recorder not installed", part: .recorder, verdict: .warning, code: "recorderMissing",
      advice: "Install the package \"platen-recorder\"",
      plant: { evidence, _ in evidence.recorder = { .missing } }),
    .init(
      name: "recorder of another version", part: .recorder, verdict: .warning,
      code: "recorderUnusable", advice: "Install the packages",
      plant: { evidence, _ in evidence.recorder = { .version("0.0.9") } }),
    .init(
      name: "recorder without its libraries", isServiceRunning: false, part: .recorder,
      verdict: .warning, code: "recorderUnusable", advice: "Install the packages",
      plant: { evidence, _ in evidence.recorder = { .failing("libavformat.so is not there") } }),
    .init(
      name: "LED missing", part: .lights, code: "lightAbsent", advice: "Check the light's name",
      consequences: ["deviceNotDriven"],
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
      advice: "Check the accelerometer's cable", consequences: ["deviceNotDriven"],
      plant: { _, machine in try machine.remove("/sys/bus/iio/devices/iio:device0") }),
    .init(
      name: "lamp fails", part: .lamp, verdict: .warning, code: "lamp", digits: "6-3",
      advice: "Check the lamp's cable",
      plant: { evidence, _ in evidence.reasons = [DoctorReason(.lamp, refuses: false)] }),
    .init(
      name: "lamp of a bracket missing", part: .lamp, code: "lightAbsent",
      advice: "Check the light's name", consequences: ["deviceNotDeclared"],
      plant: { evidence, _ in
        evidence.configuration?.lamps = [StepLamp(name: "left", light: .led("rig:white:left"))]
      }),
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
