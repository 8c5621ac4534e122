package import Devices

/// A frame for viewing only.
package struct PreviewFrame: Sendable {
  /// The leased frame, which should be released soon.
  package let frame: FrameLease
  /// The clockwise angle by which the frame's picture has to be turned to be upright.
  package let captureAngle: Int
  /// The ID of the camera that took the frame.
  package let camera: CameraDescription.ID

  package init(frame: FrameLease, captureAngle: Int, camera: CameraDescription.ID) {
    self.frame = frame
    self.captureAngle = captureAngle
    self.camera = camera
  }
}

/// The reason that there is no preview frame.
package enum PreviewRefusal: Error, Sendable, Hashable {
  /// No camera gives frames; with the reason, if known.
  case noFrames(InterruptionReason?)
  /// Captures need the frames at this moment.
  case capturing
}

/// Frames for a preview, taken only when captures do not need them.
extension CaptureSession {
  /// Leases the newest frame, unless a press is in flight or may be coming.
  ///
  /// The lease takes one of the places that captures have. A press that comes meanwhile finds
  /// another, since the camera was asked for one more than the maximum number of captures.
  ///
  /// - Throws: ``PreviewRefusal``.
  package func previewFrame() async throws(PreviewRefusal) -> PreviewFrame {
    for _ in 0..<3 {
      guard let camera, status.stream != nil, let newest = lastFrame, cameraOutage == nil else {
        throw .noFrames(cameraOutage)
      }
      guard photoOutput.isIdle else { throw .capturing }
      if let lease = await watched({ await camera.lease(newest.id) }) {
        return PreviewFrame(
          frame: lease, captureAngle: rotation.captureAngle(at: lease.info.exposureMidpoint),
          camera: camera.identity.id)
      }
      // The stream has ended meanwhile, or the ring is overwritten faster than frames are reported.
      if status.stream != nil, lastFrame?.id == newest.id { break }
    }
    throw .capturing
  }

  /// The most important reason that no frames come; `nil` while no fault is known.
  private var cameraOutage: InterruptionReason? {
    let lasting = readinessCoordinator.interruptions.lastingReasons(refusing: true)
    return (InterruptionReason.ofCamera + [.stoppedByTechnician]).first { lasting.contains($0) }
  }

  /// The lens positions of the camera in use in diopters; `nil` when fixed or not streaming.
  package var lensPositions: ClosedRange<Double>? {
    get async {
      guard let camera, status.stream != nil else { return nil }
      let capabilities = await watched { await camera.capabilities }
      return capabilities.focusModes.contains(.locked) ? capabilities.lensPositions : nil
    }
  }
}
