public import Capture
public import Imaging

/// The section `image`: which files a capture gives, and how good they are.
///
/// | key | value | default |
/// |---|---|---|
/// | `quality` | JPEG quality, 1 to 100; excludes `maximum_bytes` | 90 |
/// | `minimum_bytes`, `maximum_bytes` | the size wanted of a file, such as `200 kB` and `500 KB` | |
/// | `renditions` | what is made of a frame besides the photo: `document`, `thumbnail` | `[]` |
/// | `embedded_thumbnail` | whether the photo has a thumbnail inside | `true` |
/// | `dpi` | pixels to an inch of the page in a photo, 50 to 2400, with the configured camera, preset and zoom | not known |
/// | `prioritization` | what counts more: `speed`, `balanced` or `quality` | `balanced` |
/// | `fast_capture` | whether quality may fall before presses are refused | `true` |
public struct ImageSection: Sendable, Hashable {
  /// How good a photo is to be, or how large.
  public var quality = JPEGQuality.quality(90)
  /// What is made of a frame besides the photo.
  public var renditions: [Rendition] = []
  /// Whether the photo has a thumbnail inside.
  public var embedsThumbnail = true
  /// The pixels to an inch of the page in a photo, 50 to 2400; `nil` when that is not known.
  public var dpi: Double?
  /// What counts more.
  public var prioritization = QualityPrioritization.balanced
  /// Whether quality may fall before presses are refused.
  public var isFastCapturePrioritized = true

  /// The renditions that a configuration may name.
  static let nameable: [Rendition] = [.document, .thumbnail]

  /// Makes the section with its defaults.
  public init() {}

  init(_ section: ConfigurationMapping) {
    let fixed = section.integer("quality", in: 1...100)
    let maximum = section.bytes("maximum_bytes", in: 10_000...50_000_000)
    let minimum = section.bytes("minimum_bytes", in: 0...50_000_000)
    if let maximum {
      let least = minimum ?? maximum / 2
      if least > maximum { section.note("is above \"maximum_bytes\"", at: "minimum_bytes") }
      quality = .byteBudget(Int(min(least, maximum))...Int(maximum), startingAt: fixed ?? 85)
      if fixed != nil {
        section.note("excludes \"maximum_bytes\"; keep one of the two", at: "quality")
      }
    } else {
      if minimum != nil { section.note("needs \"maximum_bytes\"", at: "minimum_bytes") }
      quality = .quality(fixed ?? 90)
    }
    let names = Self.nameable.map(\.name).joined(separator: " or ")
    renditions =
      section.list(
        "renditions", expected: names, parse: { name in Self.nameable.first { $0.name == name } })
      ?? renditions
    embedsThumbnail = section.boolean("embedded_thumbnail") ?? embedsThumbnail
    dpi = section.number("dpi", in: 50...2400)
    prioritization = section.word("prioritization", QualityPrioritization.self) ?? prioritization
    isFastCapturePrioritized = section.boolean("fast_capture") ?? isFastCapturePrioritized
    section.refuseUnknownKeys()
  }

  /// The kinds of files that a capture gives besides the photo.
  var deliveries: [PhotoDelivery.Kind] {
    renditions.map { PhotoDelivery.Kind(rawValue: $0.name) }
  }

  /// The prioritisations with which the files are made as with the next better one.
  var indistinctPrioritizations: Set<QualityPrioritization> {
    let all = QualityPrioritization.allCases
    return Set(
      zip(all, all.dropFirst()).filter { settings(for: $0) == settings(for: $1) }.map(\.0))
  }

  /// How the files of a capture are to be made.
  func settings(for prioritization: QualityPrioritization) -> [RenditionSettings] {
    let quality = quality.adjusted(to: prioritization)
    return [
      RenditionSettings(rendition: .full, quality: quality, embedsThumbnail: embedsThumbnail)
    ] + renditions.map { RenditionSettings(rendition: $0, quality: quality) }
  }
}

extension JPEGQuality {
  /// The quality that a prioritisation makes of the configured one.
  ///
  /// It is 15 less for speed, at least 50, and 5 more for quality, at most 97. A byte budget holds
  /// whatever counts more: speed aims at its lower half, quality at its upper half.
  func adjusted(to prioritization: QualityPrioritization) -> JPEGQuality {
    switch (self, prioritization) {
    case (_, .balanced): self
    case (.quality(let quality), .speed): .quality(min(quality, max(50, quality - 15)))
    case (.quality(let quality), .quality): .quality(max(quality, min(97, quality + 5)))
    case (.byteBudget(let budget, let first, _), _) where budget.count > 1:
      .byteBudget(
        budget, startingAt: first,
        aimingAt: prioritization == .speed
          ? budget.lowerBound...budget.middle : budget.middle...budget.upperBound)
    case (.byteBudget, _): self
    }
  }
}

extension ClosedRange<Int> {
  fileprivate var middle: Int { lowerBound + (upperBound - lowerBound) / 2 }
}
