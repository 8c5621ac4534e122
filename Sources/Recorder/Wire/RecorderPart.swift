package import Devices

/// The wishes for one part of a recording, which is one file.
package struct RecorderPart: Sendable, Hashable, Codable {
  /// libavcodec's name of the hardware's encoder, which drives V4L2's memory-to-memory devices.
  package static let hardwareEncoder = "h264_v4l2m2m"

  /// The layout of the frames in memory, the same for all.
  package var format: StreamFormat
  /// The size of the pictures, at most that of the frames.
  ///
  /// The largest part of the frame's middle that has this shape is scaled to it.
  package var size: FrameSize
  /// The expected frames per second, 0.01 to 1000; the frames' own times decide.
  package var frameRate: Double
  /// The clockwise rotation that players apply: 0, 90, 180 or 270 degrees.
  package var rotation: Int
  /// The most bits per second, above 0.
  package var bitRate: Int
  /// Whether an encoder of the hardware is tried first.
  package var prefersHardware: Bool
  /// The ALSA device whose sound is recorded; `nil` for none.
  package var sound: String?

  /// Makes the wishes for a part.
  ///
  /// - Parameters:
  ///   - size: the size of the pictures; `nil` for that of the frames.
  ///   - bitRate: the most bits per second; `nil` for 7 Mbit/s at 1920x1080 and 30 frames per
  ///     second, and in proportion.
  package init(
    format: StreamFormat, size: FrameSize? = nil, frameRate: Double, rotation: Int = 0,
    bitRate: Int? = nil, prefersHardware: Bool = true, sound: String? = nil
  ) {
    let size = size ?? format.size
    self.format = format
    self.size = size
    self.frameRate = frameRate
    self.rotation = rotation
    let usual = Double(size.area) * (frameRate > 1 ? min(frameRate, 120) : 1) * 0.11
    self.bitRate = bitRate ?? max(500_000, Int(usual))
    self.prefersHardware = prefersHardware
    self.sound = sound
  }

  /// The problem of impossible wishes, a sentence; `nil` when there is none.
  package var problem: String? {
    for size in [format.size, size]
    where !(16...8192).contains(size.width) || !(16...8192).contains(size.height) {
      return "A recording of \(size) is impossible: each side has 16 to 8192 pixels."
    }
    if size.width > format.size.width || size.height > format.size.height {
      return "A recording of \(size) is impossible: its frames have only \(format.size)."
    }
    if !(0.01...1000).contains(frameRate) {
      return "A recording of \(frameRate) frames per second is impossible: it is 0.01 to 1000."
    }
    if ![0, 90, 180, 270].contains(rotation) {
      return "A rotation by \(rotation) degrees is impossible: it is 0, 90, 180 or 270 degrees."
    }
    if !(1...1_000_000_000).contains(bitRate) {
      return "A bit rate of \(bitRate) bits per second is impossible: it is 1 to 1000000000."
    }
    let width = format.size.width
    let isTooNarrow =
      switch format.pixelFormat {
      case .yuv420, .nv12: format.bytesPerRow < width
      case .yuyv: format.bytesPerRow < width * 2
      case .rgb, .bgr: format.bytesPerRow < width * 3
      case .mjpeg: false
      }
    return isTooNarrow || format.bytesPerRow > 1 << 20
      ? "Frames of \(format.size) cannot have rows of \(format.bytesPerRow) bytes." : nil
  }
}

/// A finished part of a recording.
package struct RecordedPart: Sendable, Hashable, Codable {
  /// The time from the first frame to the end of the last.
  package var duration: Duration
  /// The number of frames in the file.
  package var frameCount: Int
  /// The number of frames that the recorder could not use.
  package var unusableFrameCount: Int
  /// The length of the file in bytes.
  package var byteCount: Int
  /// The encoder's name with its last preset, for example `libx264 veryfast`.
  package var encoder: String
  /// The form of the closed file.
  package var form: Form

  package init(
    duration: Duration, frameCount: Int, unusableFrameCount: Int, byteCount: Int, encoder: String,
    form: Form
  ) {
    self.duration = duration
    self.frameCount = frameCount
    self.unusableFrameCount = unusableFrameCount
    self.byteCount = byteCount
    self.encoder = encoder
    self.form = form
  }

  /// The form of a closed file.
  package enum Form: String, Sendable, Hashable, Codable {
    /// An ordinary MP4 file, in the file that was recorded.
    case ordinary
    /// An ordinary MP4 file, which is a copy of the fragmented one.
    case ordinaryCopy
    /// A fragmented MP4 file, which players play as well.
    case fragmented
  }
}

/// The failure of a recorder or of its part.
package struct RecorderFailure: Error, Sendable, Hashable, Codable, CustomStringConvertible {
  /// The failure in a sentence: the object quoted, the cause last, then what happens.
  package var description: String

  package init(_ description: String) {
    self.description = description
  }
}
