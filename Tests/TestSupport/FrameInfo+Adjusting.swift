package import Devices

extension FrameInfo {
  /// Marks an automatic control as still searching for its value.
  package mutating func adjust(_ adjustment: CameraAdjustment) {
    switch adjustment {
    case .exposure: exposureState = .searching
    case .whiteBalance: whiteBalanceState = .searching
    case .focus: focusState = .scanning
    }
  }
}
