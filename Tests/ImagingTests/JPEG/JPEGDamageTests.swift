import Foundation
import Imaging
import TestSupport
import Testing

/// Images that lost bytes between their beginning and their end.
struct JPEGDamageTests {
  /// The options of jpegtran that rearrange an image.
  static let arrangements = [[], ["-restart", "1"], ["-restart", "8B"], ["-optimize"]]

  private static func image(_ options: [String]) throws -> [UInt8] {
    let path = URL(fileURLWithPath: #filePath)
      .appendingPathComponent("../../../../docs/explanation/photo-depth/noise.jpg").standardized
      .path
    return [UInt8](try Tool.output(of: "jpegtran", options + [path]))
  }

  private func damage(_ jpeg: [UInt8]) -> String? {
    jpeg.withUnsafeBytes { JPEGDamage.find(in: $0) }
  }

  @Test(arguments: arrangements + [["-progressive"], ["-grayscale"]])
  func `a whole image has no damage, with harmless bytes or without tables`(
    _ options: [String]
  ) throws {
    let jpeg = try Self.image(options)
    #expect(damage(jpeg) == nil)
    #expect(damage(jpeg + [0, 0, 7]) == nil)
    #expect(damage(jpeg.dropLast(2) + [UInt8](repeating: 0, count: 30) + [0xFF, 0xD9]) == nil)
    if options == [] { #expect(damage(MotionJPEGTests.without(0xC4, jpeg)) == nil) }
  }

  @Test func `a frame can be shown although a missing packet has made a marker of its edges`()
    throws
  {
    let jpeg = try Self.image([])
    let scan = try #require(MotionJPEGTests.segments(jpeg).last?.bytes.count)
    let start = jpeg.count - scan / 2
    let first = try #require(jpeg[start...].firstIndex(of: 0xFF))
    let second = try #require(jpeg[(first + 1000)...].firstIndex(of: 0xC0))
    let torn = Array(jpeg[...first] + jpeg[second...])
    let stored = try MotionJPEGTests.pass(torn)
    #expect(stored.count == torn.count - 1)
    #expect(damage(stored) != nil && damage(torn) != nil)
    // The status 2 is that of a picture with warnings.
    let shown = try Tool.withFile(stored) { try Tool.runHere("djpeg", ["-ppm", $0]) }
    #expect(shown.exitCode == 2)
  }

  @Test func `a marker among the data is damage, also where the picture is whole without it`()
    throws
  {
    let torn = try Self.image([]).dropLast(2) + [0xFF, 0xC0, 0xFF, 0xD9]
    let stored = try MotionJPEGTests.pass(Array(torn))
    #expect(damage(stored) == nil)
    #expect(damage(Array(torn)) != nil)
  }

  @Test(arguments: arrangements)
  func `nearly every missing packet is found`(_ options: [String]) throws {
    let jpeg = try Self.image(options)
    let scan = try #require(MotionJPEGTests.segments(jpeg).last?.bytes.count)
    var random = TestSeed.generator(UInt64(options.count))
    for (byteCount, least) in [(3000, 198), (1000, 190)] {
      var found = 0
      for _ in 0..<200 {
        let start = Int.random(
          in: (jpeg.count - scan + 20)..<(jpeg.count - 2 - byteCount), using: &random)
        if damage(Array(jpeg[..<start] + jpeg[(start + byteCount)...])) != nil { found += 1 }
      }
      #expect(found >= least, "\(byteCount) bytes, seed \(TestSeed.value)")
    }
  }
}
