package import Devices

/// The code of a problem with a rig; an open set.
///
/// If readiness, log and lights have a code for the reason, the doctor uses it. The other codes are
/// for problems that never refuse a press, or that stop the whole service.
package struct DoctorCode: RawRepresentable, Sendable, Hashable {
  /// The code's spelling, in lower camel case.
  package let rawValue: String

  package init(rawValue: String) { self.rawValue = rawValue }

  /// Makes the code of a session's reason.
  package init(_ reason: InterruptionReason) { rawValue = reason.rawValue }

  // MARK: configuration and service

  /// The configuration file cannot be read.
  static let configurationUnreadable = DoctorCode(rawValue: "configurationUnreadable")
  /// The configuration file has faults; the service would not start with it.
  static let configurationInvalid = DoctorCode(rawValue: "configurationInvalid")
  /// The service ended again and again with the configuration file; the last good text runs.
  static let configurationFailed = DoctorCode(rawValue: "configurationFailed")
  /// The configuration file has changed since the service read it.
  static let configurationChanged = DoctorCode(rawValue: "configurationChanged")
  /// The service does not run.
  static let serviceStopped = DoctorCode(rawValue: "serviceStopped")
  /// The service was restarted because of the camera, or the record of restarts is lost.
  static let serviceRestarted = DoctorCode(rawValue: "serviceRestarted")
  /// The API is not served over TCP, although it is configured.
  static let apiNotOnNetwork = DoctorCode(rawValue: "apiNotOnNetwork")
  /// The API's socket could not be given to its group.
  static let socketGroupNotSet = DoctorCode(rawValue: "socketGroupNotSet")
  /// The machine does not know an account that may use the API.
  static let accountsUnknown = DoctorCode(rawValue: "accountsUnknown")
  /// The API is served outside this machine without TLS.
  static let apiUnencrypted = DoctorCode(rawValue: "apiUnencrypted")

  // MARK: clock, supply, heat

  /// No time source has set the clock.
  static let clockUnsynchronized = DoctorCode(rawValue: "clockUnsynchronized")
  /// The clock's year is impossible.
  static let clockImplausible = DoctorCode(rawValue: "clockImplausible")
  /// The supply voltage has been too low since the machine started.
  static let undervoltageBefore = DoctorCode(rawValue: "undervoltageBefore")
  /// The firmware throttles the processor.
  static let throttled = DoctorCode(rawValue: "throttled")
  /// A thermal zone or the firmware's flags cannot be read.
  static let sensorUnreadable = DoctorCode(rawValue: "sensorUnreadable")

  // MARK: storage

  /// The file system is mounted read-only.
  package static let storageReadOnly = DoctorCode(rawValue: "storageReadOnly")
  /// The disk has little free space.
  static let storageAlmostFull = DoctorCode(rawValue: "storageAlmostFull")
  /// The file system has found internal errors.
  package static let storageErrors = DoctorCode(rawValue: "storageErrors")
  /// The spool's directory is missing or may not be used.
  package static let storageUnusable = DoctorCode(rawValue: "storageUnusable")
  /// The spool is in memory, on an overlay over a read-only root.
  static let storageVolatile = DoctorCode(rawValue: "storageVolatile")
  /// The kernel moves memory to the SD card.
  static let swapOnCard = DoctorCode(rawValue: "swapOnCard")
  /// The spool's index is damaged.
  static let indexDamaged = DoctorCode(rawValue: "indexDamaged")
  /// The spool's index was damaged, and the service has rebuilt it.
  static let indexRebuilt = DoctorCode(rawValue: "indexRebuilt")
  /// A newer version of the software wrote the index.
  static let indexNewer = DoctorCode(rawValue: "indexNewer")
  /// Pictures were quarantined because they are damaged or missing.
  static let picturesQuarantined = DoctorCode(rawValue: "picturesQuarantined")

  // MARK: devices

  /// The process of the cameras has ended unexpectedly.
  static let cameraProcessEnded = DoctorCode(rawValue: "cameraProcessEnded")
  /// The standby camera is in use.
  static let cameraStandby = DoctorCode(rawValue: "cameraStandby")
  /// The program that records movies is not installed, although movies are allowed.
  static let recorderMissing = DoctorCode(rawValue: "recorderMissing")
  /// The program that records movies cannot be started, or is of another version.
  static let recorderUnusable = DoctorCode(rawValue: "recorderUnusable")
  /// A GPIO line cannot be found.
  package static let lineAbsent = DoctorCode(rawValue: "lineAbsent")
  /// Another program holds a GPIO line.
  package static let lineTaken = DoctorCode(rawValue: "lineTaken")
  /// The device tree gives the line of a part to an LED of the kernel.
  static let lineInDeviceTree = DoctorCode(rawValue: "lineInDeviceTree")
  /// A configured device is neither in the device tree nor in the kernel.
  static let deviceNotDeclared = DoctorCode(rawValue: "deviceNotDeclared")
  /// The device tree has a device that the kernel lacks.
  static let deviceNotDriven = DoctorCode(rawValue: "deviceNotDriven")
  /// The device tree has a device that the configuration does not name.
  static let deviceNotConfigured = DoctorCode(rawValue: "deviceNotConfigured")
  /// No hardware watchdog restarts the machine when the machine hangs.
  static let watchdogNotArmed = DoctorCode(rawValue: "watchdogNotArmed")
  /// The service's user may not use a device.
  package static let deviceNotAuthorized = DoctorCode(rawValue: "deviceNotAuthorized")
  /// The kernel counted edges of a button that the service never received.
  package static let edgesLost = DoctorCode(rawValue: "edgesLost")
  /// A tested button showed no press.
  package static let buttonSilent = DoctorCode(rawValue: "buttonSilent")
  /// The accelerometer's readings do not fit a rig at rest.
  package static let accelerometerRestless = DoctorCode(rawValue: "accelerometerRestless")
  /// A kernel LED is missing.
  static let lightAbsent = DoctorCode(rawValue: "lightAbsent")
  /// Another program has set a kernel LED's trigger.
  static let lightTriggerForeign = DoctorCode(rawValue: "lightTriggerForeign")
  /// The kernel lacks the trigger by which a kernel LED shows patterns by itself.
  static let lightPatternAbsent = DoctorCode(rawValue: "lightPatternAbsent")
  /// A light could not be set.
  package static let lightFailing = DoctorCode(rawValue: "lightFailing")

  // MARK: network and targets

  /// No interface has a carrier.
  static let noCarrier = DoctorCode(rawValue: "noCarrier")
  /// No interface has an address.
  static let noAddress = DoctorCode(rawValue: "noAddress")
  /// There is no default route.
  static let noDefaultRoute = DoctorCode(rawValue: "noDefaultRoute")
  /// No name server is configured.
  static let noNameServer = DoctorCode(rawValue: "noNameServer")
  /// A name server does not answer.
  static let nameServerSilent = DoctorCode(rawValue: "nameServerSilent")
  /// A target's name has no address.
  static let targetUnresolved = DoctorCode(rawValue: "targetUnresolved")
  /// A target's port cannot be connected to.
  static let targetUnreachable = DoctorCode(rawValue: "targetUnreachable")
  /// The connection to a target cannot be secured.
  static let targetTLSFailed = DoctorCode(rawValue: "targetTLSFailed")
  /// The connection to a target cannot be secured, and the rig's clock may be the cause.
  static let targetClockWrong = DoctorCode(rawValue: "targetClockWrong")
  /// A target does not accept the credentials (401).
  static let targetUnauthorized = DoctorCode(rawValue: "targetUnauthorized")
  /// A target forbids the request (403).
  static let targetForbidden = DoctorCode(rawValue: "targetForbidden")
  /// A target fails in another way.
  static let targetFailing = DoctorCode(rawValue: "targetFailing")
  /// A target's directory is missing or has no marker.
  static let targetDirectoryAbsent = DoctorCode(rawValue: "targetDirectoryAbsent")
  /// Pictures that a target does not accept were set aside.
  static let picturesParked = DoctorCode(rawValue: "picturesParked")
  /// A technician has paused the uploads.
  static let uploadsPaused = DoctorCode(rawValue: "uploadsPaused")
}
