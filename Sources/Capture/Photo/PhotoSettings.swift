public import Devices

/// What a single capture is asked to give (`AVCapturePhotoSettings`).
public struct PhotoSettings: Sendable, Hashable {
  /// What counts more; `nil` takes what the session is set to.
  public var prioritization: QualityPrioritization?
  /// Whether quality may be lowered when presses come faster than they can be stored.
  public var allowsFastCapture: Bool
  /// Whether the picture replaces the last one; see ``RetakeTrail``.
  public var replacesLastPhoto: Bool

  /// Makes settings.
  public init(
    prioritization: QualityPrioritization? = nil, allowsFastCapture: Bool = true,
    replacesLastPhoto: Bool = false
  ) {
    self.prioritization = prioritization
    self.allowsFastCapture = allowsFastCapture
    self.replacesLastPhoto = replacesLastPhoto
  }
}

/// What a capture will give, fixed before its frame is chosen (`AVCaptureResolvedPhotoSettings`).
public struct ResolvedPhotoSettings: Sendable, Hashable {
  /// The press's number: no other capture has it, over restarts too.
  public var uniqueID: Int64
  /// The frame's size in pixels.
  public var photoDimensions: FrameSize
  /// What counts more.
  public var prioritization: QualityPrioritization
  /// Whether ``prioritization`` was lowered because presses come faster than they can be stored.
  public var isFastCapture: Bool
  /// What will be delivered, in this order; a bracket would name several pictures here.
  public var expectedDeliveries: [PhotoDelivery.Kind]
  /// The presses whose picture this one replaces; empty for a picture that replaces none.
  ///
  /// It is that of the first one that has any when this one is stored.
  public var replacedPresses: [Int64]

  /// How many deliveries come when nothing fails.
  public var expectedPhotoCount: Int { expectedDeliveries.count }

  /// Makes resolved settings.
  public init(
    uniqueID: Int64, photoDimensions: FrameSize, prioritization: QualityPrioritization,
    isFastCapture: Bool, expectedDeliveries: [PhotoDelivery.Kind], replacedPresses: [Int64] = []
  ) {
    self.uniqueID = uniqueID
    self.photoDimensions = photoDimensions
    self.prioritization = prioritization
    self.isFastCapture = isFastCapture
    self.expectedDeliveries = expectedDeliveries
    self.replacedPresses = replacedPresses
  }
}

/// One file of a capture on stable storage.
public struct PhotoDelivery: Sendable, Hashable {
  /// What a file of a capture is; an open set, spelled as it appears in the API.
  public struct Kind: RawRepresentable, Sendable, Hashable, Codable, CustomStringConvertible {
    /// The kind's spelling, in lower camel case.
    public let rawValue: String

    /// Makes a kind from its spelling.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The whole frame, processed.
    public static let photo = Kind(rawValue: "photo")

    /// The spelling.
    public var description: String { rawValue }
  }

  /// Whether the file is the last word on its picture (`AVCaptureDeferredPhotoProxy`).
  public enum Finality: String, Sendable, Hashable, Codable {
    /// The file stays as it is.
    case final
    /// A better one follows under the same item ID when there is time.
    case proxy
  }

  /// What it is.
  public var kind: Kind
  /// Its place among the deliveries of the capture, from 1.
  public var index: Int
  /// The stored file.
  public var photo: StoredPhoto
  /// Whether a better one follows.
  public var finality: Finality

  /// Makes a delivery.
  public init(kind: Kind, index: Int, photo: StoredPhoto, finality: Finality = .final) {
    self.kind = kind
    self.index = index
    self.photo = photo
    self.finality = finality
  }
}
