/// The bytes of a request's body, whose parts follow one another.
///
/// All files are opened at the start, so that the length is known and a file replaced meanwhile is
/// sent in its old version. No file is read before its turn.
struct BodySequence: ~Copyable {
  /// A part, shared so that an array can hold it.
  private final class Part {
    var source: BodySource

    init(_ body: HTTPBody) throws(ReadFailure) { source = try BodySource(body) }
  }

  /// The number of bytes when the transfer began; `nil` when the request has no body.
  let byteCount: Int64?
  private let parts: [Part]
  /// The index of the part to read from.
  private var current = 0

  /// Opens a body.
  ///
  /// - Throws: ``ReadFailure`` when a file cannot be opened or is not a regular file.
  init(_ body: HTTPBody) throws(ReadFailure) {
    var parts: [Part] = []
    for part in Self.flattened(body) { parts.append(try Part(part)) }
    self.parts = parts
    if case .none = body {
      byteCount = nil
    } else {
      byteCount = parts.reduce(0) { $0 + ($1.source.byteCount ?? 0) }
    }
  }

  private static func flattened(_ body: HTTPBody) -> [HTTPBody] {
    switch body {
    case .none: []
    case .parts(let parts): parts.flatMap(flattened)
    case .bytes, .file, .fileRange: [body]
    }
  }

  /// Copies the next bytes, at most as many as fit; returns their number, 0 at the end.
  ///
  /// - Throws: ``ReadFailure`` when a file cannot be read or has become shorter.
  mutating func read(into buffer: UnsafeMutableRawBufferPointer) throws(ReadFailure) -> Int {
    while current < parts.count {
      let count = try parts[current].source.read(into: buffer)
      if count > 0 || buffer.isEmpty { return count }
      current += 1
    }
    return 0
  }

  /// Moves to a byte, as libcurl requires before resending a body; `false` for an invalid offset.
  mutating func seek(to offset: Int64) -> Bool {
    guard let byteCount, (0...byteCount).contains(offset) else { return false }
    var rest = offset
    current = parts.count
    for (index, part) in parts.enumerated() {
      let inside = min(rest, part.source.byteCount ?? 0)
      guard part.source.seek(to: inside) else { return false }
      if rest < part.source.byteCount ?? 0, current == parts.count { current = index }
      rest -= inside
    }
    return true
  }
}
