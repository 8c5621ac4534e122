import Devices

/// A painter of a stream's raw frames that paints each scene only once.
///
/// The raw frames have the size of the pictures. A scene in linear light has noise of its own in
/// each frame. The plain page has the same noise in all frames, which costs less.
struct RawScenePainter {
  /// The facts that a raw frame shows.
  struct Subject: Sendable, Hashable {
    var scene: PageScene
    /// The gains at which white is white in the scene's light.
    var gains: WhiteBalanceGains
    var brightness: Double
    var analogueGain: Double
  }

  let format: RawStreamFormat
  private var pictures: [(scene: PageScene, picture: LinearPicture)] = []
  private var painted: [(subject: Subject, bytes: [UInt8])] = []
  /// The subject that each buffer shows.
  private var shown: [Int: Subject] = [:]

  /// The number of scenes that are kept.
  private static let keptScenes = 2

  /// Makes a painter for a stream's raw frames; `nil` for a stream without them.
  init?(_ configuration: ResolvedStreamConfiguration) {
    guard let raw = configuration.raw else { return nil }
    format = raw
  }

  /// Paints the raw frame of a processed one.
  ///
  /// - Parameters:
  ///   - subject: the facts to show.
  ///   - seed: the seed of the noise.
  ///   - number: the frame's number.
  ///   - buffer: the buffer's number.
  ///   - memory: the buffer's memory, at least `format.byteCount` bytes.
  mutating func paint(
    _ subject: Subject, seed: UInt64, number: UInt64, buffer: Int, into memory: BufferMemory
  ) {
    var subject = subject
    let isPlain = subject.scene.linear == nil
    if isPlain {
      guard shown[buffer] != subject else { return }
      subject.scene.linear = LinearScene()
    }
    let bytes =
      painted.first { isPlain && $0.subject == subject }?.bytes
      ?? mosaic(of: subject, seed: seed, number: isPlain ? 0 : number)
    memory.withBytes { target in
      bytes.withUnsafeBytes { target.copyMemory(from: $0) }
    }
    if isPlain {
      keep(bytes, of: subject)
      subject.scene.linear = nil
      shown[buffer] = subject
    } else {
      shown[buffer] = nil
    }
  }

  private mutating func keep(_ bytes: [UInt8], of subject: Subject) {
    guard !painted.contains(where: { $0.subject == subject }) else { return }
    if painted.count >= Self.keptScenes { painted.removeFirst() }
    painted.append((subject, bytes))
  }

  private mutating func mosaic(of subject: Subject, seed: UInt64, number: UInt64) -> [UInt8] {
    guard let painter = RawMosaicPainter(format.format, gains: subject.gains) else { return [] }
    return painter.bytes(
      of: picture(of: subject.scene), brightness: subject.brightness,
      analogueGain: subject.analogueGain, seed: seed, number: number)
  }

  private mutating func picture(of scene: PageScene) -> LinearPicture {
    if let known = pictures.first(where: { $0.scene == scene }) { return known.picture }
    let picture = scene.picture(of: scene.linear ?? LinearScene())
    if pictures.count >= Self.keptScenes { pictures.removeFirst() }
    pictures.append((scene, picture))
    return picture
  }
}
