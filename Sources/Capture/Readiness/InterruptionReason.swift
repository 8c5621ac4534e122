/// The reason that a session that should run cannot take pictures.
///
/// An open set, spelled as it appears in logs and in the API. The order of ``priority`` decides
/// which reason a single light shows.
package struct InterruptionReason: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
  /// The reason's spelling, in lower camel case.
  package let rawValue: String

  /// Makes a reason from its spelling.
  package init(rawValue: String) { self.rawValue = rawValue }

  /// The spool failed to write; the service is about to restart.
  package static let storageFailed = InterruptionReason(rawValue: "storageFailed")
  /// The disk keeps the spool waiting.
  package static let storageStalled = InterruptionReason(rawValue: "storageStalled")
  /// The spool has no room for another picture.
  package static let storageFull = InterruptionReason(rawValue: "storageFull")
  /// The rig is too hot.
  package static let thermalPressure = InterruptionReason(rawValue: "thermalPressure")
  /// No camera is present.
  package static let cameraAbsent = InterruptionReason(rawValue: "cameraAbsent")
  /// Another process uses the camera.
  package static let cameraInUse = InterruptionReason(rawValue: "cameraInUse")
  /// The service lacks the permission to open the camera.
  package static let cameraNotAuthorized = InterruptionReason(rawValue: "cameraNotAuthorized")
  /// The camera has been unplugged.
  package static let cameraUnplugged = InterruptionReason(rawValue: "cameraUnplugged")
  /// The camera gives no frames, and its driver reports no fault.
  package static let cameraStalled = InterruptionReason(rawValue: "cameraStalled")
  /// The camera's driver gave up waiting for the sensor.
  package static let cameraTimedOut = InterruptionReason(rawValue: "cameraTimedOut")
  /// The camera has no memory for its frames.
  package static let buffersExhausted = InterruptionReason(rawValue: "buffersExhausted")
  /// The camera reported a fault.
  package static let cameraFailed = InterruptionReason(rawValue: "cameraFailed")
  /// The supply voltage is too low.
  package static let undervoltage = InterruptionReason(rawValue: "undervoltage")
  /// A technician has stopped the session.
  package static let stoppedByTechnician = InterruptionReason(rawValue: "stoppedByTechnician")
  /// A technician tests a button.
  package static let buttonTest = InterruptionReason(rawValue: "buttonTest")

  /// The reasons that concern the camera; the arrival of frames ends them all.
  package static let ofCamera: [InterruptionReason] = [
    cameraUnplugged, cameraAbsent, cameraNotAuthorized, cameraInUse, cameraTimedOut,
    buffersExhausted, cameraStalled, cameraFailed,
  ]

  /// All reasons, the most important first.
  package static let priority: [InterruptionReason] =
    [storageFailed, storageStalled, storageFull, undervoltage, thermalPressure] + ofCamera
    + [stoppedByTechnician, buttonTest]

  /// The spelling.
  package var description: String { rawValue }
}
