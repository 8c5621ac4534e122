public import Devices

/// A frame for somebody who only looks at it.
public struct PreviewFrame: Sendable {
  /// The frame's memory; it should be given back soon.
  public let frame: FrameLease
  /// The clockwise angle by which a picture of it has to be turned to be upright.
  public let captureAngle: Int
  /// The camera that it came from.
  public let camera: CameraDescription.ID

  /// Makes a frame to be looked at.
  public init(frame: FrameLease, captureAngle: Int, camera: CameraDescription.ID) {
    self.frame = frame
    self.captureAngle = captureAngle
    self.camera = camera
  }
}

/// Why there is no frame to look at.
public enum PreviewRefusal: Error, Sendable, Hashable {
  /// No camera gives frames; why, if it is known.
  case noFrames(InterruptionReason?)
  /// Frames are needed for pictures at this moment.
  case capturing
}

/// Frames for a preview: what is left over by captures.
extension CaptureSession {
  /// Leases the newest frame, unless a press is in flight or may be coming.
  ///
  /// The lease takes one of the places that captures have; a press that comes meanwhile finds
  /// another, since the camera was asked for one more than there may be captures.
  ///
  /// - Throws: ``PreviewRefusal``.
  public func previewFrame() async throws(PreviewRefusal) -> PreviewFrame {
    for _ in 0..<3 {
      guard let camera, status.stream != nil, let newest = lastFrameInfo, cameraOutage == nil else {
        throw .noFrames(cameraOutage)
      }
      guard captures.places.isEmpty, captures.anticipations.isEmpty, captures.held.isEmpty else {
        throw .capturing
      }
      if let lease = await watched({ await camera.lease(newest.id) }) {
        return PreviewFrame(
          frame: lease, captureAngle: rotation.captureAngle(at: lease.info.exposureMidpoint),
          camera: camera.identity.id)
      }
      // The stream has ended meanwhile, or the ring has gone round, faster than its frames are told.
      if status.stream != nil, lastFrameInfo?.id == newest.id { break }
    }
    throw .capturing
  }

  /// Why no frames come, the most important reason; `nil` while nothing is known to be wrong.
  private var cameraOutage: InterruptionReason? {
    let lasting = Set(interruptions.lasting.filter(\.refuses).map(\.reason))
    return (InterruptionReason.ofCamera + [.stoppedByTechnician]).first { lasting.contains($0) }
  }

  /// Where the lens of the camera in use can be placed, in dioptres; `nil` when it cannot, and while
  /// no camera streams.
  public var lensPositions: ClosedRange<Double>? {
    get async {
      guard let camera, status.stream != nil else { return nil }
      let capabilities = await watched { await camera.capabilities }
      return capabilities.focusModes.contains(.locked) ? capabilities.lensPositions : nil
    }
  }
}
