import Devices

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Paints frames of the page scene, each scene only once.
///
/// What has been painted is kept and copied into the buffers; a buffer that already shows the
/// scene gets only a new frame number.
struct PageScenePainter {
  private let format: StreamFormat
  /// The scenes painted last, the latest at the end.
  private var painted: [(scene: PageScene, bytes: [UInt8])] = []
  /// What each buffer shows.
  private var shown: [Int: PageScene] = [:]

  /// How many painted scenes are kept: the four turns of a page.
  static let keptScenes = 4

  init(format: StreamFormat) { self.format = format }

  /// Paints a frame.
  ///
  /// - Parameters:
  ///   - page: the page's number, 0...65535.
  ///   - turn: how the camera is turned.
  ///   - look: how bright, sharp and near it is shown.
  ///   - number: what the frame counter shows.
  ///   - buffer: which buffer it is.
  ///   - base: the buffer's memory, at least `format.byteCount` bytes.
  mutating func paint(
    page: Int, turn: QuarterTurn, look: SceneLook = SceneLook(), number: UInt32, buffer: Int,
    base: UnsafeMutableRawPointer
  ) {
    let scene = PageScene(page: page, turn: turn, look: look, format: format)
    if shown[buffer] != scene {
      let bytes = bytes(of: scene)
      bytes.withUnsafeBytes { bytes in
        if let source = bytes.baseAddress { memcpy(base, source, bytes.count) }
      }
      shown[buffer] = scene
    }
    PageScene.paintFrameNumber(number, format: format, on: base)
  }

  private mutating func bytes(of scene: PageScene) -> [UInt8] {
    if let index = painted.firstIndex(where: { $0.scene == scene }) {
      let entry = painted.remove(at: index)
      painted.append(entry)
      return entry.bytes
    }
    var bytes = [UInt8](repeating: 0, count: format.byteCount)
    bytes.withUnsafeMutableBytes { bytes in
      if let base = bytes.baseAddress { scene.paint(on: base) }
    }
    if painted.count >= PageScenePainter.keptScenes { painted.removeFirst() }
    painted.append((scene, bytes))
    return bytes
  }
}
