import Devices
import Foundation
import Testing
import TestSupport

@testable import SimulatedDevices

/// A picture of the scene in plain luma, as tests turn, spoil and encode it.
struct ScenePicture {
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
  var turned: ScenePicture {
    var turned: [UInt8] = []
    turned.reserveCapacity(luma.count)
    for x in 0..<size.width {
      for y in (0..<size.height).reversed() { turned.append(luma[y * size.width + x]) }
    }
    return ScenePicture(size: FrameSize(width: size.height, height: size.width), luma: turned)
  }

  func noisy(_ random: inout SplitMix64, by amount: Int) -> ScenePicture {
    let spoilt = luma.map { sample in
      let deviation = Int(random.next() % UInt64(2 * amount + 1)) - amount
      return UInt8(min(max(Int(sample) + deviation, 0), 255))
    }
    return ScenePicture(size: size, luma: spoilt)
  }

  var reading: PageSceneReader.Reading { PageSceneReader(size: size).read(luma: luma) }

  /// Encodes the picture with libjpeg's own program.
  func jpeg(quality: Int = 75) throws -> Data {
    let pgm = Data("P5\n\(size.width) \(size.height)\n255\n".utf8) + Data(luma)
    return try Self.run("cjpeg", ["-grayscale", "-quality", "\(quality)"], input: pgm)
  }

  /// Decodes a picture with libjpeg's own program.
  init(jpeg: Data) throws {
    let pgm = try Self.run("djpeg", ["-pnm"], input: jpeg)
    let header = pgm.prefix(64).split(separator: 10, maxSplits: 3)
    let text = try #require(String(data: header[1], encoding: .utf8))
    let numbers = text.split(separator: " ").compactMap { Int($0) }
    size = FrameSize(width: numbers[0], height: numbers[1])
    luma = Array(pgm.suffix(size.area))
  }

  /// Runs a program on a file of these bytes and returns its output.
  static func run(
    _ tool: String, _ arguments: [String], input: Data, _ last: [String] = []
  ) throws -> Data {
    let directory = TemporaryDirectory(on: .memory)
    defer { withExtendedLifetime(directory) {} }
    let source = directory.path + "/in"
    try input.write(to: URL(fileURLWithPath: source))
    return try Tool.output(of: tool, arguments + [source] + last)
  }
}
