import Devices
import Testing

@testable import SimulatedDevices

@Suite struct LinearSceneTests {
  @Test(arguments: [0.5, 1.85, 6]) func `a blurred line has the variance of a disk`(
    radius: Double
  ) {
    let size = FrameSize(width: 101, height: 4)
    var picture = LinearPicture(size: size, samples: [Float](repeating: 0, count: 3 * size.area))
    picture.fill(PixelRectangle(left: 50, top: 0, right: 51, bottom: 4), with: [1, 1, 1])
    picture.blur(PixelRectangle(left: 0, top: 0, right: 101, bottom: 4), radius: radius)
    let line = (0..<101).map { Double(picture.samples[3 * (101 + $0) + 1]) }
    var variance = 0.0
    for (x, light) in line.enumerated() { variance += light * Double((x - 50) * (x - 50)) }
    #expect(abs(line.reduce(0, +) - 1) < 1e-4)
    #expect(abs(variance / (radius * radius / 4) - 1) < 0.01, "\(variance)")
  }

  @Test(arguments: [QuarterTurn.none, .clockwise90])
  func `each half of a thick book has its own focus`(turn: QuarterTurn) {
    let size = DevelopedFrame.size
    let layout = PageSceneLayout(size: size)
    let halves = [0, 1].map { PageSceneLayout.photograph.block($0, of: 2) }
    // The lens moves from the right half's distance to the left half's.
    let contrasts = [12.0, 6, 0].map { defocus in
      var book = LinearScene(depth: 12)
      book.defocus = defocus
      let frame = DevelopedFrame(book, turn: turn)
      return halves.map { frame.luma(in: layout.pixels(of: $0, turn: turn)).variance }
    }
    #expect(contrasts[2][0] > 1.15 * contrasts[1][0] && contrasts[1][0] > contrasts[0][0])
    #expect(contrasts[0][1] > 1.15 * contrasts[1][1] && contrasts[1][1] > contrasts[2][1])
  }

  @Test(arguments: QuarterTurn.allCases) func `the chart has its colors at any turn`(
    turn: QuarterTurn
  ) {
    let frame = DevelopedFrame(LinearScene(.chart), turn: turn, as: .rgb)
    for (index, patch) in ColorChart.patches.enumerated() {
      let (x, y) = ColorChart.center(of: index, size: DevelopedFrame.size, turn: turn)
      for channel in 0..<3 {
        let light = min(max(Double(patch.light[channel]), 0), 1)
        let code = Double(frame.bytes[960 * y + 3 * x + channel])
        #expect(abs(code - 255 * SRGBCurve.encoded(light)) <= 1, "\(patch.name)")
      }
    }
    // The maker's sRGB codes of foliage are 87, 108 and 67.
    let foliage = ColorChart.patches[3].light.map { 255 * SRGBCurve.encoded(Double($0)) }
    #expect(zip(foliage, [87.0, 108, 67]).allSatisfy { abs($0 - $1) < 5 }, "\(foliage)")
  }

  @Test(arguments: [PixelFormat.yuv420, .nv12, .rgb]) func `a camera shows a scene with noise`(
    pixelFormat: PixelFormat
  ) async throws {
    let bench = CameraBench()
    bench.world.showPage(77)
    let (camera, stream) = try await bench.start(pixelFormats: [pixelFormat])
    var events = stream.events.makeAsyncIterator()
    _ = await bench.next(&events, after: .milliseconds(160))
    var pictures: [[UInt8]] = []
    for scene in [nil, nil, LinearScene(), LinearScene()] {
      bench.world.show(scene)
      // Frames that were exposed before the change come first.
      for _ in 0..<8 { _ = await bench.next(&events, after: .milliseconds(40)) }
      guard case .frame(let info)? = await bench.next(&events, after: .milliseconds(40)) else {
        throw DeviceError(.inputOutput, device: "test", problem: "got no frame")
      }
      let lease = try #require(await camera.lease(info.id))
      #expect(try PageSceneReader.read(lease).page == 77)
      // The last rows have the frame's number.
      let count = lease.format.bytesPerRow * lease.format.size.height * 3 / 4
      pictures.append(try lease.withBytes { Array($0.prefix(count)) })
    }
    #expect(pictures[0] == pictures[1])
    #expect(pictures[2] != pictures[3] && pictures[2] != pictures[0])
    await camera.close()
  }
}
