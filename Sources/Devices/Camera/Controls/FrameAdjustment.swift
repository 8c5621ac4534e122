/// The state of an automatic of a camera.
package enum AdjustmentState: String, Sendable, Hashable, Codable, CaseIterable {
  /// The automatic is still searching for the right value.
  case searching
  /// The automatic has found the value and follows it.
  case converged
  /// The automatic does not run: the value is fixed.
  case locked
}

/// The state of a lens's automatic (libcamera's `AfState`).
package enum FocusState: String, Sendable, Hashable, Codable, CaseIterable {
  /// The lens is not being moved by an automatic.
  case idle
  /// The automatic searches for the focus.
  case scanning
  /// The automatic has found the focus.
  case focused
  /// The automatic has found no focus.
  case failed
}

/// A part of the sensor's pixels (libcamera's `Rectangle`).
package struct SensorRegion: Sendable, Hashable, Codable {
  /// The first column, from 0.
  package var left: Int
  /// The first row, from 0.
  package var top: Int
  /// The columns and rows.
  package var size: FrameSize

  package init(left: Int, top: Int, size: FrameSize) {
    self.left = left
    self.top = top
    self.size = size
  }
}

/// An automatic of a camera that a picture depends on (`AVCaptureDevice.isAdjustingFocus`).
package enum CameraAdjustment: String, Sendable, Hashable, Codable, CaseIterable {
  /// The automatic of the exposure.
  case exposure
  /// The automatic of the white balance.
  case whiteBalance
  /// The automatic of the lens.
  case focus
}

extension FrameInfo {
  /// The automatics that were still searching when the frame was taken.
  package var adjusting: [CameraAdjustment] {
    CameraAdjustment.allCases.filter { adjustment in
      switch adjustment {
      case .exposure: exposureState == .searching
      case .whiteBalance: whiteBalanceState == .searching
      case .focus: focusState == .scanning
      }
    }
  }
}
