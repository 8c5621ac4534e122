package import Devices

/// The size of a movie's pictures (`AVCaptureSession.Preset`).
///
/// A movie is made of the session's frames, so that photos keep their size meanwhile. Pictures are
/// never enlarged.
package enum MoviePreset: String, Sendable, Hashable, CaseIterable {
  /// At most 1280 × 720 pixels, the middle of the frame in the shape 16:9.
  case hd1280x720 = "720p"
  /// At most 1920 × 1080 pixels, the middle of the frame in the shape 16:9.
  case hd1920x1080 = "1080p"
  /// The whole frame in its own shape, with at most as many pixels as 1920 × 1080.
  case fullFieldOfView = "full"

  private var area: Int { self == .hd1280x720 ? 1280 * 720 : 1920 * 1080 }

  /// Returns the size of the movie's pictures, with even numbers of columns and rows.
  ///
  /// - Parameters:
  ///   - frame: the size of the frames.
  ///   - maximumArea: the maximum number of pixels, 4 or more; `nil` for the preset's own.
  package func size(of frame: FrameSize, maximumArea: Int? = nil) -> FrameSize {
    var (width, height) = (Double(frame.width), Double(frame.height))
    if self != .fullFieldOfView {
      (width, height) = (min(width, height * 16 / 9), min(height, width * 9 / 16))
    }
    let area = Double(min(area, maximumArea ?? area))
    let scale = min(1, (area / (width * height)).squareRoot())
    // A size that fits exactly must not lose two pixels to the rounding of the root.
    func even(_ length: Double) -> Int { max(2, Int(length * scale / 2 + 0.001) * 2) }
    return FrameSize(width: even(width), height: even(height))
  }
}

/// The compression of a movie's pictures.
package enum MovieCompression: Sendable, Hashable {
  /// The levels of quality.
  package enum Quality: String, Sendable, Hashable, CaseIterable {
    /// Small files with visible losses.
    case low
    /// Losses that are seldom visible.
    case medium
    /// Hardly any visible loss.
    case high
  }

  /// About as many bits as the quality needs.
  case quality(Quality)
  /// A mean number of bits per second, see ``MovieSettings/bitRates``.
  case bitRate(Int)
}

/// The settings of a recording.
package struct MovieSettings: Sendable, Hashable {
  /// The limits that end a recording in order; `nil` for no limit.
  package struct Limits: Sendable, Hashable {
    /// The maximum recorded time, above 0.
    package var duration: Duration?
    /// The maximum number of bytes of all parts, 1 or more.
    package var byteCount: Int64?
    /// The minimum number of free bytes where the parts are written, 0 or more.
    package var freeByteCount: Int64?

    package init(
      duration: Duration? = nil, byteCount: Int64? = nil, freeByteCount: Int64? = nil
    ) {
      self.duration = duration
      self.byteCount = byteCount
      self.freeByteCount = freeByteCount
    }
  }

  /// The possible frames per second.
  package static let frameRates = 1.0...120
  /// The possible bits per second.
  package static let bitRates = 100_000...100_000_000

  /// The size of the pictures.
  package var preset = MoviePreset.hd1920x1080
  /// The maximum frames per second; `nil` for all of the session's frames.
  package var frameRate: Double?
  /// The compression of the pictures.
  package var compression = MovieCompression.quality(.high)
  /// Whether sound is recorded.
  package var hasSound = true
  /// The limits of the recording.
  package var limits = Limits()
  /// The number of the press that started the recording, for its files; `nil` for none.
  package var press: Int64?

  /// Makes the settings of a movie of 1080p with sound and without limits.
  package init() {}

  /// The error of settings that no recording can have; `nil` for possible ones.
  var refusal: MovieError? {
    if let frameRate, !Self.frameRates.contains(frameRate) {
      return .impossible("\(frameRate) frames a second are not within \(Self.frameRates)")
    }
    if case .bitRate(let bits) = compression, !Self.bitRates.contains(bits) {
      return .impossible("\(bits) bits a second are not within \(Self.bitRates)")
    }
    return nil
  }
}
