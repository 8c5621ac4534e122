/// How far one of a camera's automatics has come.
public enum AdjustmentState: String, Sendable, Hashable, Codable, CaseIterable {
  /// It still looks for the right value.
  case searching
  /// It has found it and follows.
  case converged
  /// It does not run: the value is fixed.
  case locked
}

/// What a lens is doing (libcamera's `AfState`).
public enum FocusState: String, Sendable, Hashable, Codable, CaseIterable {
  /// The lens is not being moved by an automatic.
  case idle
  /// The automatic looks for the focus.
  case scanning
  /// The automatic has found the focus.
  case focused
  /// The automatic has looked and found none.
  case failed
}

/// A part of the sensor's pixels (libcamera's `Rectangle`).
public struct SensorRegion: Sendable, Hashable, Codable {
  /// The first column, from 0.
  public var left: Int
  /// The first row, from 0.
  public var top: Int
  /// Columns and rows.
  public var size: FrameSize

  /// Makes a region.
  public init(left: Int, top: Int, size: FrameSize) {
    self.left = left
    self.top = top
    self.size = size
  }
}

/// An automatic of a camera that a picture depends on (`AVCaptureDevice.isAdjustingFocus`).
public enum CameraAdjustment: String, Sendable, Hashable, Codable, CaseIterable {
  /// The exposure's.
  case exposure
  /// The white balance's.
  case whiteBalance
  /// The lens's.
  case focus
}

extension FrameInfo {
  /// The automatics that still looked for the right value when the frame was taken.
  public var adjusting: [CameraAdjustment] {
    CameraAdjustment.allCases.filter { adjustment in
      switch adjustment {
      case .exposure: exposureState == .searching
      case .whiteBalance: whiteBalanceState == .searching
      case .focus: focusState == .scanning
      }
    }
  }
}
