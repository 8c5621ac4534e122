import Devices
import Imaging
import Testing

@Suite struct MotionMeterTests {
  private static let size = FrameSize(width: 160, height: 120)

  /// Returns a gray picture, changed by a function.
  private func picture(
    of size: FrameSize = size, _ luma: (_ column: Int, _ row: Int) -> UInt8 = { _, _ in 100 }
  ) -> GrayPicture {
    GrayPicture(
      size: size, luma: (0..<size.area).map { luma($0 % size.width, $0 / size.width) })
  }

  /// Returns a picture in which a lamp is on at each odd index, before or behind a hand.
  private func lamp(_ index: Int, hand: Bool = false) -> GrayPicture {
    picture { column, row in
      if hand, row < 50, column < 60 { return 160 }
      return index % 2 == 1 && (140..<150).contains(column) && row < 30 ? 250 : 100
    }
  }

  @Test func `a change is the share of the picture that moved`() {
    var meter = MotionMeter()
    #expect(meter.observe(picture()) == 0)
    #expect(meter.observe(picture { column, _ in column < 40 ? 200 : 100 }) == 0.25)
    #expect(meter.observe(picture(of: FrameSize(width: 80, height: 60))) == 1)
    meter.loseSight()
    #expect(meter.latest == nil && meter.observe(picture()) == 0)
  }

  @Test func `a lamp that blinks is no motion after a while, and a hand still is`() {
    var meter = MotionMeter()
    let blinks = (0..<30).map { meter.observe(lamp($0)) }
    #expect(blinks[1] == 3.0 / 192 && blinks.suffix(20).allSatisfy { $0 == 0 })
    #expect(meter.observe(lamp(30, hand: true)) == 30.0 / 192)
    #expect(meter.observe(lamp(31, hand: true)) == 0)
    #expect(meter.observe(lamp(32)) == 30.0 / 192)
  }

  @Test func `a lamp that has been still moves again`() {
    var meter = MotionMeter()
    for index in 0..<30 { _ = meter.observe(lamp(index)) }
    for _ in 0..<150 { #expect(meter.observe(lamp(0)) == 0) }
    #expect(meter.observe(lamp(1)) == 3.0 / 192)
  }

  @Test func `a page that is turned again and again always moves`() {
    var meter = MotionMeter()
    _ = meter.observe(picture())
    for index in 1...200 {
      #expect(
        meter.observe(picture { column, _ in index % 2 == 1 && column < 80 ? 200 : 100 }) > 0.4)
    }
  }
}
