import Devices

/// The wanted size of the pictures.
package enum SizeSetting: Sendable, Hashable {
  /// A preset by name; see ``presets``.
  case preset(String)
  /// A custom size in pixels.
  case custom(width: Int, height: Int)

  /// The names of the presets: 1024 × 768, 1920 × 1080, and the camera's largest size.
  package static let presets = ["document", "1080p", "full"]

  /// Reads a size from its three keys; `nil` when all of them are missing.
  init?(preset: String?, width: Int?, height: Int?) throws {
    switch (preset, width, height) {
    case (nil, nil, nil): return nil
    case (let preset?, nil, nil):
      guard Self.presets.contains(preset) else {
        throw InvalidValue.unknownWord(preset, of: "preset", Self.presets)
      }
      self = .preset(preset)
    case (nil, let width?, let height?):
      try InvalidValue.require(width, in: 16...65536, "width")
      try InvalidValue.require(height, in: 16...65536, "height")
      self = .custom(width: width, height: height)
    default:
      throw APIError(
        .invalidRequest, "A size takes either \"preset\", or both \"width\" and \"height\".")
    }
  }
}
