public import Devices

/// Keeps calibrations and scales over restarts; the session knows neither files nor formats.
public protocol CalibrationStorage: Sendable {
  /// All calibrations by their cameras; what cannot be read is left out.
  func calibrations() async -> [CameraDescription.ID: CameraCalibration]

  /// All scales by their cameras, the newest first; what cannot be read is left out.
  func scales() async -> [CameraDescription.ID: [CameraScale]]

  /// Stores a camera's calibration in place of the one before; on return it outlasts a power cut.
  ///
  /// - Throws: `DeviceError`, code `inputOutput`, when it could not be written; the one before
  ///   holds then.
  func store(
    _ calibration: CameraCalibration, of camera: CameraDescription.ID
  ) async throws(DeviceError)

  /// Stores a camera's scales in place of those before, as a calibration is stored.
  ///
  /// - Throws: `DeviceError`, code `inputOutput`, when they could not be written.
  func store(_ scales: [CameraScale], of camera: CameraDescription.ID) async throws(DeviceError)

  /// Removes a camera's calibration and scales for good; does nothing when there are none.
  ///
  /// - Throws: `DeviceError`, code `inputOutput`, when it could not be written.
  func removeCalibration(of camera: CameraDescription.ID) async throws(DeviceError)
}
