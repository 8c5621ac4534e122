/// How pictures are made: the section `image`.
///
/// | key | value | default |
/// |---|---|---|
/// | `quality` | 1...100: the JPEG quality, from smallest file to best picture | `90` |
public struct ImageConfiguration: Sendable, Hashable {
  /// The JPEG quality.
  public var quality: Int

  init(reading mapping: ConfigurationMapping) {
    quality = mapping.read("quality", as: .integer(1...100), default: 90)
  }
}
