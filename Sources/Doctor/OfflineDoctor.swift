package import API
import Capture
import Devices
import LinuxDevices
import RigConfiguration
import Spool

/// A doctor for a rig whose service does not run.
///
/// The doctor only reads, takes no device, and does not change the spool.
package struct OfflineDoctor: Sendable {
  private let path: String
  private let files: KernelFiles
  /// The clock that measures the time that a part may take.
  private let clock: any MonotonicClock

  /// Makes a doctor for the rig that a configuration file describes.
  package init(configurationPath: String) {
    self.init(
      configurationPath: configurationPath, files: KernelFiles(), clock: SystemMonotonicClock())
  }

  init(configurationPath: String, files: KernelFiles, clock: any MonotonicClock) {
    path = configurationPath
    self.files = files
    self.clock = clock
  }

  /// Examines parts of the rig in their own order; takes a few seconds at most.
  ///
  /// A configuration that cannot be used is a finding; the parts that it describes are not checked.
  package func examine(_ parts: [DoctorPart]) async -> DoctorReport {
    let evidence = await evidence(unit: parts.contains(.service) ? SystemdUnit.show() : nil)
    return await Doctor(clock: clock).report(on: parts, by: evidence)
  }

  private func evidence(unit: SystemdUnit?) -> DoctorEvidence {
    let configuration = try? PlatenConfiguration.load(path: files.path(path))
    let sysfs = files.path("/sys")
    let probe = TargetProbe(clock: clock, mayRead: TargetProbe.isReadable)
    let servers = NameServerProbe(clock: clock)
    let directory = configuration?.spool.directory
    return DoctorEvidence(
      path: path, configuration: configuration, unit: unit,
      clock: WallClock().reading(at: clock.now), files: files, user: .ofUnit,
      lines: .ofKernel(isServiceRunning: false),
      cameraUse: { CameraUse.look(in: files.path("/dev")) },
      libraryProblem: {
        do throws(DeviceError) {
          _ = try CameraObject.load()
          return nil
        } catch {
          return error.cause
        }
      },
      record: {
        guard let directory else { return .success(nil) }
        return Result { () throws(DeviceError) in
          try RestartRecordFile(directory: directory).read()
        }
      },
      flags: { await Self.flags(configuration, sysfs) },
      thermal: { await Self.thermal(configuration, sysfs) },
      index: {
        .inspected(
          SpoolInspection.look(at: directory ?? "", scratch: files.scratchDirectory))
      },
      targets: configuration?.targets.map { TargetCheck.Target($0) } ?? [],
      askNameServer: { await servers.ask($0) }, probe: { await probe.probe($0) })
  }

  /// Returns the firmware's flags; the flags since the boot are only those that the firmware keeps.
  private static func flags(
    _ configuration: PlatenConfiguration?, _ sysfs: String
  ) async -> Result<ThrottleReport?, SupplyCheck.Unreadable> {
    let power = configuration?.power
    let sensor = FirmwareThrottleSensor(
      flags: power?.throttled,
      alarm: power?.undervoltageAlarm, sysfs: sysfs)
    do throws(DeviceError) {
      let status = try await sensor.status()
      return .success(ThrottleReport(status))
    } catch {
      return error.code == .absent && power?.throttled == nil
        ? .success(nil) : .failure(SupplyCheck.Unreadable(text: error.description))
    }
  }

  private static func thermal(
    _ configuration: PlatenConfiguration?, _ sysfs: String
  ) async -> ThermalReport {
    // Only the service judges the temperatures.
    let state = Word<ThermalState>(rawValue: "unknown")
    guard let section = configuration?.thermal else { return ThermalReport(state: state) }
    var zones: [TemperatureReport] = []
    for name in section.zones {
      let celsius = try? await ThermalZone(name: name, sysfs: sysfs).temperature()
      let limits = section.governor.zoneLimits[name] ?? section.governor.limits
      zones.append(
        TemperatureReport(zone: name, celsius: celsius, limits: ThermalLimitsReport(limits)))
    }
    return ThermalReport(state: state, temperatures: zones)
  }
}

extension KernelFiles {
  /// The directory for a temporary copy, in memory if possible.
  var scratchDirectory: String { exists("/dev/shm") ? path("/dev/shm") : path("/tmp") }
}
