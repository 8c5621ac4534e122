/// How large the pictures are to be.
public enum SizeWish: Sendable, Hashable {
  /// A preset by name; see ``presets``.
  case preset(String)
  /// A size of one's own in pixels.
  case custom(width: Int, height: Int)

  /// The presets that there are: 1024 × 768, 1920 × 1080, and the camera's largest.
  public static let presets = ["document", "1080p", "full"]

  /// Reads a size from its three keys; `nil` when none of them is there.
  init?(preset: String?, width: Int?, height: Int?) throws(APIError) {
    switch (preset, width, height) {
    case (nil, nil, nil): return nil
    case (let preset?, nil, nil):
      guard Self.presets.contains(preset) else {
        throw unknownWord(preset, of: "preset", Self.presets)
      }
      self = .preset(preset)
    case (nil, let width?, let height?):
      try require(width, in: 16...65536, "width")
      try require(height, in: 16...65536, "height")
      self = .custom(width: width, height: height)
    default:
      throw APIError(
        .invalidRequest, "A size takes either \"preset\", or both \"width\" and \"height\".")
    }
  }
}

/// Refuses a number out of range.
func require<Number: Comparable>(
  _ value: Number, in range: ClosedRange<Number>, _ key: String
) throws(APIError) {
  guard range.contains(value) else {
    throw APIError(
      .invalidRequest,
      "The value of \"\(key)\" must be from \(range.lowerBound) to \(range.upperBound), "
        + "not \(value).")
  }
}

/// The error for a word that is none of those that there are.
func unknownWord(_ word: String, of key: String, _ words: [String]) -> APIError {
  APIError(
    .invalidRequest,
    "The value \"\(word.prefix(40))\" of \"\(key)\" is unknown; there are: "
      + "\(words.joined(separator: ", ")).")
}
