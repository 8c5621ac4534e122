/// A strict parser for untrusted JSON, of limited depth and without duplicate names.
///
/// Names are compared by Unicode equivalence.
struct JSONParser {
  /// The reason for which a text is not JSON.
  struct Failure: Error, Hashable, CustomStringConvertible {
    /// The problem.
    var problem: String
    /// The problem's position, in bytes from the beginning.
    var offset: Int

    var description: String { "\(problem) at byte \(offset)" }
  }

  /// The maximum nesting depth of arrays and objects.
  static let maximumDepth = 64

  private let bytes: [UInt8]
  private var position = 0

  private init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Reads a text that is one value and nothing else.
  ///
  /// - Throws: ``Failure``.
  static func parse(_ text: some Sequence<UInt8>) throws(Failure) -> JSONValue {
    var parser = JSONParser(Array(text))
    guard String(validating: parser.bytes, as: UTF8.self) != nil else {
      throw Failure(problem: "it is not UTF-8", offset: 0)
    }
    let value = try parser.value(depth: 0)
    parser.skipSpace()
    guard parser.position == parser.bytes.count else { throw parser.failure("more text") }
    return value
  }

  private func failure(_ problem: String) -> Failure { Failure(problem: problem, offset: position) }

  private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func skipSpace() {
    while let byte = next, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D {
      position += 1
    }
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard next == byte else { return false }
    position += 1
    return true
  }

  private mutating func value(depth: Int) throws(Failure) -> JSONValue {
    guard depth < Self.maximumDepth else { throw failure("too many levels") }
    skipSpace()
    switch next {
    case UInt8(ascii: "{"): return try object(depth: depth)
    case UInt8(ascii: "["): return try array(depth: depth)
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    default: return .number(try number())
    }
  }

  private mutating func word(_ word: String, _ value: JSONValue) throws(Failure) -> JSONValue {
    guard bytes[position...].starts(with: word.utf8) else { throw failure("no value") }
    position += word.utf8.count
    return value
  }

  private mutating func object(depth: Int) throws(Failure) -> JSONValue {
    position += 1
    var members: [String: JSONValue] = [:]
    skipSpace()
    if take(UInt8(ascii: "}")) { return .object(members) }
    repeat {
      skipSpace()
      guard next == UInt8(ascii: "\"") else { throw failure("no name") }
      let name = try string()
      skipSpace()
      guard take(UInt8(ascii: ":")) else { throw failure("no colon") }
      guard members.updateValue(try value(depth: depth + 1), forKey: name) == nil else {
        throw failure("a name that is there twice")
      }
      skipSpace()
    } while take(UInt8(ascii: ","))
    guard take(UInt8(ascii: "}")) else { throw failure("no end of an object") }
    return .object(members)
  }

  private mutating func array(depth: Int) throws(Failure) -> JSONValue {
    position += 1
    var elements: [JSONValue] = []
    skipSpace()
    if take(UInt8(ascii: "]")) { return .array(elements) }
    repeat {
      elements.append(try value(depth: depth + 1))
      skipSpace()
    } while take(UInt8(ascii: ","))
    guard take(UInt8(ascii: "]")) else { throw failure("no end of an array") }
    return .array(elements)
  }

  private mutating func digits() throws(Failure) {
    let first = position
    while let byte = next, (0x30...0x39).contains(byte) { position += 1 }
    guard position > first else { throw failure("no digit") }
  }

  private mutating func number() throws(Failure) -> String {
    let first = position
    _ = take(UInt8(ascii: "-"))
    if !take(UInt8(ascii: "0")) { try digits() }
    if take(UInt8(ascii: ".")) { try digits() }
    if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
      if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
      try digits()
    }
    return String(decoding: bytes[first..<position], as: UTF8.self)
  }

  private mutating func string() throws(Failure) -> String {
    position += 1
    var text: [UInt8] = []
    while let byte = next {
      position += 1
      switch byte {
      case UInt8(ascii: "\""): return String(decoding: text, as: UTF8.self)
      case UInt8(ascii: "\\"): text += try escape()
      case ..<0x20: throw failure("a control character")
      default: text.append(byte)
      }
    }
    throw failure("no end of a string")
  }

  private mutating func escape() throws(Failure) -> [UInt8] {
    let kind = next
    position += 1
    switch kind {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return kind.map { [$0] } ?? []
    case UInt8(ascii: "b"): return [0x08]
    case UInt8(ascii: "f"): return [0x0C]
    case UInt8(ascii: "n"): return [0x0A]
    case UInt8(ascii: "r"): return [0x0D]
    case UInt8(ascii: "t"): return [0x09]
    case UInt8(ascii: "u"):
      var value = try fourDigits()
      if (0xD800...0xDBFF).contains(value) {
        guard take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")) else {
          throw failure("half a character")
        }
        let low = try fourDigits()
        guard (0xDC00...0xDFFF).contains(low) else { throw failure("half a character") }
        value = 0x10000 + (value - 0xD800) << 10 + (low - 0xDC00)
      }
      guard let scalar = Unicode.Scalar(value) else { throw failure("half a character") }
      return Array(String(Character(scalar)).utf8)
    default: throw failure("an unknown escape")
    }
  }

  private mutating func fourDigits() throws(Failure) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      guard let byte = next,
        let digit = Character(UnicodeScalar(byte)).hexDigitValue, byte < 0x80
      else { throw failure("no hexadecimal digit") }
      value = value << 4 | UInt32(digit)
      position += 1
    }
    return value
  }
}
