import Devices
import Imaging
import TestSupport
import Testing

@Suite struct GrayPictureTests {
  private let picture = GrayPicture(
    size: FrameSize(width: 3, height: 2), luma: [1, 2, 3, 4, 5, 6])

  @Test(arguments: [
    (0, 3, [1, 2, 3, 4, 5, 6]), (90, 2, [4, 1, 5, 2, 6, 3]), (180, 3, [6, 5, 4, 3, 2, 1]),
    (270, 2, [3, 6, 2, 5, 1, 4]), (45, 3, [1, 2, 3, 4, 5, 6]),
  ])
  func `a picture is turned clockwise`(_ angle: Int, _ width: Int, _ luma: [UInt8]) {
    let turned = picture.turned(clockwise: angle)
    #expect(turned == GrayPicture(size: FrameSize(width: width, height: 6 / width), luma: luma))
  }

  @Test func `a picture fits without a loss of shape`() {
    var generator = TestSeed.generator()
    for _ in 0..<200 {
      let size = FrameSize(
        width: .random(in: 1...80, using: &generator),
        height: .random(in: 1...80, using: &generator))
      let level = UInt8.random(in: 0...255, using: &generator)
      let plain = GrayPicture(size: size, luma: [UInt8](repeating: level, count: size.area))
      let limit = FrameSize(
        width: .random(in: 8...120, using: &generator),
        height: .random(in: 8...120, using: &generator))
      let aspect = Double.random(in: 0.2...3, using: &generator)
      let fitted = plain.fitted(within: limit, pixelAspect: aspect)
      #expect(fitted.luma.allSatisfy { $0 == level })
      #expect(fitted.size.width <= limit.width && fitted.size.height <= limit.height)
      // A side of the picture fills the room, as far as whole pixels allow.
      #expect(fitted.size.width == limit.width || fitted.size.height == limit.height)
    }
  }

  @Test func `characters of a terminal keep the shape`() {
    let wide = GrayPicture(
      size: FrameSize(width: 320, height: 240), luma: [UInt8](repeating: 0, count: 76_800))
    let room = FrameSize(width: 79, height: 21)
    #expect(wide.fitted(within: room, pixelAspect: 0.5).size == FrameSize(width: 56, height: 21))
    #expect(
      wide.turned(clockwise: 90).fitted(within: room, pixelAspect: 0.5).size
        == FrameSize(width: 32, height: 21))
  }

  @Test func `a sample is the mean of its area`() {
    let halved = picture.fitted(within: FrameSize(width: 1, height: 2), pixelAspect: 3)
    #expect(halved.luma == [2, 5])
  }
}
