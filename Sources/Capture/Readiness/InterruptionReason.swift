/// Why a session cannot take pictures although it was asked to run.
///
/// An open set, spelled as it appears in logs and in the API. The order of ``priority`` decides
/// which one a single light shows.
public struct InterruptionReason: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
  /// The reason's spelling, in lower camel case.
  public let rawValue: String

  /// Makes a reason from its spelling.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The spool failed to write; the service is about to restart.
  public static let storageFailed = InterruptionReason(rawValue: "storageFailed")
  /// The disk keeps the spool waiting.
  public static let storageStalled = InterruptionReason(rawValue: "storageStalled")
  /// The spool has no room for another picture.
  public static let storageFull = InterruptionReason(rawValue: "storageFull")
  /// The rig is too hot.
  public static let thermalPressure = InterruptionReason(rawValue: "thermalPressure")
  /// No camera is there.
  public static let cameraAbsent = InterruptionReason(rawValue: "cameraAbsent")
  /// Another process uses the camera.
  public static let cameraInUse = InterruptionReason(rawValue: "cameraInUse")
  /// The service may not open the camera.
  public static let cameraNotAuthorized = InterruptionReason(rawValue: "cameraNotAuthorized")
  /// The camera was there and has been unplugged.
  public static let cameraUnplugged = InterruptionReason(rawValue: "cameraUnplugged")
  /// The camera gives no frames, and its driver says nothing.
  public static let cameraStalled = InterruptionReason(rawValue: "cameraStalled")
  /// The camera's driver gave up waiting for the sensor.
  public static let cameraTimedOut = InterruptionReason(rawValue: "cameraTimedOut")
  /// The camera has no memory for its frames.
  public static let buffersExhausted = InterruptionReason(rawValue: "buffersExhausted")
  /// The camera reported a fault.
  public static let cameraFailed = InterruptionReason(rawValue: "cameraFailed")
  /// The supply voltage is too low.
  public static let undervoltage = InterruptionReason(rawValue: "undervoltage")
  /// A technician has stopped the session.
  public static let stoppedByTechnician = InterruptionReason(rawValue: "stoppedByTechnician")
  /// A technician tests a button.
  public static let buttonTest = InterruptionReason(rawValue: "buttonTest")

  /// The reasons that have to do with the camera; frames that come end them all.
  public static let ofCamera: [InterruptionReason] = [
    cameraUnplugged, cameraAbsent, cameraNotAuthorized, cameraInUse, cameraTimedOut,
    buffersExhausted, cameraStalled, cameraFailed,
  ]

  /// All reasons, the most important first.
  public static let priority: [InterruptionReason] =
    [storageFailed, storageStalled, storageFull, undervoltage, thermalPressure] + ofCamera
    + [stoppedByTechnician, buttonTest]

  /// The spelling.
  public var description: String { rawValue }
}
