package import Devices

/// The settings of a single capture (`AVCapturePhotoSettings`).
package struct PhotoSettings: Sendable, Hashable {
  /// The prioritization; `nil` takes the session's.
  package var prioritization: QualityPrioritization?
  /// Whether quality may be lowered when presses come faster than they can be stored.
  package var allowsFastCapture: Bool
  /// Whether the picture replaces the last one; see ``RetakeTrail``.
  package var replacesLastPhoto: Bool
  /// The frames of a bracket; `nil` for a single picture.
  package var bracket: Bracket?
  /// The merging of the bracket; `nil` takes the session's.
  package var merge: BracketMerge?
  /// The use of the lamp; `nil` takes the session's.
  package var flashMode: FlashMode?
  /// The formats of the files; `nil` takes the session's.
  package var formats: Set<PhotoFormat>?

  package init(
    prioritization: QualityPrioritization? = nil, allowsFastCapture: Bool = true,
    replacesLastPhoto: Bool = false, bracket: Bracket? = nil, flashMode: FlashMode? = nil,
    formats: Set<PhotoFormat>? = nil, merge: BracketMerge? = nil
  ) {
    self.merge = merge
    self.prioritization = prioritization
    self.allowsFastCapture = allowsFastCapture
    self.replacesLastPhoto = replacesLastPhoto
    self.bracket = bracket
    self.flashMode = flashMode
    self.formats = formats
  }
}

extension PhotoSettings {
  /// Returns the kinds of a capture's files, in order: all photos, then their renditions.
  func deliveries(
    besides renditions: [PhotoDelivery.Kind], merge: BracketMerge = .off
  ) -> [PhotoDelivery.Kind] {
    let frameCount = bracket?.values.count ?? 1
    let count =
      switch merge {
      case .off: frameCount
      case .add: frameCount + 1
      case .only: 1
      }
    return (0..<count).map { _ in PhotoDelivery.Kind.photo }
      + (0..<count).flatMap { _ in renditions }
  }
}

/// The settings of a capture, fixed before its frame is chosen (`AVCaptureResolvedPhotoSettings`).
package struct ResolvedPhotoSettings: Sendable, Hashable {
  /// The press's number, unique across restarts.
  package var uniqueID: Int64
  /// The frame's size in pixels.
  package var photoDimensions: FrameSize
  /// The prioritization used.
  package var prioritization: QualityPrioritization
  /// Whether ``prioritization`` was lowered because presses come faster than they can be stored.
  package var isFastCapture: Bool
  /// The kinds of the deliveries, in order.
  ///
  /// A bracket has a photo for each frame, and one for the merged picture. When a bracket cannot be
  /// merged, only announced deliveries are reported.
  package var expectedDeliveries: [PhotoDelivery.Kind]
  /// The presses whose picture this capture replaces; empty for one that replaces none.
  ///
  /// The retake replaces the picture of the first listed press that has a stored picture at the
  /// time that the retake is stored.
  package var replacedPresses: [Int64] = []
  /// The decision about the lamp's light; `nil` without a lamp.
  package var flash: ResolvedFlash?
  /// The reason that no frames are averaged for *quality*, as far as it is known before the choice.
  package var singleFrame: SingleFrameReason?
  /// The merging of the bracket; `off` without a bracket, and with ``unmerged``.
  package var merge = BracketMerge.off
  /// The reason that a bracket is not merged although that is wanted; `nil` otherwise.
  package var unmerged: UnmergedReason?

  /// Whether the picture is the average of several frames, if there are some.
  var isAverage: Bool { prioritization == .quality && singleFrame == nil }

  /// The number of deliveries when nothing fails.
  package var expectedPhotoCount: Int { expectedDeliveries.count }
}

/// A file of a capture on stable storage.
package struct PhotoDelivery: Sendable, Hashable {
  /// The kind of a capture's file; an open set, spelled as it appears in the API.
  package struct Kind: RawRepresentable, Sendable, Hashable, Codable, CustomStringConvertible {
    /// The kind's spelling, in lower camel case.
    package let rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }

    /// The whole frame, processed.
    package static let photo = Kind(rawValue: "photo")

    /// The spelling.
    package var description: String { rawValue }
  }

  /// Whether the file is the final version of its picture (`AVCaptureDeferredPhotoProxy`).
  package enum Finality: String, Sendable, Hashable, Codable {
    /// The file will not be replaced.
    case final
    /// A better file follows under the same item ID when there is time.
    case proxy
  }

  /// The file's kind.
  package var kind: Kind
  /// The file's place among the deliveries of the capture, from 1.
  package var index: Int
  /// The stored file.
  package var photo: StoredPhoto
  /// Whether a better file follows.
  package var finality: Finality

  package init(kind: Kind, index: Int, photo: StoredPhoto, finality: Finality = .final) {
    self.kind = kind
    self.index = index
    self.photo = photo
    self.finality = finality
  }
}
