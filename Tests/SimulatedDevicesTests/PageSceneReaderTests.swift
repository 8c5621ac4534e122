import Devices
import Foundation
import Testing

@testable import SimulatedDevices

/// A picture of the scene in plain luma, as the reader's tests turn and spoil it.
private struct Picture {
  var size: FrameSize
  var luma: [UInt8]

  init(size: FrameSize, luma: [UInt8]) {
    self.size = size
    self.luma = luma
  }

  init(page: Int, turn: QuarterTurn, number: UInt32, size: FrameSize) {
    let stride = (size.width + 63) / 64 * 64
    let format = StreamFormat(
      size: size, pixelFormat: .yuv420, bytesPerRow: stride, colorSpace: .jpeg)
    var bytes = [UInt8](repeating: 0, count: format.byteCount)
    bytes.withUnsafeMutableBytes { bytes in
      guard let base = bytes.baseAddress else { return }
      PageScene(page: page, turn: turn, format: format).paint(on: base)
      PageScene.paintFrameNumber(number, format: format, on: base)
    }
    self.size = size
    luma = (0..<size.height).flatMap { bytes[($0 * stride)..<($0 * stride + size.width)] }
  }

  /// The picture turned clockwise by a quarter, pixel by pixel.
  var turned: Picture {
    var turned: [UInt8] = []
    turned.reserveCapacity(luma.count)
    for x in 0..<size.width {
      for y in (0..<size.height).reversed() { turned.append(luma[y * size.width + x]) }
    }
    return Picture(size: FrameSize(width: size.height, height: size.width), luma: turned)
  }

  func noisy(_ random: inout SplitMix64, by amount: Int) -> Picture {
    let spoilt = luma.map { sample in
      let deviation = Int(random.next() % UInt64(2 * amount + 1)) - amount
      return UInt8(min(max(Int(sample) + deviation, 0), 255))
    }
    return Picture(size: size, luma: spoilt)
  }

  var reading: PageSceneReader.Reading { PageSceneReader(size: size).read(luma: luma) }
}

@Suite struct PageSceneReaderTests {
  static let sizes = [
    FrameSize(width: 320, height: 180), FrameSize(width: 640, height: 480),
    FrameSize(width: 1000, height: 562), FrameSize(width: 480, height: 640),
  ]

  @Test(arguments: [UInt64](1...40)) func `reads number, page and up under noise`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let size = Self.sizes[Int(random.next() % 4)]
    let turn = QuarterTurn.allCases[Int(random.next() % 4)]
    let number = UInt32(truncatingIfNeeded: random.next())
    let page = Int(random.next() % 65536)
    let reading = Picture(page: page, turn: turn, number: number, size: size)
      .noisy(&random, by: 40).reading
    #expect(reading.frameNumber == number, "seed \(seed)")
    #expect(reading.turnSinceSensor == QuarterTurn.none, "seed \(seed)")
    #expect(reading.turnToUpright == turn, "seed \(seed)")
    #expect(reading.page == page, "seed \(seed)")
  }

  @Test(arguments: QuarterTurn.allCases) func `turning by the reading brings up to the top`(
    turn: QuarterTurn
  ) {
    var picture = Picture(
      page: 9, turn: turn, number: 0xDEAD_BEEF, size: FrameSize(width: 640, height: 360))
    for _ in 0..<(turn.rawValue / 90) { picture = picture.turned }
    #expect(
      picture.reading
        == PageSceneReader.Reading(
          frameNumber: 0xDEAD_BEEF, turnSinceSensor: turn, turnToUpright: QuarterTurn.none, page: 9)
    )
  }

  @Test func `the mark is where the table says`() {
    // Where the bar is dark, as fractions of the picture from its left and top.
    let places: [(QuarterTurn, x: Int, y: Int)] = [
      (.none, 180, 45), (.clockwise90, 45, 180), (.half, 180, 315), (.clockwise270, 315, 180),
    ]
    let size = FrameSize(width: 360, height: 360)
    for (turn, x, y) in places {
      let picture = Picture(page: 1, turn: turn, number: 1, size: size)
      for (_, otherX, otherY) in places {
        let isDark = picture.luma[otherY * 360 + otherX] < 90
        #expect(isDark == (otherX == x && otherY == y), "turn \(turn)")
      }
    }
  }

  @Test func `reads nothing from other pictures`() {
    var random = SplitMix64(seed: 11)
    let size = FrameSize(width: 640, height: 480)
    for kind in 0..<3 {
      let luma = (0..<size.area).map { index in
        switch kind {
        case 0: UInt8(128)
        case 1: UInt8(truncatingIfNeeded: random.next())
        default: UInt8(index % size.width * 255 / size.width)
        }
      }
      let reading = PageSceneReader(size: size).read(luma: luma)
      #expect(reading.frameNumber == nil)
      #expect(reading.page == nil)
    }
  }

  @Test(arguments: QuarterTurn.allCases, [50, 75, 95]) func `survives libjpeg`(
    turn: QuarterTurn, quality: Int
  ) throws {
    let picture = Picture(
      page: 4711, turn: turn, number: 123_456_789, size: FrameSize(width: 960, height: 540))
    let jpeg = try run(
      "cjpeg", ["-grayscale", "-quality", "\(quality)"], input: pgm(picture))
    #expect(jpeg.count > 20_000)
    let decoded = try read(pgm: run("djpeg", ["-pnm"], input: jpeg))
    #expect(
      decoded.reading
        == PageSceneReader.Reading(
          frameNumber: 123_456_789, turnSinceSensor: QuarterTurn.none, turnToUpright: turn,
          page: 4711))
  }

  @Test(arguments: [(QuarterTurn.clockwise90, "90"), (.half, "180"), (.clockwise270, "270")])
  func `jpegtran turns it upright`(turn: QuarterTurn, degrees: String) throws {
    // jpegtran's -rotate is clockwise: the outside referee for what the EXIF Orientation demands.
    let picture = Picture(
      page: 3, turn: turn, number: 77, size: FrameSize(width: 960, height: 544))
    let jpeg = try run("cjpeg", ["-grayscale"], input: pgm(picture))
    let upright = try run("jpegtran", ["-perfect", "-rotate", degrees], input: jpeg)
    let reading = try read(pgm: run("djpeg", ["-pnm"], input: upright)).reading
    #expect(reading.turnToUpright == QuarterTurn.none)
    #expect(reading.turnSinceSensor == turn)
    #expect(reading.frameNumber == 77)
  }

  private func pgm(_ picture: Picture) -> Data {
    Data("P5\n\(picture.size.width) \(picture.size.height)\n255\n".utf8) + Data(picture.luma)
  }

  private func read(pgm: Data) throws -> Picture {
    let header = pgm.prefix(64).split(separator: 10, maxSplits: 3)
    let text = try #require(String(data: header[1], encoding: .utf8))
    let numbers = text.split(separator: " ").compactMap { Int($0) }
    let size = FrameSize(width: numbers[0], height: numbers[1])
    return Picture(size: size, luma: Array(pgm.suffix(size.area)))
  }

  private func run(_ tool: String, _ arguments: [String], input: Data) throws -> Data {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("scene-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let source = folder.appendingPathComponent("in")
    try input.write(to: source)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [tool] + arguments + [source.path]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0, "\(tool) failed")
    return data
  }
}
