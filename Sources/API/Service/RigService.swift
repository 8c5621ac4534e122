/// A rig behind the API; the assembly of the service implements it.
///
/// An error of an operation is an ``APIError``: `unsupported` for an ability that the device does
/// not have; `timedOut` when the device did not answer in time; `conflict` for a state that forbids
/// the work, `unavailable` while the part is starting, stopping or broken.
package protocol RigService: Sendable {
  /// The work of the rig's operations.
  var operations: OperationHandlers { get }

  /// Returns the status of the whole rig.
  func status() async -> RigStatus

  /// Returns a picture of the spool; `nil` when the spool does not know it.
  ///
  /// - Throws: ``APIError``, code ``APIError/Code/unavailable``.
  func spoolItem(id: String) async throws(APIError) -> SpoolItemReport?

  /// Returns the thumbnail of a picture as JPEG; `nil` when there is none.
  ///
  /// - Throws: ``APIError``: `notFound`, `unavailable`.
  func spoolThumbnail(id: String) async throws(APIError) -> [UInt8]?

  /// Begins to watch the preview.
  ///
  /// - Throws: ``APIError``, code ``APIError/Code/unavailable``, for a rig without previews.
  func watchPreview(_ wanted: PreviewStreamRequest) throws(APIError) -> any PreviewViewer

  /// Returns an upright part of the newest frame, pixel for pixel.
  ///
  /// - Throws: ``APIError``: `conflict` while no camera gives frames, `unavailable` while presses
  ///   need the frames or the rig is too hot.
  func loupe(_ wanted: LoupeRequest) async throws(APIError) -> PreviewPicture

  /// Begins an end of the service or of the machine, whose caller has named the rig.
  ///
  /// The method returns when the end has begun. From then on presses are refused, and presses in
  /// flight get their outcome. A request that systemd would refuse is refused while the service
  /// still runs.
  ///
  /// - Throws: ``APIError``: `unsupported` where nothing would restart the service or power the
  ///   machine off, `conflict` when the service ends already or systemd refuses, `timedOut` or
  ///   `unavailable` when systemd does not answer.
  func end(_ ending: EndingReport.Ending) async throws(APIError) -> EndingReport

  /// Returns changes from now on, numbered without gaps; keeps the newest for a slow reader.
  ///
  /// The API server calls this method once a run. The stream ends when the rig does.
  func events() async -> AsyncStream<RigEvent>
}
