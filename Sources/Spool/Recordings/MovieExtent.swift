/// The part of a movie file that plays, found in its boxes (ISO/IEC 14496-12).
///
/// A recorder writes `ftyp`, `moov` and then fragments, each a `moof` and its `mdat`. A closed file
/// may also be an ordinary movie, with one `moov` before or after the media.
///
/// libavformat (`hybrid_fragmented`) closes a file in two steps. The first turns the `moov` into
/// the head of an `mdat` over all fragments, and the second writes another `moov` at the end. A
/// crash in between leaves neither.
struct MovieExtent: Hashable {
  /// Bytes to write over those of the file.
  struct Patch: Hashable {
    var offset: Int64
    var bytes: [UInt8]
  }

  /// The bytes from the file's beginning that play.
  var byteCount: Int64
  /// The head of the first `moov`, which a recorder has overwritten as it closed the file.
  var patch: Patch?

  /// Finds the part of a file that plays; `nil` for a file without a whole fragment.
  ///
  /// A fragment is whole when its `mdat` ends within the file. Only heads of boxes are read.
  ///
  /// - Parameters:
  ///   - byteCount: the file's length in bytes.
  ///   - read: a closure that returns up to 16 bytes from a place in the file on.
  /// - Throws: ``FileSystemError`` of `read`.
  init?(
    byteCount: Int64, read: @escaping (_ offset: Int64) throws(FileSystemError) -> [UInt8]
  ) throws(FileSystemError) {
    let file = MovieBoxes(byteCount: byteCount, read: read)
    if let end = try Self.end(file) {
      self.init(byteCount: end)
    } else if let (patch, movieEnd) = try Self.hiddenMovie(file),
      let end = try Self.end(file, from: movieEnd, afterMovie: true)
    {
      self.init(byteCount: end, patch: patch)
    } else {
      return nil
    }
  }

  private init(byteCount: Int64, patch: Patch? = nil) {
    self.byteCount = byteCount
    self.patch = patch
  }

  /// Returns the end of the part that plays, at or after a place; `nil` when nothing plays.
  private static func end(
    _ file: MovieBoxes, from start: Int64 = 0, afterMovie isAfterMovie: Bool = false
  ) throws(FileSystemError) -> Int64? {
    var offset = start
    // A fragmented movie plays up to its last fragment, and any other with all its media.
    var movie: [MovieBoxes.BoxType]? = isAfterMovie ? [.movieHeader, .track, .movieExtends] : nil
    var hasMedia = false
    var isFragmentBegun = false
    var isConcealed = false
    var end: Int64?
    scan: while let box = try file.box(at: offset, before: file.byteCount) {
      switch box.type {
      case .movie:
        // A second movie box hides fragments that were not closed as a whole.
        guard movie == nil, let children = try file.children(of: box),
          children.first == .movieHeader, children.contains(.track)
        else { break scan }
        movie = children
        if hasMedia { end = box.end }
      case .fragment:
        guard movie != nil, let children = try file.children(of: box),
          children.first == .fragmentHeader, children.contains(.trackFragment)
        else { break scan }
        isFragmentBegun = true
      case .media:
        hasMedia = true
        if isFragmentBegun || movie?.contains(.movieExtends) == false {
          end = box.end
        } else {
          isConcealed = movie != nil
        }
        isFragmentBegun = false
      default: break
      }
      offset = box.end
    }
    // A recorder conceals a fragment until all of it is on stable storage, so its media may not be.
    let isWhole = offset == file.byteCount && !isFragmentBegun && !isConcealed
    return end.map { isWhole ? offset : $0 }
  }

  /// Finds the first `moov` of a hybrid file under the head of the `mdat` that hides it.
  ///
  /// - Returns: the bytes that show the `moov` again, and its end.
  private static func hiddenMovie(
    _ file: MovieBoxes
  ) throws(FileSystemError) -> (patch: Patch, end: Int64)? {
    var offset: Int64 = 0
    while let head = try file.head(at: offset), head.type != .media {
      guard try file.box(at: offset, before: file.byteCount) != nil else { return nil }
      offset += head.byteCount
    }
    guard let media = try file.head(at: offset), media.type == .media else { return nil }
    // The head of a long `mdat` also covers an empty box of 8 bytes before the `moov`.
    let content = offset + media.headBytes
    var end = content
    var children: [MovieBoxes.BoxType] = []
    while children.count < MovieBoxes.childLimit,
      let child = try file.box(at: end, before: file.byteCount), child.type != .fragment
    {
      children.append(child.type)
      end = child.end
    }
    guard children.first == .movieHeader, children.contains(.track),
      children.contains(.movieExtends)
    else { return nil }
    let length = end - content + 8
    guard length <= UInt32.max else { return nil }
    let head = Self.head(UInt32(length), .movie)
    return (
      Patch(offset: offset, bytes: (media.headBytes == 16 ? Self.head(8, .free) : []) + head), end
    )
  }

  private static func head(_ length: UInt32, _ type: MovieBoxes.BoxType) -> [UInt8] {
    [length, type.rawValue].flatMap { word in
      stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: word >> $0) }
    }
  }
}
