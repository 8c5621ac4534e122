package import Devices

/// A frame for viewing only.
package struct PreviewFrame: Sendable {
  /// The leased frame, which should be released soon.
  package let frame: FrameLease
  /// The clockwise angle by which the frame's picture has to be turned to be upright.
  package let captureAngle: Int
  /// The clockwise angle by which the picture has to be turned on a display fixed to the rig.
  package let previewAngle: Int
  /// Whether a display shows the picture as in a mirror, as that of a camera facing the operator.
  package let isMirrored: Bool
  /// The ID of the camera that took the frame.
  package let camera: CameraDescription.ID
}

/// The reason that there is no preview frame.
package enum PreviewRefusal: Error, Sendable, Hashable {
  /// No camera gives frames; with the reason, if known.
  case noFrames(InterruptionReason?)
  /// Captures need the frames at this moment.
  case capturing
}
