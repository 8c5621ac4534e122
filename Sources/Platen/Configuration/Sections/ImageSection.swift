package import Capture
package import Imaging

/// The section `image`: the files of a capture and their quality.
///
/// | key | value | default |
/// |---|---|---|
/// | `quality` | JPEG quality, 1 to 100; excludes `maximum_bytes` | 90 |
/// | `minimum_bytes`, `maximum_bytes` | the size wanted of a file, such as `200 kB` and `500 kB` | |
/// | `renditions` | the renditions of a frame besides the photo: `document`, `thumbnail` | `[]` |
/// | `embedded_thumbnail` | whether the photo has a thumbnail inside | `true` |
/// | `dpi` | pixels to an inch of the page in a photo, 50 to 2400, with the configured camera, preset and zoom | not known |
/// | `prioritization` | the priority: `speed`, `balanced` or `quality` | `balanced` |
/// | `fast_capture` | whether the quality may be reduced before presses are refused | `true` |
package struct ImageSection: Sendable, Hashable {
  /// The quality or the size of a photo.
  package var quality = JPEGQuality.quality(90)
  /// The renditions of a frame besides the photo.
  package var renditions: [Rendition] = []
  /// Whether the photo has a thumbnail inside.
  package var embedsThumbnail = true
  /// The pixels to an inch of the page in a photo, 50 to 2400; `nil` if unknown.
  package var dpi: Double?
  /// The priority between speed and quality.
  package var prioritization = QualityPrioritization.balanced
  /// Whether the quality may be reduced before presses are refused.
  package var isFastCapturePrioritized = true

  /// The renditions that a configuration may name.
  static let nameable: [Rendition] = [.document, .thumbnail]

  package init() {}

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

  /// The kinds of files of a capture besides the photo.
  var deliveries: [PhotoDelivery.Kind] {
    renditions.map { PhotoDelivery.Kind(rawValue: $0.name) }
  }

  /// The prioritizations whose files do not differ from those of the next better one.
  var indistinctPrioritizations: Set<QualityPrioritization> {
    let all = QualityPrioritization.allCases
    return Set(
      zip(all, all.dropFirst()).filter { settings(for: $0) == settings(for: $1) }.map(\.0))
  }

  /// Returns the settings for the files of a capture.
  func settings(for prioritization: QualityPrioritization) -> [RenditionSettings] {
    let quality = quality.adjusted(to: prioritization)
    return [
      RenditionSettings(rendition: .full, quality: quality, embedsThumbnail: embedsThumbnail)
    ] + renditions.map { RenditionSettings(rendition: $0, quality: quality) }
  }
}

extension JPEGQuality {
  /// Returns the quality for a prioritization of the configured one.
  ///
  /// Speed reduces the quality by 15, but not below 50. Quality raises it by 5, but not above 97. A
  /// byte budget always applies: speed aims at its lower half, quality at its upper half.
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
