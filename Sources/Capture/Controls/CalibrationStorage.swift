package import Devices

/// Keeps calibrations and scales across restarts; the session knows neither files nor formats.
package protocol CalibrationStorage: Sendable {
  /// Returns all calibrations by camera; unreadable ones are skipped.
  func calibrations() async -> [CameraDescription.ID: CameraCalibration]

  /// Returns all scales by camera, the newest first; unreadable ones are skipped.
  func scales() async -> [CameraDescription.ID: [CameraScale]]

  /// Stores a camera's calibration, replacing the previous one; on return it survives a power cut.
  ///
  /// - Throws: `DeviceError`, code `inputOutput`, when the calibration could not be written; the
  ///   previous one stays valid then.
  func store(
    _ calibration: CameraCalibration, of camera: CameraDescription.ID
  ) async throws(DeviceError)

  /// Stores a camera's scales, replacing the previous ones, as durably as a calibration.
  ///
  /// - Throws: `DeviceError`, code `inputOutput`, when the scales could not be written.
  func store(_ scales: [CameraScale], of camera: CameraDescription.ID) async throws(DeviceError)

  /// Removes a camera's calibration and scales for good; does nothing when there are none.
  ///
  /// - Throws: `DeviceError`, code `inputOutput`, when the removal could not be written.
  func removeCalibration(of camera: CameraDescription.ID) async throws(DeviceError)
}
