import Devices
import Foundation
import Testing

@testable import SimulatedDevices

@Suite struct PageSceneReaderTests {
  static let sizes = [
    FrameSize(width: 320, height: 180), FrameSize(width: 640, height: 480),
    FrameSize(width: 1000, height: 562), FrameSize(width: 480, height: 640),
  ]

  @Test(arguments: [UInt64](1...40)) func `number, page and orientation are read under noise`(
    seed: UInt64
  ) {
    var random = SplitMix64(seed: seed)
    let size = Self.sizes[Int(random.next() % 4)]
    let turn = QuarterTurn.allCases[Int(random.next() % 4)]
    let number = UInt32(truncatingIfNeeded: random.next())
    let page = Int(random.next() % 65536)
    let reading = ScenePicture(page: page, turn: turn, number: number, size: size)
      .noisy(&random, by: 40).reading
    #expect(reading.frameNumber == number, "seed \(seed)")
    #expect(reading.turnSinceSensor == QuarterTurn.none, "seed \(seed)")
    #expect(reading.turnToUpright == turn, "seed \(seed)")
    #expect(reading.page == page, "seed \(seed)")
  }

  @Test(arguments: QuarterTurn.allCases)
  func `turning by the reading brings the upper side to the top`(
    turn: QuarterTurn
  ) {
    var picture = ScenePicture(
      page: 9, turn: turn, number: 0xDEAD_BEEF, size: FrameSize(width: 640, height: 360))
    for _ in 0..<(turn.rawValue / 90) { picture = picture.turned }
    #expect(
      picture.reading
        == PageSceneReader.Reading(
          frameNumber: 0xDEAD_BEEF, turnSinceSensor: turn, turnToUpright: QuarterTurn.none, page: 9)
    )
  }

  @Test func `the mark is at the place in the table`() {
    // The places of the dark bar, in pixels from the picture's left and top.
    let places: [(QuarterTurn, x: Int, y: Int)] = [
      (.none, 180, 45), (.clockwise90, 45, 180), (.half, 180, 315), (.clockwise270, 315, 180),
    ]
    let size = FrameSize(width: 360, height: 360)
    for (turn, x, y) in places {
      let picture = ScenePicture(page: 1, turn: turn, number: 1, size: size)
      for (_, otherX, otherY) in places {
        let isDark = picture.luma[otherY * 360 + otherX] < 90
        #expect(isDark == (otherX == x && otherY == y), "turn \(turn)")
      }
    }
  }

  @Test func `other pictures have no reading`() {
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

  @Test(arguments: QuarterTurn.allCases, [50, 75, 95]) func `the scene survives libjpeg`(
    turn: QuarterTurn, quality: Int
  ) throws {
    let picture = ScenePicture(
      page: 4711, turn: turn, number: 123_456_789, size: FrameSize(width: 960, height: 540))
    let jpeg = try picture.jpeg(quality: quality)
    #expect(jpeg.count > 20_000)
    let decoded = try ScenePicture(jpeg: jpeg)
    #expect(
      decoded.reading
        == PageSceneReader.Reading(
          frameNumber: 123_456_789, turnSinceSensor: QuarterTurn.none, turnToUpright: turn,
          page: 4711))
  }

  @Test(arguments: [(QuarterTurn.clockwise90, "90"), (.half, "180"), (.clockwise270, "270")])
  func `jpegtran turns the picture upright`(turn: QuarterTurn, degrees: String) throws {
    // jpegtran's -rotate is clockwise: the outside referee for the EXIF Orientation.
    let picture = ScenePicture(
      page: 3, turn: turn, number: 77, size: FrameSize(width: 960, height: 544))
    let jpeg = try picture.jpeg()
    let upright = try ScenePicture.run(
      "jpegtran", ["-perfect", "-rotate", degrees], input: jpeg)
    let reading = try ScenePicture(jpeg: upright).reading
    #expect(reading.turnToUpright == QuarterTurn.none)
    #expect(reading.turnSinceSensor == turn)
    #expect(reading.frameNumber == 77)
  }
}
