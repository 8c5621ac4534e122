public import Devices

/// Keeps calibrations over restarts; the session knows neither files nor formats.
public protocol CalibrationStorage: Sendable {
  /// All calibrations by their cameras; what cannot be read is left out.
  func calibrations() async -> [CameraDescription.ID: CameraCalibration]

  /// Stores a camera's calibration in place of the one before; on return it outlasts a power cut.
  ///
  /// - Throws: `DeviceError`, code `inputOutput`, when it could not be written; the one before
  ///   holds then.
  func store(
    _ calibration: CameraCalibration, of camera: CameraDescription.ID
  ) async throws(DeviceError)

  /// Removes a camera's calibration for good; does nothing when there is none.
  ///
  /// - Throws: `DeviceError`, code `inputOutput`, when it could not be written.
  func removeCalibration(of camera: CameraDescription.ID) async throws(DeviceError)
}
