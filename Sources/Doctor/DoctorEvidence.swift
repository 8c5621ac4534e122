import API
import Capture
import CameraHost
import Devices
import Foundation
import LinuxDevices
import RigConfiguration
import Spool
import Transfer

/// The inputs of the doctor, from the running service or from the machine alone.
package struct DoctorEvidence: Sendable {
  /// The configuration file; `nil` for a service without one.
  var path: String?
  /// The configuration of the file or of the service; `nil` when the file cannot be used.
  var configuration: PlatenConfiguration?
  /// The service's status; `nil` when the service does not run.
  var status: RigStatus?
  /// The reason why the API is not served over TCP; `nil` while it is served or not configured.
  var networkProblem: String?
  /// The reason why the API's socket lacks its configured group; `nil` while it has the group.
  var socketProblem: String?
  /// The accounts with access to the API that the machine does not know; `nil` when it knows all.
  var accountsProblem: String?
  /// The session's current reasons.
  var reasons: [DoctorReason] = []
  /// The state of the unit, as systemd reports it.
  var unit: SystemdUnit?
  /// The wall clock.
  var clock: WallClockReading
  /// The kernel's and the system's files.
  var files = KernelFiles()
  /// The user that opens the devices.
  var user: ServiceUser
  /// The look at the GPIO lines.
  var lines: LineLook
  /// The addresses of the interfaces.
  var addresses: @Sendable () -> [String: [String]] = { NetworkFiles.kernelAddresses() }
  /// Returns the space of a file system.
  var room: @Sendable (String) -> StorageCheck.Room? = { StorageCheck.Room.of($0) }
  /// Looks for users of the cameras.
  var cameraUse: @Sendable () -> CameraUse = { .unused }
  /// The look for the camera library, which returns the cause of its absence.
  var libraryProblem: @Sendable () -> String? = { nil }
  /// Looks for the program that records movies.
  var recorder: @Sendable () async -> RecorderCheck.Look = { await RecorderCheck.look() }
  /// Reads the record of restarts because of the camera.
  var record: @Sendable () -> Result<RestartRecord?, DeviceError> = { .success(nil) }
  /// Reads the firmware's flags.
  var flags: @Sendable () async -> Result<ThrottleReport?, SupplyCheck.Unreadable>
  /// Reads the temperatures.
  var thermal: @Sendable () async -> ThermalReport
  /// Examines the spool's index.
  var index: @Sendable () async -> SpoolIndexCheck.Evidence
  /// The targets, with the service's knowledge of them.
  var targets: [TargetCheck.Target] = []
  /// Asks a name server.
  var askNameServer: @Sendable (String) async -> NameServerProbe.Answer
  /// Tries the connection to a target.
  var probe: @Sendable (TargetProbe.Place) async -> TargetProbeReport

  /// Returns the examination of a part.
  func check(of part: DoctorPart) -> any DoctorCheck {
    LitCheck(check: unlitCheck(of: part), lights: RigLights(configuration, status))
  }

  /// The reason why the service's user could not give the API's socket its group.
  private var expectedSocketProblem: String? {
    guard let group = configuration?.api.server.socketGroup,
      let number = try? AccountNames.number(of: group, .group)
    else {
      return configuration?.api.server.socketGroup.map { "the group \"\($0)\" does not exist" }
    }
    return user.mayGive(to: number) ? nil : "\(user.name) is no member of the group \"\(group)\""
  }

  /// The account names that the service would not find.
  private var expectedAccountsProblem: String? {
    let problems = configuration?.api.access().problems ?? []
    return problems.isEmpty ? nil : problems.joined(separator: "; ")
  }

  /// Returns the examination of a part, with the lights of any rig.
  private func unlitCheck(of part: DoctorPart) -> any DoctorCheck {
    switch part {
    case .configuration:
      return ConfigurationCheck(
        path: path, running: status == nil ? nil : configuration?.source, files: files)
    case .service:
      return ServiceCheck(
        status: status, networkProblem: networkProblem,
        socketProblem: status == nil ? expectedSocketProblem : socketProblem,
        accountsProblem: status == nil ? expectedAccountsProblem : accountsProblem,
        openAddress: configuration?.openAddress,
        record: record, unit: unit)
    case .clock:
      return ClockCheck(
        reading: clock, isSetByTimesyncd: files.exists("/run/systemd/timesync/synchronized"))
    case .network:
      // If the configuration cannot be used, the rig is assumed to need the network.
      return NetworkCheck(
        network: NetworkFiles(files: files, addresses: addresses),
        isNeeded: configuration?.usesNetwork ?? true, ask: askNameServer)
    default: break
    }
    guard let configuration else {
      return UncheckedPart(part: part, why: "the configuration file cannot be used")
    }
    return unlitCheck(of: part, configuration)
  }

  /// Returns the examination of a part that the configuration describes.
  private func unlitCheck(
    of part: DoctorPart, _ configuration: PlatenConfiguration
  ) -> any DoctorCheck {
    let isSimulated = configuration.board == .simulated
    let wiring =
      isSimulated ? nil : LightWiring(files: files, user: user, lines: lines)
    switch part {
    case .configuration, .service, .clock, .network: return unlitCheck(of: part)
    case .supply: return SupplyCheck(flags: flags)
    case .temperatures: return TemperatureCheck(read: thermal)
    case .storage:
      return StorageCheck(
        directory: configuration.spool.directory,
        minimumFreeBytes: configuration.spool.minimumFreeBytes, reasons: reasons, files: files,
        now: clock.nanosecondsSinceEpoch / 1_000_000_000, room: room)
    case .index: return SpoolIndexCheck(look: index)
    case .cameras:
      return CameraCheck(
        roles: configuration.cameras?.entries.map(\.role.rawValue) ?? [CameraRole.main.rawValue],
        session: status?.session, reasons: reasons, user: isSimulated ? nil : user, files: files,
        use: cameraUse, libraryProblem: libraryProblem)
    case .recorder:
      return RecorderCheck(isNeeded: configuration.movie.isEnabled, look: recorder)
    case .buttons:
      return ButtonCheck(
        buttons: configuration.buttons, reports: status?.buttons ?? [],
        lines: isSimulated ? nil : lines)
    case .lights:
      return LightCheck(
        lights: configuration.indicators, reports: status?.lights ?? [], wiring: wiring)
    case .accelerometer:
      return AccelerometerCheck(
        section: configuration.accelerometer, rotation: status?.rotation,
        isSimulated: isSimulated, files: files)
    case .lamp:
      return LampCheck(
        section: configuration.lamp, lamps: configuration.lamps, reasons: reasons,
        isServiceRunning: status != nil, wiring: wiring)
    case .wiring: return WiringCheck(configuration: configuration, files: files, lines: lines)
    case .targets:
      return TargetCheck(targets: targets, clock: clock, files: files, probe: probe)
    }
  }
}

/// A part that cannot be examined because of another part's problem.
struct UncheckedPart: DoctorCheck {
  let part: DoctorPart
  let why: String

  func findings() async -> [DoctorReport.Finding] { [notChecked(why)] }
}
