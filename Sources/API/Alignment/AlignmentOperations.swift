extension Operations {
  /// A small version of the newest frame.
  ///
  /// The permission to read is enough: who may read may have the stored pictures, which show more,
  /// and an act would be entered into the audit log several times a second.
  package static let preview = Endpoint<PreviewSize, PreviewReport>(
    "preview", .get, "/v1/preview", .read,
    "Returns a small version of the newest frame with its sharpness and exposure.",
    failures: [.conflict, .internalError, .unavailable])

  /// The page in the newest frame.
  package static let previewPage = Endpoint<NoInput, PagePreviewReport>(
    "previewPage", .get, "/v1/preview/page", .read,
    "Returns the page in the newest frame: its outline, its text, and how well it is aimed at.",
    failures: [.conflict, .internalError, .unavailable])

  /// The newest frames as a stream of pictures.
  package static let previewStream = Operation(
    id: "previewStream", method: .get, path: "/v1/preview/stream", permission: .read,
    summary: "Streams small color pictures of the newest frames, each with its facts in headers.",
    failures: [.conflict, .internalError, .unavailable, .tooManyListeners],
    parameters: PreviewStreamRequest.parameters,
    answer: .media("multipart/x-mixed-replace", "The pictures as JPEG images."))

  /// A part of the newest frame, pixel for pixel.
  package static let loupe = Operation(
    id: "loupe", method: .get, path: "/v1/preview/loupe", permission: .read,
    summary: "Returns a part of the newest frame in full resolution, upright, as a JPEG image.",
    failures: [.conflict, .internalError, .unavailable],
    parameters: LoupeRequest.parameters, answer: .media("image/jpeg", "The part of the frame."))

  /// The readings of the accelerometer.
  package static let accelerometer = Endpoint<NoInput, AccelerometerReport>(
    "accelerometer", .get, "/v1/accelerometer", .read,
    "Returns the accelerometer's reading before and after the mount matrix.")
}
