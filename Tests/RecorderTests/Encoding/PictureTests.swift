import Devices
import Foundation
import Recorder
import TestSupport
import Testing

@testable import Recorder

@Suite struct PictureTests {
  /// The mean red of the left and the right half of a movie's first frame, as ffmpeg shows it.
  private func halves(_ bytes: [UInt8], size: FrameSize) async throws -> [Int] {
    try await withTemporaryDirectory { directory in
      let path = directory + "/movie.mp4"
      try Data(bytes).write(to: URL(fileURLWithPath: path))
      let tool = try await Tool.run(
        "ffmpeg",
        ["-v", "error", "-i", path, "-frames:v", "1", "-f", "rawvideo", "-pix_fmt", "rgb24", "-"])
      let samples = [UInt8](tool.outputData)
      try #require(samples.count == size.area * 3, "\(tool.complaint)")
      return [size.width / 4, size.width * 3 / 4].map { column in
        Int(samples[(size.height / 2 * size.width + column) * 3])
      }
    }
  }

  @Test(arguments: [PixelFormat.yuv420, .nv12, .yuyv, .rgb, .bgr])
  func `a frame of any layout looks as it came`(layout: PixelFormat) async throws {
    let frames = PaintedFrames(layout, size: FrameSize(width: 321, height: 241), seconds: 0.1)
    let journal = JournalFile()
    _ = try RecordedMovie(frames.part, in: journal).record(frames)
    let found = try await halves(journal.bytes, size: FrameSize(width: 320, height: 240))
    let expected = [Int(PaintedFrames.left), Int(PaintedFrames.right)]
    #expect(zip(found, expected).allSatisfy { abs($0 - $1) <= 4 }, "\(found)")
  }

  /// A quarter of the columns on each side are cut off, so the halves keep their brightness.
  @Test(arguments: [PixelFormat.yuv420, .nv12, .yuyv, .rgb, .bgr])
  func `a movie takes the middle of the frame, and smaller`(layout: PixelFormat) async throws {
    let frames = PaintedFrames(layout, size: FrameSize(width: 641, height: 241), seconds: 0.1)
    let journal = JournalFile()
    var part = frames.part
    part.size = FrameSize(width: 160, height: 120)
    _ = try RecordedMovie(part, in: journal).record(frames)
    let found = try await halves(journal.bytes, size: part.size)
    let expected = [Int(PaintedFrames.left), Int(PaintedFrames.right)]
    #expect(zip(found, expected).allSatisfy { abs($0 - $1) <= 4 }, "\(found)")
  }

