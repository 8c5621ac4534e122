import Devices
import TestSupport
import Testing

@testable import Imaging

struct RenditionTests {
  struct Example {
    var rendition: Rendition
    var frame: (Int, Int)
    var wanted: (Int, Int)
  }

  @Test
  func `Known frames have known sizes`() {
    let examples = [
      Example(rendition: .full, frame: (4056, 3040), wanted: (4056, 3040)),
      Example(rendition: .document, frame: (4056, 3040), wanted: (1024, 767)),
      Example(rendition: .document, frame: (1920, 1080), wanted: (1024, 576)),
      Example(rendition: .document, frame: (1080, 1920), wanted: (576, 1024)),
      Example(rendition: .document, frame: (2000, 2000), wanted: (768, 768)),
      Example(rendition: .document, frame: (800, 600), wanted: (800, 600)),
      Example(rendition: .thumbnail, frame: (4608, 2592), wanted: (320, 180)),
      Example(rendition: .thumbnail, frame: (3040, 4056), wanted: (240, 320)),
      Example(rendition: .thumbnail, frame: (65500, 1), wanted: (320, 1)),
    ]
    for example in examples {
      let size = example.rendition.size(
        of: FrameSize(width: example.frame.0, height: example.frame.1))
      #expect(
        size == FrameSize(width: example.wanted.0, height: example.wanted.1),
        "\(example.rendition.name) of \(example.frame)")
    }
  }

  @Test(arguments: 0..<4)
  func `Any frame fits its box, keeps its aspect, and is not enlarged`(_ seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<2000 {
      let frame = FrameSize(
        width: Int.random(in: 1...6000, using: &generator),
        height: Int.random(in: 1...6000, using: &generator))
      let box = Rendition.Box(
        Int.random(in: 1...3000, using: &generator), Int.random(in: 1...3000, using: &generator))
      let size = Rendition(name: "custom", box: box).size(of: frame)
      let name = "seed \(seed): \(frame) in \(box) is \(size)"
      #expect(size.width >= 1 && size.height >= 1, "\(name)")
      #expect(size.width <= frame.width && size.height <= frame.height, "\(name)")
      #expect(max(size.width, size.height) <= box.longerSide, "\(name)")
      #expect(min(size.width, size.height) <= box.shorterSide, "\(name)")
      let scale = Double(frame.width) / Double(frame.height)
      let error = abs(Double(size.width) - Double(size.height) * scale)
      let error2 = abs(Double(size.height) - Double(size.width) / scale)
      // The one side is exact, and the other is rounded; a side of 1 cannot be smaller.
      #expect(
        min(error, error2) <= 0.5 + 1e-9 || min(size.width, size.height) == 1, "\(name)")
    }
  }
}
