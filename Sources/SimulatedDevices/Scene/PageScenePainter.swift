import Devices
import Glibc

/// A painter of frames of the page scene that paints each scene only once.
///
/// Painted scenes are kept and copied into the buffers. A buffer that already shows the scene gets
/// only a new frame number. Each frame of a linear scene has noise of its own.
struct PageScenePainter {
  private let format: StreamFormat
  /// The scenes painted last, the latest at the end.
  private var painted: [(scene: PageScene, bytes: [UInt8])] = []
  /// The scene that each buffer shows.
  private var shown: [Int: PageScene] = [:]

  /// The number of painted scenes that are kept: the four turns of a page.
  static let keptScenes = 4

  init(format: StreamFormat) { self.format = format }

  /// Paints a frame.
  ///
  /// - Parameters:
  ///   - page: the page's number, 0...65535.
  ///   - turn: the camera's turn.
  ///   - look: the brightness, the sharpness and the zoom.
  ///   - number: the frame counter's number.
  ///   - buffer: the buffer's number.
  ///   - linear: the scene in linear light; `nil` for the plain page.
  ///   - hasHand: whether a hand lies over the sheet.
  ///   - grain: the noise of a linear scene.
  ///   - base: the buffer's memory, at least `format.byteCount` bytes.
  mutating func paint(
    page: Int, turn: QuarterTurn, look: SceneLook = SceneLook(), number: UInt32, buffer: Int,
    linear: LinearScene? = nil, hasHand: Bool = false, grain: FrameGrain? = nil,
    base: UnsafeMutableRawPointer
  ) {
    let scene = PageScene(
      page: page, turn: turn, look: look, format: format, linear: linear, hasHand: hasHand)
    if let grain {
      grain.copy(bytes(of: scene), format: format, number: number, to: base)
      shown[buffer] = nil
    } else if shown[buffer] != scene {
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
