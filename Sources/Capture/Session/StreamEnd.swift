import Devices

/// The reason that a stream ended, as far as the session handles it differently.
enum StreamEnd {
  case cancelled
  case fault(DeviceError, InterruptionReason)
  case change(SettingsChange)
  /// A technician stops the camera.
  case stopped
}

/// Settings that have been checked and wait to be applied.
struct SettingsChange {
  typealias Outcome = Result<ResolvedSessionSettings, ConfigurationFailure>

  var settings: SessionSettings
  /// The role of the camera that is used from then on.
  var role: CameraRole
  /// The other camera, opened; `nil` when the one in use stays.
  var camera: (any Camera)?
  /// Whether lenses leave the positions at which they were focused on request.
  var releasesFocus: Bool
  /// The continuation of the caller that waits for the outcome.
  var continuation: CheckedContinuation<Outcome, Never>
}
