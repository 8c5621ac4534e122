/// A picture of the preview for viewers, shared by all viewers of its size.
package struct PreviewPicture: Sendable, Hashable {
  /// The picture as a whole JPEG image.
  package let jpeg: [UInt8]
  /// The frame's number, which rises as long as the camera is open.
  package let frame: Int64
  /// The camera's time of the frame: nanoseconds of `CLOCK_MONOTONIC`.
  package let sensorTimeNanoseconds: Int64
  /// The clockwise turn that is left to the viewer: 0, 90, 180 or 270 degrees.
  package let angle: Int
  /// Whether the viewer is to show the turned picture as in a mirror.
  package let isMirrored: Bool
  /// The sharpness, 0 to 1, by the measure of ``PreviewReport/focus``.
  package let sharpness: Double
  /// The exposure time of each row in microseconds; `nil` when the camera does not say.
  package let exposureMicroseconds: Int64?
  /// The total gain of the frame as a factor; `nil` when the camera does not say.
  package let gain: Double?

  package init(
    jpeg: [UInt8], frame: Int64, sensorTimeNanoseconds: Int64, angle: Int, isMirrored: Bool,
    sharpness: Double, exposureMicroseconds: Int64? = nil, gain: Double? = nil
  ) {
    self.jpeg = jpeg
    self.frame = frame
    self.sensorTimeNanoseconds = sensorTimeNanoseconds
    self.angle = angle
    self.isMirrored = isMirrored
    self.sharpness = finite(sharpness) ?? 0
    self.exposureMicroseconds = exposureMicroseconds
    self.gain = finite(gain)
  }
}

/// The form of a picture in answers.
extension PreviewPicture {
  private static let boundary = "platen-picture"

  /// The media type of a stream of pictures.
  static let streamMediaType = "multipart/x-mixed-replace; boundary=\(boundary)"
  /// The text before the first picture of a stream.
  static let beginning = "--\(boundary)\r\n"
  /// The text after each picture of a stream.
  static let delimiter = "\r\n--\(boundary)\r\n"

  /// The headers that describe the picture; an unknown value has none.
  var fields: [(name: String, value: String)] {
    func rounded(_ value: Double) -> String { "\((value * 10_000).rounded() / 10_000)" }
    var fields = [
      (name: "X-Platen-Frame", value: "\(frame)"),
      (name: "X-Platen-Sensor-Time", value: "\(sensorTimeNanoseconds)"),
      (name: "X-Platen-Angle", value: "\(angle)"),
      (name: "X-Platen-Mirrored", value: "\(isMirrored)"),
      (name: "X-Platen-Sharpness", value: rounded(sharpness)),
    ]
    if let exposureMicroseconds {
      fields.append((name: "X-Platen-Exposure", value: "\(exposureMicroseconds)"))
    }
    if let gain { fields.append((name: "X-Platen-Gain", value: rounded(gain))) }
    return fields
  }

  /// The headers of the picture as a part of a stream, with the empty line behind them.
  var head: String {
    "Content-Type: image/jpeg\r\nContent-Length: \(jpeg.count)\r\n"
      + fields.map { "\($0.name): \($0.value)\r\n" }.joined() + "\r\n"
  }
}

/// A viewer of the preview, whose part ends with its deinitialization.
package protocol PreviewViewer: Sendable {
  /// Waits for the next picture, one that the viewer has not got yet.
  ///
  /// A viewer that does not wait gets no picture, so a slow viewer gets fewer pictures.
  ///
  /// - Returns: `nil` after ``stop()``, and after the reason of an earlier end was thrown.
  /// - Throws: ``APIError``: `conflict` while no camera gives frames, `unavailable` while presses
  ///   need the frames or the rig is too hot. The viewer gets no more pictures then.
  func next() async throws(APIError) -> PreviewPicture?

  /// Ends the viewer's part, and any wait; may be called from any thread.
  func stop()
}
