package import Devices

/// The session's work for its ``PreviewOutput``: leases of frames.
extension CaptureSession {
  /// Leases the newest frame, unless a press is in flight or may be coming.
  ///
  /// The lease takes one of the places that captures have. A press that comes meanwhile finds
  /// another, since the camera was asked for one more than the maximum number of captures.
  ///
  /// - Throws: ``PreviewRefusal``.
  package func previewFrame() async throws(PreviewRefusal) -> PreviewFrame {
    for _ in 0..<3 {
      guard let camera, status.stream != nil, let newest = outputs.preview.newest,
        cameraOutage == nil
      else { throw .noFrames(cameraOutage) }
      guard outputs.photo.isIdle else { throw .capturing }
      if let lease = await watched({ await camera.lease(newest.id) }) {
        return PreviewFrame(
          frame: lease, captureAngle: rotation.captureAngle(at: lease.info.exposureMidpoint),
          previewAngle: rotation.previewAngle, isMirrored: camera.identity.position == .front,
          camera: camera.identity.id)
      }
      // The stream has ended meanwhile, or the ring is overwritten faster than frames are reported.
      if status.stream != nil, outputs.preview.newest?.id == newest.id { break }
    }
    throw .capturing
  }

  /// The numbers of the frames that come, for all listeners, until the session's end.
  package var previewArrivals: EventHub<UInt64> { outputs.preview.arrivals }

  /// The most important reason that no frames come; `nil` while no fault is known.
  private var cameraOutage: InterruptionReason? {
    let lasting = readinessCoordinator.interruptions.lastingReasons(refusing: true)
    return (InterruptionReason.ofCamera + [.stoppedByTechnician]).first { lasting.contains($0) }
  }
}
