/// A key of the configuration file and what it means: a line of `platenctl config explain`.
///
/// A part of a path in capitals stands for a name that is chosen freely, or for one of several.
public struct ConfigurationKey: Sendable, Hashable, Codable {
  /// The key's path, for example `camera.frame_rate` or `targets.NAME.url`.
  public let path: String
  /// What kind of value it has, for example `duration`.
  public let type: String
  /// The values that are taken, with their units; `nil` where the type says all.
  public let range: String?
  /// What holds when it is left out: a value, `none`, or `required`.
  public let standard: String
  /// What it means.
  public let meaning: String

  init(
    _ path: String, _ type: String, _ range: String? = nil, default standard: String = "none",
    _ meaning: String
  ) {
    self.path = path
    self.type = type
    self.range = range
    self.standard = standard
    self.meaning = meaning
  }

  /// A key that takes whatever its type allows.
  init(_ path: String, _ type: String, _ meaning: String) {
    self.init(path, type, nil, meaning)
  }

  /// Every key that the reader takes, in the order of the sections.
  public static let all: [ConfigurationKey] =
    ofRig + ofAPI + ofCamera + ofButtons + ofDevices + ofHeat + ofPictures + ofTargets

  /// Whether the key is meant by a path that a person has typed, or lies below it.
  ///
  /// - Parameter text: a path, with names in the place of the capitals; a part of it is enough.
  public func isMeant(by text: String) -> Bool {
    let own = path.split(separator: ".")
    let asked = text.split(separator: ".")
    guard asked.count <= own.count else { return false }
    return zip(own, asked).allSatisfy { $0 == $1 || $0.allSatisfy(\.isUppercase) }
  }
}
