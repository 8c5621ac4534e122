/// The value of a control of a camera: its JSON, its word, its limits and its text.
///
/// ``CameraControl`` tells the members' meanings.
protocol ControlValue: Sendable, Hashable, Codable {
  static var name: String { get }
  static var words: [String] { get }
  static func words(of capabilities: CameraCapabilities) -> Set<String>
  static func insert(
    _ word: String, _ ranges: [ClosedRange<Double>?], into capabilities: inout CameraCapabilities)
  var word: String? { get }
  var numbers: [Double] { get }
  func check() throws(InvalidValue)
  /// Returns the reason that a camera with the value's word refuses the numbers; `nil` for none.
  func refusal(by capabilities: CameraCapabilities) -> String?
  func text(_ figure: (Double, String) -> String) -> String?
}

/// A value of a control that is only a number.
extension ControlValue {
  static var words: [String] { [] }
  static func words(of capabilities: CameraCapabilities) -> Set<String> { [] }
  static func insert(
    _ word: String, _ ranges: [ClosedRange<Double>?], into capabilities: inout CameraCapabilities
  ) {}
  var word: String? { nil }
  var numbers: [Double] { [] }
}

/// A value with a word that a camera has or lacks; by default without numbers.
protocol ControlWord: ControlValue {
  associatedtype Kind: RawRepresentable, Hashable, CaseIterable where Kind.RawValue == String
  /// The kinds of the value that a camera has.
  static var kinds: WritableKeyPath<CameraCapabilities, Set<Kind>> { get }
  /// The value without its numbers.
  var kind: Kind { get }
  /// Limits the numbers of a kind to a camera's ranges.
  static func limit(
    _ kind: Kind, to ranges: [ClosedRange<Double>?], in capabilities: inout CameraCapabilities)
}

extension ControlWord {
  static var words: [String] { Kind.allCases.map(\.rawValue) }
  static func words(of capabilities: CameraCapabilities) -> Set<String> {
    Set(capabilities[keyPath: kinds].map(\.rawValue))
  }
  static func insert(
    _ word: String, _ ranges: [ClosedRange<Double>?], into capabilities: inout CameraCapabilities
  ) {
    guard let kind = Kind(rawValue: word) else { return }
    capabilities[keyPath: kinds].insert(kind)
    limit(kind, to: ranges, in: &capabilities)
  }
  static func limit(
    _ kind: Kind, to ranges: [ClosedRange<Double>?], in capabilities: inout CameraCapabilities
  ) {}
  var word: String? { kind.rawValue }
  func check() throws(InvalidValue) {}
  func refusal(by capabilities: CameraCapabilities) -> String? { nil }
}

extension OwnOr: ControlValue where Value: ControlValue {
  static var name: String { Value.name }
  static var words: [String] { Value.words }
  static func words(of capabilities: CameraCapabilities) -> Set<String> {
    Value.words(of: capabilities)
  }
  static func insert(
    _ word: String, _ ranges: [ClosedRange<Double>?], into capabilities: inout CameraCapabilities
  ) {
    Value.insert(word, ranges, into: &capabilities)
  }
  var word: String? { value?.word }
  var numbers: [Double] { value?.numbers ?? [] }
  func check() throws(InvalidValue) {
    if let value { try value.check() }
  }
  func refusal(by capabilities: CameraCapabilities) -> String? {
    value?.refusal(by: capabilities)
  }
  func text(_ figure: (Double, String) -> String) -> String? { value?.text(figure) }
}