  @Test func `a larger movie than its frames is refused`() {
    var part = PaintedFrames().part
    part.size = FrameSize(width: 640, height: 360)
    let failure = #expect(throws: RecorderFailure.self) {
      _ = try RecordedMovie(part, in: JournalFile())
    }
    #expect(
      failure?.description
        == "A recording of 640x360 is impossible: its frames have only 320x240.")
  }

  @Test(arguments: ["yuvj420p", "yuvj422p", "yuvj444p"])
  func `a JPEG image looks as it came`(layout: String) async throws {
    let size = FrameSize(width: 320, height: 240)
    let image = try await Tool.run(
      "ffmpeg",
      [
        "-v", "error", "-f", "lavfi", "-i",
        "color=c=0x3c3c3c:s=320x240,drawbox=x=160:w=160:h=240:c=0xc8c8c8:t=fill", "-frames:v", "1",
        "-pix_fmt", layout, "-q:v", "2", "-f", "mjpeg", "-",
      ])
    let format = StreamFormat(
      size: size, pixelFormat: .mjpeg, bytesPerRow: 0, colorSpace: .jpeg)
    let journal = JournalFile()
    let movie = try RecordedMovie(
      RecorderPart(format: format, frameRate: 30, prefersHardware: false), in: journal)
    try movie.add([UInt8](image.outputData), at: PaintedFrames.start)
    try movie.add([1, 2, 3], at: PaintedFrames.start.advanced(by: .milliseconds(40)))
    let part = try movie.close()
    #expect(part.frameCount == 1 && part.unusableFrameCount == 1)
    #expect(movie.sentences.count == 1)
    #expect(movie.sentences[0].hasPrefix("A JPEG image cannot be decoded and is left out: "))
    let found = try await halves(journal.bytes, size: size)
    #expect(zip(found, [60, 200]).allSatisfy { abs($0 - $1) <= 4 }, "\(found)")
  }

  @Test func `a frame that is short or not later is left out`() throws {
    let frames = PaintedFrames(seconds: 0.2)
    let movie = try RecordedMovie(frames.part, in: JournalFile())
    try movie.add(frames.bytes(0), at: frames.instant(0))
    try movie.add(frames.bytes(1), at: frames.instant(0))
    try movie.add([1, 2, 3], at: frames.instant(1))
    #expect(
      movie.sentences == [
        "A frame is not later than the one before, so it is left out.",
        "A frame has 3 bytes and \(frames.format.byteCount) were due, so it is left out.",
      ])
    let part = try movie.close()
    #expect(part.frameCount == 1 && part.unusableFrameCount == 2)
  }

  @Test func `a gap of more than half an hour ends the part`() throws {
    let frames = PaintedFrames(seconds: 0.2)
    let movie = try RecordedMovie(frames.part, in: JournalFile())
    try movie.add(frames.bytes(0), at: frames.instant(0))
    let failure = #expect(throws: RecorderFailure.self) {
      try movie.add(frames.bytes(1), at: frames.instant(0).advanced(by: .seconds(1801)))
    }
    #expect(
      failure?.description
        == "A frame came more than half an hour after the one before: the part ends.")
  }

  /// A clock that is a tenth of a second later at each look.
  private final class SlowClock: MonotonicClock {
    private let manual = ManualClock()

    var now: MonotonicInstant {
      manual.advance(by: .milliseconds(100))
      return manual.now
    }

    func sleep(until instant: MonotonicInstant) async throws {}
  }

  @Test func `a slow encoder gives way to a faster one in the same file`() async throws {
    try await withTemporaryDirectory { directory in
      let frames = PaintedFrames(purpose: 8)
      let journal = JournalFile()
      let movie = try RecordedMovie(frames.part, in: journal, clock: SlowClock())
      let part = try movie.record(frames)
      #expect(part.encoder == "libx264 ultrafast")
      // On this clock the disk falls behind, too.
      #expect(movie.sentences.count { $0.hasPrefix("The preset") } == 2)
      let path = directory + "/movie.mp4"
      try Data(journal.bytes).write(to: URL(fileURLWithPath: path))
      let probed = try await ProbedMovie.probe(path)
      #expect(probed.times == frames.times, "seed \(TestSeed.value)")
      #expect(probed.streams.first?.nb_read_frames == "\(frames.times.count)")
    }
  }

  @Test func `impossible wishes are refused with a sentence`() {
    let frames = PaintedFrames()
    func sentence(_ change: (inout RecorderPart) -> Void) -> String? {
      var part = frames.part
      change(&part)
      let failure = #expect(throws: RecorderFailure.self) {
        _ = try RecordedMovie(part, in: JournalFile())
      }
      return failure?.description
    }
    #expect(
      sentence { $0.rotation = 45 }
        == "A rotation by 45 degrees is impossible: it is 0, 90, 180 or 270 degrees.")
    #expect(
      sentence { $0.frameRate = .nan }
        == "A recording of nan frames per second is impossible: it is 0.01 to 1000.")
    #expect(
      sentence { $0.format.size.width = 0 }
        == "A recording of 0x240 is impossible: each side has 16 to 8192 pixels.")
    #expect(
      sentence { $0.format.bytesPerRow = 100 }
        == "Frames of 320x240 cannot have rows of 100 bytes.")
    #expect(
      sentence { $0.bitRate = 0 }
        == "A bit rate of 0 bits per second is impossible: it is 1 to 1000000000.")
  }
}
