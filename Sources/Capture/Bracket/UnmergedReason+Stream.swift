import Devices

extension UnmergedReason {
  /// Makes the reason that is known before the frames are chosen; `nil` for none.
  init?(_ stream: ResolvedStreamConfiguration?, isHot: Bool) {
    if stream?.format.pixelFormat == .mjpeg {
      self = .compressed
    } else if isHot {
      self = .heat
    } else {
      return nil
    }
  }
}
