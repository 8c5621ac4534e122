public import Devices

extension FrameInfo {
  /// Has an automatic look for its value.
  public mutating func adjust(_ adjustment: CameraAdjustment) {
    switch adjustment {
    case .exposure: exposureState = .searching
    case .whiteBalance: whiteBalanceState = .searching
    case .focus: focusState = .scanning
    }
  }
}
