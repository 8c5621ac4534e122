import TestSupport
import Testing

@testable import Spool

/// The part of a movie that plays, whatever a crash has left.
struct MovieExtentTests {
  func extent(_ bytes: [UInt8]) throws -> MovieExtent? {
    try MovieExtent(byteCount: Int64(bytes.count)) { (offset) throws(FileSystemError) in
      Array(bytes[Int(offset)...].prefix(16))
    }
  }

  /// Returns the part that plays, as it is stored.
  func part(_ bytes: [UInt8]) throws -> [UInt8]? {
    guard let extent = try extent(bytes) else { return nil }
    var bytes = bytes
    if let patch = extent.patch {
      let place = Int(patch.offset)
      bytes.replaceSubrange(place..<place + patch.bytes.count, with: patch.bytes)
    }
    return Array(bytes.prefix(Int(extent.byteCount)))
  }

  @Test func `a fragmented movie plays up to its last whole fragment, wherever it is cut`() throws {
    let movie = MovieSample.movie(4)
    let ends = MovieSample.ends(4)
    #expect(ends.last == movie.count)
    for cut in 0...movie.count {
      let expected = ends.last { $0 <= cut }
      #expect(try extent(Array(movie[..<cut]))?.byteCount == expected.map(Int64.init), "\(cut)")
      // Blocks that never reached the disk are zeros.
      let zeros = movie[..<cut] + [UInt8](repeating: 0, count: movie.count - cut + 40)
      let end = try extent(Array(zeros))?.byteCount ?? 0
      #expect(end >= Int64(expected ?? 0), "\(cut)")
    }
  }

  @Test func `what follows the fragments is kept only if all of it is there`() throws {
    let movie = MovieSample.movie(2)
    let index = MovieSample.box("mfra", Array(repeating: 7, count: 30))
    #expect(try part(movie + index) == movie + index)
    for cut in 1..<index.count {
      #expect(try part(movie + index[..<cut]) == movie)
    }
    // A fragment without its media is none, and a second movie box would hide the fragments.
    let lonely = Array(MovieSample.fragment(3).prefix(60))
    #expect(try part(movie + lonely) == movie)
    #expect(try part(movie + MovieSample.movieBox(isFragmented: false)) == movie)
  }

  @Test func `an ordinary movie plays only as a whole`() throws {
    let head = MovieSample.box("ftyp", Array("isom".utf8))
    let media = MovieSample.box("mdat", Array(repeating: 9, count: 50))
    let index = MovieSample.movieBox(isFragmented: false)
    for movie in [head + media + index, head + index + media] {
      #expect(try part(movie) == movie)
      for cut in 0..<movie.count {
        #expect(try extent(Array(movie[..<cut])) == nil, "\(cut)")
      }
    }
    let long = head + MovieSample.longBox("mdat", Array(repeating: 9, count: 50)) + index
    #expect(try part(long) == long)
    #expect(try part(long + [1, 2, 3]) == long)
  }

  @Test(arguments: [false, true])
  func `a movie that was being closed shows its fragments again`(isLong: Bool) throws {
    let head = MovieSample.box("ftyp", Array("isom".utf8))
    let hidden = isLong ? MovieSample.box("free") : []
    let fragments = (1...3).map { MovieSample.fragment($0) }
    let movie = head + hidden + MovieSample.movieBox(isFragmented: true) + Array(fragments.joined())
    // The first movie box, and an empty box before it, become the head of the media.
    let content = Array(movie[(head.count + hidden.count + 8)...])
    let closing =
      head
      + (isLong ? MovieSample.longBox("mdat", content) : MovieSample.box("mdat", content))
    #expect(closing.count == movie.count)
    let first = movie.count - fragments.reduce(0) { $0 + $1.count }
    for cut in 0...closing.count {
      let whole = fragments.indices.map { index in
        first + fragments[...index].reduce(0) { $0 + $1.count }
      }.last { $0 <= cut }
      #expect(try part(Array(closing[..<cut])) == whole.map { Array(movie[..<$0]) }, "\(cut)")
    }
    let closed = closing + MovieSample.movieBox(isFragmented: false)
    #expect(try extent(closed)?.patch == nil)
    #expect(try part(closed) == closed)
  }

  @Test func `damaged movies never lead beyond their end, and what is left stays so`() throws {
    var random = TestSeed.generator(25)
    let head = MovieSample.box("ftyp", Array("isom".utf8))
    let sources = [
      MovieSample.movie(3), head + MovieSample.box("mdat", Array(MovieSample.movie(3)[20...])),
      [UInt8](repeating: 0, count: 300), [UInt8](repeating: 0xFF, count: 300),
    ]
    for _ in 0..<Repetitions.of(5000) {
      var bytes = sources.randomElement(using: &random) ?? []
      for _ in 0..<Int.random(in: 0...6, using: &random) {
        bytes[Int.random(in: bytes.indices, using: &random)] =
          [0, 1, 8, 0xFF, UInt8.random(in: 0...255, using: &random)]
          .randomElement(using: &random) ?? 0
      }
      guard let found = try extent(bytes), let left = try part(bytes) else { continue }
      #expect(found.byteCount <= bytes.count, "seed \(TestSeed.value)")
      #expect(try part(left) == left, "seed \(TestSeed.value)")
    }
  }
}
