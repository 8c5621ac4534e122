import TestSupport
import Testing

@testable import Imaging

struct FrameShiftTests {
  private func measured(_ frames: [TestFrame]) throws -> FrameShift? {
    try frames[0].bytes.withUnsafeBytes { reference in
      try frames[1].bytes.withUnsafeBytes { frame in
        let format = frames[0].format
        let profiles = try MergeSource.all([reference, frame], format).map {
          FrameProfile($0, SampleGrid.brightness(of: format))
        }
        return FrameShift(profiles[1], against: profiles[0])
      }
    }
  }

  @Test(arguments: [
    FrameShift.zero, FrameShift(columns: 16, rows: 16), FrameShift(columns: -16, rows: 16),
    FrameShift(columns: 16, rows: -16), FrameShift(columns: -7, rows: 11),
  ])
  func `A shift of whole pixels is found exactly`(_ shift: FrameShift) throws {
    var scene = MergeScene(1)
    let paint = scene.texture()
    let frames = [
      scene.frame(noise: 6, paint),
      scene.frame(noise: 6) { paint($0 - shift.columns, $1 - shift.rows) },
    ]
    let found = try #require(try measured(frames), "seed \(TestSeed.value)")
    #expect(found == shift, "seed \(TestSeed.value)")
  }

  @Test
  func `Frames that do not show their shift have none`() throws {
    var scene = MergeScene(2)
    let paint = scene.texture()
    let plain: MergeScene.Paint = { _, _ in 200 }
    let stripes: MergeScene.Paint = { column, _ in paint(column, 0) }
    let grid: MergeScene.Paint = { ($0 / 3 + $1 / 3) % 3 == 0 ? 60 : 200 }
    for paint in [plain, stripes, grid] {
      let frames = [scene.frame(noise: 6, paint), scene.frame(noise: 6, paint)]
      #expect(try measured(frames) == nil, "seed \(TestSeed.value)")
    }
  }
}
