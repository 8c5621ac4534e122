import Devices
import Imaging
import Testing

@testable import PageSense
@testable import SimulatedDevices

/// The second look at regions of text in the frame itself.
@Suite struct CloseUpTests {
  @Test(arguments: QuarterTurn.allCases)
  func `a region is read in the frame's own pixels`(turn: QuarterTurn) throws {
    let frame = PageFrame(turn: turn)
    // In a picture of this size a small letter x has two pixels.
    let small = FrameSize(width: 256, height: 192)
    let text = try frame.bytes.withUnsafeBytes { bytes throws(ImagingError) in
      try LumaPlane.with(bytes, frame.format) { plane in
        CloseUp.read(
          [
            PixelBox(x: 0, y: 0, width: 3, height: 3),
            PixelBox(x: 0, y: 0, width: small.width, height: small.height),
          ], of: small, in: plane)
      }
    }
    #expect(text?.angle == turn.rawValue)
  }

  /// Returns the trust in the way up of a frame's text, which seemed known in a smaller picture.
  private func reviewed(_ angle: Int, in frame: PageFrame) throws(ImagingError) -> Double {
    let size = FrameSize(width: 256, height: 192)
    let reviewed = frame.bytes.withUnsafeBytes { bytes in
      Result { () throws(ImagingError) in
        try LumaPlane.with(bytes, frame.format) { plane in
          var text = TextReader.Text()
          (text.angle, text.confidence) = (angle, 2)
          text.regions = [PixelBox(x: 0, y: 0, width: size.width, height: size.height)]
          CloseUp.review(&text, of: size, in: plane)
          return text.confidence
        }
      }
    }
    return try reviewed.get()
  }

  @Test(arguments: QuarterTurn.allCases)
  func `marks in the frame's own pixels contradict a way up that is wrong`(
    turn: QuarterTurn
  ) throws {
    let frame = PageFrame(turn: turn)
    #expect(try reviewed(turn.rawValue, in: frame) == 2)
    #expect(try reviewed((turn.rawValue + 180) % 360, in: frame) == 0)
  }

  @Test(arguments: [3328, 3840])
  func `a page that is small in its frame has its way up`(width: Int) throws {
    let page = PageFrame(turn: .half)
    var frame = PageFrame(level: 60, size: FrameSize(width: width, height: width * 3 / 4))
    let (left, top) = ((width - 1280) / 2, (width * 3 / 4 - 960) / 2)
    for y in 0..<960 {
      let (from, to) = (y * page.format.bytesPerRow, (y + top) * frame.format.bytesPerRow + left)
      frame.bytes.replaceSubrange(to..<to + 1280, with: page.bytes[from..<from + 1280])
    }
    #expect(try frame.read().textAngle == 180)
  }
}
