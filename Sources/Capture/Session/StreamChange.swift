import Devices

/// What a running stream has to make way for.
enum StreamChange {
  /// A technician wants the camera not to be used.
  case stop
  /// Other settings, perhaps with another camera.
  case settings(SettingsChange)
}

/// Settings that have been found to be possible and wait to be applied.
struct SettingsChange {
  typealias Outcome = Result<ResolvedSessionSettings, ConfigurationFailure>

  /// The settings.
  var settings: SessionSettings
  /// The role of the camera that is used from then on.
  var role: CameraRole
  /// The other camera, opened; `nil` when the one in use stays.
  var camera: (any Camera)?
  /// Whether lenses do not stay where they were focused on somebody's wish.
  var releasesFocus: Bool
  /// Who waits for the outcome.
  var continuation: CheckedContinuation<Outcome, Never>
}
