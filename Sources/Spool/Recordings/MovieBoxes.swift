/// The boxes of a movie file (ISO/IEC 14496-12, 4.2), of which only the heads are read.
struct MovieBoxes {
  /// The type of a box: four characters.
  struct BoxType: RawRepresentable, Hashable {
    let rawValue: UInt32

    init(rawValue: UInt32) { self.rawValue = rawValue }

    private init(_ name: StaticString) {
      rawValue = name.withUTF8Buffer { $0.reduce(0) { $0 << 8 | UInt32($1) } }
    }

    static let movie = BoxType("moov")
    static let movieHeader = BoxType("mvhd")
    static let movieExtends = BoxType("mvex")
    static let track = BoxType("trak")
    static let fragment = BoxType("moof")
    static let fragmentHeader = BoxType("mfhd")
    static let trackFragment = BoxType("traf")
    static let media = BoxType("mdat")
    static let free = BoxType("free")
  }

  /// The beginning of a box.
  struct Head: Hashable {
    var type: BoxType
    /// The length of the head itself, 8 or 16 bytes.
    var headBytes: Int64
    /// The length of the whole box in bytes, which may lead beyond the end of the file.
    var byteCount: Int64
  }

  /// A whole box.
  struct Box: Hashable {
    var type: BoxType
    /// The place of the content.
    var content: Int64
    /// The place of the byte behind the box.
    var end: Int64
  }

  /// The number of children of a box after which the box counts as damaged.
  static let childLimit = 1024

  /// The file's length in bytes.
  let byteCount: Int64
  /// The closure that returns up to 16 bytes from a place in the file on.
  let read: (_ offset: Int64) throws(FileSystemError) -> [UInt8]

  /// Reads the head of a box; `nil` for a cut one, and for a box without a length of its own.
  func head(at offset: Int64) throws(FileSystemError) -> Head? {
    guard offset <= byteCount - 8 else { return nil }
    let bytes = try read(offset)
    guard bytes.count >= 8 else { return nil }
    func number(_ range: Range<Int>) -> UInt64 { bytes[range].reduce(0) { $0 << 8 | UInt64($1) } }
    let type = BoxType(rawValue: UInt32(number(4..<8)))
    let isLong = number(0..<4) == 1
    guard !isLong || bytes.count >= 16 else { return nil }
    let headBytes: Int64 = isLong ? 16 : 8
    let length = Int64(clamping: isLong ? number(8..<16) : number(0..<4))
    guard length >= headBytes else { return nil }
    return Head(type: type, headBytes: headBytes, byteCount: length)
  }

  /// Reads a box that ends at `limit` or before; `nil` for any other.
  func box(at offset: Int64, before limit: Int64) throws(FileSystemError) -> Box? {
    guard offset < limit, let head = try head(at: offset), head.byteCount <= limit - offset else {
      return nil
    }
    return Box(
      type: head.type, content: offset + head.headBytes, end: offset + head.byteCount)
  }

  /// Returns the types of the boxes that fill a box; `nil` when they do not end where it ends.
  func children(of box: Box) throws(FileSystemError) -> [BoxType]? {
    var types: [BoxType] = []
    var offset = box.content
    while offset < box.end {
      guard types.count < Self.childLimit, let child = try self.box(at: offset, before: box.end)
      else { return nil }
      types.append(child.type)
      offset = child.end
    }
    return types
  }
}
