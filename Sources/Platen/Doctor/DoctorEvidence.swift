import API
import Capture
import CameraHost
import Devices
import Foundation
import LinuxDevices
import Transfer
import Upload

/// Where the doctor takes what it looks at: from the service that runs, or from the machine alone.
struct DoctorEvidence: Sendable {
  /// The configuration file; `nil` for a service that was given none.
  var path: String?
  /// What the file says, or what runs; `nil` when the file cannot be used.
  var configuration: PlatenConfiguration?
  /// What the service says of itself; `nil` when it does not run.
  var status: RigStatus?
  /// Why the API is not served over TCP; `nil` while it is, and where it is not configured.
  var networkProblem: String?
  /// Why the API's socket has not the group that it is configured to have; `nil` while it has.
  var socketProblem: String?
  /// The accounts that may use the API and that this machine does not know; `nil` when it knows all.
  var accountsProblem: String?
  /// What the session says is wrong.
  var reasons: [DoctorReason] = []
  /// What systemd knows of the unit.
  var unit: SystemdUnit?
  /// The wall clock.
  var clock: WallClockReading
  /// The kernel's and the system's files.
  var files = KernelFiles()
  /// The user that opens the devices.
  var user: ServiceUser
  /// Looks at the GPIO lines.
  var lines: LineLook
  /// The addresses of the interfaces.
  var addresses: @Sendable () -> [String: [String]] = { NetworkFiles.kernelAddresses() }
  /// The space of a file system.
  var room: @Sendable (String) -> StorageCheck.Room? = { StorageCheck.Room.of($0) }
  /// Looks who uses the cameras.
  var cameraUse: @Sendable () -> CameraUse = { .nobody }
  /// The record of what was ended for the camera's sake.
  var record: @Sendable () -> Result<RestartRecord?, DeviceError> = { .success(nil) }
  /// The firmware's flags.
  var flags: @Sendable () async -> Result<ThrottleReport?, DeviceError>
  /// The temperatures.
  var thermal: @Sendable () async -> ThermalReport
  /// The spool's index.
  var index: @Sendable () async -> SpoolIndexCheck.Evidence
  /// The targets, with what the service knows of them.
  var targets: [TargetCheck.Target] = []
  /// Asks a name server.
  var askNameServer: @Sendable (String) async -> NameServerProbe.Answer
  /// Goes the way to a target.
  var probe: @Sendable (TargetProbe.Place) async -> TargetProbeReport

  /// The examination of a part.
  func check(of part: DoctorPart) -> any DoctorCheck {
    LitCheck(check: unlitCheck(of: part), lights: RigLights(configuration, status))
  }

  /// Why the service's user could not give the API's socket its group.
  private var expectedSocketProblem: String? {
    guard let group = configuration?.api.socketGroup,
      let number = try? AccountNames.number(of: group, .group)
    else {
      return configuration?.api.socketGroup.map { "the group \"\($0)\" does not exist" }
    }
    return user.mayGive(to: number) ? nil : "\(user.name) is no member of the group \"\(group)\""
  }

  /// The names of accounts that the service would not find.
  private var expectedAccountsProblem: String? {
    let problems = configuration?.api.access().problems ?? []
    return problems.isEmpty ? nil : problems.joined(separator: "; ")
  }

  /// The same, with the lights that there may be on any rig.
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
      // Of a rig whose configuration cannot be used nobody knows that it is meant to be alone.
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

  /// The examination of a part that the configuration describes.
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
        use: cameraUse)
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
        section: configuration.lamp, reasons: reasons, isServiceRunning: status != nil,
        wiring: wiring)
    case .targets:
      return TargetCheck(targets: targets, clock: clock, files: files, probe: probe)
    }
  }
}

/// A part that cannot be examined because another one is not in order.
struct UncheckedPart: DoctorCheck {
  let part: DoctorPart
  let why: String

  func findings() async -> [DoctorReport.Finding] { [notChecked(why)] }
}

extension TargetCheck.Target {
  /// A target as the configuration describes it.
  init(_ section: TargetSection) {
    name = section.name
    if case .directory(let directory) = section.destination { self.directory = directory.path }
    let connection = section.connection
    place = section.destination.url.map { url in
      TargetProbe.Place(
        target: section.name, url: url,
        security: url.lowercased().hasPrefix("https:")
          ? TransferSecurity(
            certificateAuthorityFile: connection.certificateAuthorityFile,
            pinnedPublicKeys: connection.pinnedPublicKeys,
            clientCertificateFile: connection.clientCertificateFile,
            clientKeyFile: connection.clientKeyFile) : TransferSecurity())
    }
  }

  /// A target as its uploader finds it.
  init(_ product: TargetFactory.Product, parked: Int?) {
    self.init(product.section)
    let status = product.uploader.status
    self.parked = parked
    isPaused = status.holds.contains(.technician)
    var isOpen = false
    var reason: DeliveryFailure?
    switch status.breaker {
    case .closed: break
    case .open(let remaining, let cause):
      isOpen = remaining > .zero
      reason = cause
    case .probing(let cause): reason = cause
    }
    if reason == nil { reason = status.waitingItems.first?.reason }
    failure = reason.map {
      TargetCheck.Failure(
        code: $0.code.rawValue, status: $0.status, text: $0.text, isOpen: isOpen)
    }
  }
}
