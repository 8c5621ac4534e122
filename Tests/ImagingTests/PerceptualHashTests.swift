import Devices
import Foundation
import Imaging
import Testing
import TestSupport

@Suite struct PerceptualHashTests {
  private func hash(
    _ frame: TestFrame, clockwiseRotation: Int = 0
  ) throws -> PerceptualHash {
    try #require(
      try frame.bytes.withUnsafeBytes {
        try PerceptualHash.compute(
          bytes: $0, format: frame.format, clockwiseRotation: clockwiseRotation)
      })
  }

  private func hash(_ page: TestPage) throws -> PerceptualHash { try hash(page.frame(.yuv420)) }

  /// Python's imaging library computes the hash from its definition.
  ///
  /// The definition uses the means of 9 × 8 fields of the picture, which the library itself turns
  /// upright.
  @Test(arguments: [0, 90, 180, 270])
  func `Python computes the same hash`(angle: Int) throws {
    let code = """
      import sys
      from PIL import Image, ImageStat
      im = Image.open(sys.argv[1]).convert('L').rotate(-int(sys.argv[2]), expand=True)
      w, h = im.size
      def mean(c, r):
          box = (c * w // 9, r * h // 8, (c + 1) * w // 9, (r + 1) * h // 8)
          part = ImageStat.Stat(im.crop(box))
          return int(part.sum[0]) * 256 // part.count[0]
      bits = ''.join('1' if mean(c, r) + 384 < mean(c + 1, r) else '0' for r in range(8) for c in range(8))
      print(f'{int(bits, 2):016x}')
      """
    for number in 1...4 as ClosedRange<UInt64> {
      let page = TestPage(number).taken(number, gain: 0.9, slope: 0.2, noise: 5)
      let header = Array("P5 \(page.width) \(page.height) 255\n".utf8)
      let printed = try Tool.withFile(header + page.luma.map { UInt8($0.rounded()) }) {
        String(
          decoding: try Tool.output(of: "/usr/bin/python3", ["-c", code, $0, "\(angle)"]),
          as: UTF8.self)
      }
      let mine = try hash(page.frame(.yuv420), clockwiseRotation: angle)
      #expect(mine.description == printed.trimmingCharacters(in: .whitespacesAndNewlines))
    }
  }

  @Test func `repeated pictures of a page are near`() throws {
    var farthest = 0
    for number in 1...12 as ClosedRange<UInt64> {
      let page = TestPage(number)
      let first = try hash(page)
      let again = [
        page.taken(1, noise: 8), page.taken(2, gain: 0.75, noise: 4),
        page.taken(3, gain: 1.1, offset: 10), page.taken(4, slope: 0.02, noise: 3),
        page.taken(5, gain: 0.9, shift: 1, noise: 4),
      ]
      for page in again { farthest = max(farthest, try hash(page).distance(to: first)) }
    }
    print("figure: near duplicates: the same page taken again differs in \(farthest) bits at most")
    #expect(farthest <= 6)
  }

  @Test func `pictures of different pages are far`() throws {
    let hashes = try (1...24 as ClosedRange<UInt64>).map { try hash(TestPage($0)) }
    var distances: [Int] = []
    for (index, hash) in hashes.enumerated() {
      distances += hashes[..<index].map { $0.distance(to: hash) }
    }
    distances.sort()
    print(
      "figure: near duplicates: \(distances.count) pairs of different pages differ in",
      "\(distances[0]) bits at least, \(distances[distances.count / 2]) in the middle")
    #expect(distances[0] > 6)
  }

  @Test func `the hash does not depend on the format`() throws {
    let page = TestPage(5)
    let reference = try hash(page)
    for format in [.nv12, .yuyv, .rgb, .bgr] as [PixelFormat] {
      #expect(try hash(page.frame(format)).distance(to: reference) <= 1, "\(format)")
    }
    #expect(try hash(page.frame(.yuv420, .bt601Limited)).distance(to: reference) <= 2)
  }

  @Test func `plain paper has an empty hash`() throws {
    var page = TestPage(1)
    page = page.taken(1, gain: 0, offset: 200, noise: 5)
    #expect(try hash(page).bits == 0)
  }

  /// The camera's compression does not change the page.
  @Test(arguments: [0, 90, 180, 270])
  func `a compressed frame has the hash of its samples`(angle: Int) throws {
    for number in 1...4 as ClosedRange<UInt64> {
      let page = TestPage(number).frame(.yuv420)
      let jpeg = try page.bytes.withUnsafeBytes {
        try JPEGEncoder().encode(bytes: $0, format: page.format, quality: 90)
      }
      let format = StreamFormat(
        size: page.format.size, pixelFormat: .mjpeg, bytesPerRow: 0, colorSpace: .jpeg)
      let compressed = TestFrame(format: format, bytes: jpeg)
      let distance = try hash(compressed, clockwiseRotation: angle)
        .distance(to: try hash(page, clockwiseRotation: angle))
      #expect(distance <= 2)
      #expect(throws: ImagingError.self) {
        try hash(TestFrame(format: format, bytes: Array(jpeg.prefix(1000))))
      }
    }
  }

  @Test func `a frame that is too small has no hash`() throws {
    let tiny = TestFrame(.yuv420, .jpeg, width: 8, height: 20) { _, _ in
      RGB(red: 1, green: 1, blue: 1)
    }
    let hash = try tiny.bytes.withUnsafeBytes {
      try PerceptualHash.compute(bytes: $0, format: tiny.format, clockwiseRotation: 0)
    }
    #expect(hash == nil)
    let page = TestPage(1).frame(.nv12)
    #expect(throws: ImagingError.self) {
      try page.bytes.prefix(1000).withUnsafeBytes {
        try PerceptualHash.compute(bytes: $0, format: page.format, clockwiseRotation: 0)
      }
    }
  }

  @Test(
    arguments: [
      ("0000000000000000", 0), ("ffffffffffffffff", .max), ("00000000000000ff", 255),
      ("FF00000000000000", 0xFF << 56), ("", nil), ("ff", nil), ("00000000000000fg", nil),
      ("+000000000000001", nil), ("00000000000000000", nil),
    ] as [(String, UInt64?)])
  func `hashes are written in hexadecimal`(text: String, bits: UInt64?) {
    #expect(PerceptualHash(text)?.bits == bits)
    if let bits { #expect(PerceptualHash(bits: bits).description == text.lowercased()) }
  }
}
