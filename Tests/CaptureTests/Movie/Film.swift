import Capture
import Devices
import SimulatedDevices

/// The parts and frames that the writers of a test's recordings got.
actor Film {
  private(set) var parts: [MoviePart] = []
  /// The frames of all parts, as their leases describe them.
  private(set) var frames: [FrameInfo] = []
  /// The number of frames whose memory shows another number, and of calls in a wrong order.
  private(set) var faultCount = 0
  private var isOpen = false
  private var partFrames: [FrameInfo] = []
  private var isHolding = false
  private var held: [CheckedContinuation<Void, Never>] = []
  private var isHoldingParts = false
  private var heldParts: [CheckedContinuation<Void, Never>] = []

  /// Makes the writer of a part.
  nonisolated func makeWriter() -> any MovieWriter { FilmWriter(film: self) }

  /// Keeps the writers waiting, with the frames that they have.
  func hold() { isHolding = true }

  /// The number of frames that writers hold.
  var heldCount: Int { held.count }

  func letGo() {
    isHolding = false
    for continuation in held { continuation.resume() }
    held = []
  }

  /// Keeps closed parts from being stored.
  func holdParts() { isHoldingParts = true }

  func letPartsGo() {
    isHoldingParts = false
    for continuation in heldParts { continuation.resume() }
    heldParts = []
  }

  fileprivate func store(_ part: WrittenMoviePart) async -> WrittenMoviePart {
    if isHoldingParts { await withCheckedContinuation { heldParts.append($0) } }
    return part
  }

  fileprivate func open(_ part: MoviePart) {
    if isOpen { faultCount += 1 }
    isOpen = true
    parts.append(part)
    partFrames = []
  }

  fileprivate func append(_ frame: FrameLease) async -> MovieAppendResult {
    if isHolding { await withCheckedContinuation { held.append($0) } }
    let reading = try? PageSceneReader.read(frame)
    if !isOpen || reading?.frameNumber != UInt32(truncatingIfNeeded: frame.info.id) {
      faultCount += 1
    }
    frames.append(frame.info)
    partFrames.append(frame.info)
    return .written(MovieProgress(byteCount: Int64(partFrames.count)))
  }

  fileprivate func close() -> WrittenMoviePart {
    if !isOpen { faultCount += 1 }
    isOpen = false
    let first = partFrames.first?.timestamp
    let last = partFrames.last?.timestamp
    return WrittenMoviePart(
      number: parts.count,
      duration: first.flatMap { first in last.map { first.duration(to: $0) } }
        ?? .zero, frameCount: partFrames.count, byteCount: Int64(partFrames.count),
      encoder: "film")
  }
}

/// A writer of a ``Film``.
private struct FilmWriter: MovieWriter {
  let film: Film

  func open(_ part: MoviePart) async throws(MovieError) { await film.open(part) }

  func append(_ frame: FrameLease) async -> MovieAppendResult { await film.append(frame) }

  func close() async throws(MovieError) -> WrittenMoviePart { await film.close() }

  func store(_ part: WrittenMoviePart) async throws(MovieError) -> WrittenMoviePart {
    await film.store(part)
  }
}
