package import Capture
package import Devices
package import Imaging
package import Settings

/// The section `image`: the files of a capture and their quality.
package struct ImageSection: SettingsPart, Hashable {
  /// The JPEG quality of a photo whose size is not limited, 1...100.
  package var fixedQuality = 90
  /// The minimum size wanted of a file, in bytes; `nil` for half of the maximum.
  package var minimumBytes: Int64?
  /// The maximum size of a file, in bytes; `nil` without a limit.
  package var maximumBytes: Int64?
  /// The formats of a photo's files, with JPEG among them.
  package var formats: [PhotoFormat] = [.jpeg]
  /// The renditions of a frame besides the photo.
  package var renditions: [Rendition] = []
  /// The limits of the rendition `document` where the page was found.
  package var document = DocumentLimits()
  /// Whether the photo has a thumbnail inside.
  package var embedsThumbnail = true
  /// The pixels to an inch of the page in a photo, 50 to 2400; `nil` if unknown.
  package var dpi: Double?
  /// The priority between speed and quality.
  package var prioritization = QualityPrioritization.balanced
  /// Whether the quality may be reduced before presses are refused.
  package var isFastCapturePrioritized = true
  /// The frames of a bracket that a button takes.
  package var bracket = Bracket.standard
  /// The merging of brackets whose press does not say.
  package var merge = BracketMerge.off
  /// Whether pictures of `quality` are stored as proxies at once, and replaced later.
  package var isDeferred = false
  /// The maximum number of pictures whose frames wait on the disk.
  package var deferredPictures = 24
  /// The maximum size of all frames that wait on the disk, in bytes.
  package var deferredBytes: Int64 = 2 << 30

  package init() {}

  /// The keys of the section.
  package static let settings: [Setting<ImageSection>] = [
    Setting(
      \.fixedQuality, "quality", .integer(1...100), only: "not with maximum_bytes",
      "the JPEG quality"),
    Setting(
      \.minimumBytes, "minimum_bytes", .bytes(0...50_000_000), only: "with maximum_bytes",
      default: "half of maximum_bytes", "the minimum size wanted of a file"),
    Setting(
      \.maximumBytes, "maximum_bytes", .bytes(10_000...50_000_000), "the maximum size of a file"),
    Setting(
      list: \.formats, "formats", of: .word, needsElement: true, default: "jpeg",
      "the formats of a photo's files, with jpeg among them; dng has the camera's raw frame"),
    Setting(
      list: \.renditions, "renditions",
      of: .words(["document": .document, "thumbnail": .thumbnail]),
      "the renditions of a frame besides the photo"),
    .group(
      "document", "the limits of the rendition document where the page is found and straightened",
      [
        Setting(
          \.document.longSide, "long_side", .integer(256...8192, unit: "pixels"),
          "the maximum of the longer side where the letters are large enough"),
        Setting(
          \.document.minimumLetterHeight, "minimum_letter_height",
          .number(0...60, unit: "pixels"),
          "the height of a small letter x up to which the picture grows, if the camera has it"),
        Setting(
          \.document.maximumBytes, "maximum_bytes", .bytes(50_000...50_000_000),
          "the maximum size of the file, with less quality and then fewer pixels"),
      ]),
    Setting(
      \.embedsThumbnail, "embedded_thumbnail", .boolean,
      "whether the photo has a thumbnail inside"),
    Setting(
      \.dpi, "dpi", .number(50...2400, unit: "pixels to an inch"), default: "not known",
      "the resolution of the page with the configured camera, preset and zoom"),
    Setting(
      \.prioritization, "prioritization", .word,
      "the priority between speed and quality; quality averages several frames of a page"),
    Setting(
      \.isFastCapturePrioritized, "fast_capture", .boolean,
      "whether the quality may be reduced before presses are refused"),
    Setting(
      \.bracket, "bracket", bracketForm, only: "with a button's action bracket",
      "the pictures of a bracket: ev, ms of exposure, focus in diopters, or lamps"),
    Setting(
      \.merge, "merge", .word,
      "whether brackets are merged into a picture: add stores it before the others, only instead "
        + "of them"),
    .valueOrSection(
      \.isDeferred, "deferred", .boolean, valueKey: "enabled",
      "whether a picture of the priority quality is stored as a single frame at once, and replaced "
        + "by the average when the rig is idle and cool",
      valueMeaning: "whether pictures are deferred",
      [
        Setting(
          \.deferredPictures, "maximum_pictures", .integer(1...1000),
          "the most pictures whose frames wait on the disk; others are averaged at once"),
        Setting(
          \.deferredBytes, "maximum_bytes", .bytes(from: 67_108_864),
          "the maximum size of all frames that wait on the disk"),
      ]),
  ]

  private static let bracketForm = SettingForm<Bracket>(
    "text", range: Bracket.forms, expected: "a bracket \(Bracket.forms)",
    text: { $0.description }, parse: { try? Bracket($0) })

  /// Refuses a size together with a quality, and a minimum without or above the maximum.
  package mutating func agree(in section: SettingsSection) {
    if !formats.contains(.jpeg) {
      section.note("needs \"jpeg\"; a photo always has that file", at: "formats")
    }
    if let maximumBytes {
      if minimumBytes ?? 0 > maximumBytes {
        section.note("is above \"maximum_bytes\"", at: "minimum_bytes")
      }
      if section.has("quality") {
        section.note("excludes \"maximum_bytes\"; keep one of the two", at: "quality")
      }
    } else if minimumBytes != nil {
      section.note("needs \"maximum_bytes\"", at: "minimum_bytes")
    }
  }

  /// The quality or the size of a photo.
  var quality: JPEGQuality {
    guard let maximumBytes else { return .quality(fixedQuality) }
    let least = min(minimumBytes ?? maximumBytes / 2, maximumBytes)
    return .byteBudget(Int(least)...Int(maximumBytes), startingAt: 85)
  }

  /// The kinds of files of a capture besides the photo.
  package var deliveries: [PhotoDelivery.Kind] {
    renditions.map { PhotoDelivery.Kind(rawValue: $0.name) }
  }

  /// The prioritizations whose files do not differ from those of the next better one.
  package var indistinctPrioritizations: Set<QualityPrioritization> {
    // A picture of `quality` is an average of frames, and differs from all others.
    settings(for: .speed) == settings(for: .balanced) ? [.speed] : []
  }

  /// Returns the settings for the files of a capture.
  package func settings(for prioritization: QualityPrioritization) -> [RenditionSettings] {
    let quality = quality.adjusted(to: prioritization)
    return [
      RenditionSettings(rendition: .full, quality: quality, embedsThumbnail: embedsThumbnail)
    ]
      + renditions.map {
        RenditionSettings(
          rendition: $0, quality: quality, document: $0 == .document ? document : nil)
      }
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
