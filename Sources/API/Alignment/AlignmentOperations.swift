extension Operations {
  /// A small version of the newest frame.
  ///
  /// The permission to read is enough: who may read may have the stored pictures, which show more,
  /// and an act would be entered into the audit log several times a second.
  package static let preview = Endpoint<PreviewSize, PreviewReport>(
    "preview", .get, "/v1/preview", .read,
    "Returns a small version of the newest frame with its sharpness and exposure.",
    failures: [.conflict, .internalError, .unavailable])

  /// The readings of the accelerometer.
  package static let accelerometer = Endpoint<NoInput, AccelerometerReport>(
    "accelerometer", .get, "/v1/accelerometer", .read,
    "Returns the accelerometer's reading before and after the mount matrix.")
}
