import Devices

extension SingleFrameReason {
  /// Makes the reason that is known before a frame is chosen; `nil` for none.
  init?(_ wanted: PhotoSettings, _ stream: ResolvedStreamConfiguration?, isHot: Bool) {
    if wanted.bracket != nil {
      self = .bracket
    } else if stream?.format.pixelFormat == .mjpeg {
      self = .compressed
    } else if isHot {
      self = .heat
    } else {
      return nil
    }
  }
}
