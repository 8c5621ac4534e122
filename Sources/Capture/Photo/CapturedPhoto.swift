package import Devices

/// A frame that was taken for a press, on its way to be encoded and stored.
package struct CapturedPhoto: Sendable {
  /// The press.
  package var press: Press
  /// The chosen frame, and its distance from the press.
  package var selection: FrameSelection
  /// The frame; its memory goes back to the camera when the last reference is gone.
  package var frame: FrameLease
  /// The clockwise angle by which the picture has to be turned to be upright.
  package var captureAngle: Int
  /// The source of the angle.
  package var orientationSource = OrientationSource.fixed
  /// The camera that took the frame.
  package var camera: CameraDescription
  /// The settings of the capture.
  package var settings: ResolvedPhotoSettings
  /// Whether camera role, preset and zoom are those of the configuration.
  ///
  /// If so, measurements made with these hold for the picture.
  package var isAsConfigured = true
  /// The measured pixels to an inch of the page; `nil` when no scale holds for the frame.
  package var pixelsPerInch: Double?
  /// Whether the frame was exposed in the lamp's light; a failed lamp gives none.
  package var isFlashFired = false
  /// Whether the frame lost data on its way from the camera, and no whole one took its place.
  package var isDamaged = false
  /// The frames to average with ``frame``, the nearest first; empty for ``frame`` alone.
  package var neighbors: [FrameLease] = []
  /// The reason that no frames are averaged for *quality*; `nil` with ``neighbors``.
  package var singleFrame: SingleFrameReason?
  /// Whether the heat of the rig forbids work that a picture can do without.
  package var isHot = false
  /// The findings about the page; `nil` for a page that was not read.
  package var page: PageFindings?
  /// The place in a bracket; `nil` for a single picture.
  package var bracket: BracketPlace?
  /// The other pictures of the bracket, in order; empty for a single picture.
  package var companions: [CapturedPhoto] = []
}
