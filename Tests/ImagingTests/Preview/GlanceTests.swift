import Devices
import Imaging
import TestSupport
import Testing

@Suite struct GlanceTests {
  private static let size = FrameSize(width: 160, height: 120)

  /// Returns a picture of print with a camera's noise.
  private func picture(
    noise seed: UInt64, _ change: (_ column: Int, _ row: Int, _ luma: Int) -> Int = { $2 }
  ) -> GrayPicture {
    var print = SeededGenerator(seed: 3)
    var noise = SeededGenerator(seed: seed)
    let luma = (0..<Self.size.area).map { index in
      let ink = Int.random(in: 60...200, using: &print)
      let seen = change(index % Self.size.width, index / Self.size.width, ink)
      return UInt8(clamping: seen + Int.random(in: -4...4, using: &noise))
    }
    return GrayPicture(size: Self.size, luma: luma)
  }

  @Test func `noise and light that flickers are no motion`() {
    let still = picture(noise: 1)
    #expect(!picture(noise: 2).changes(since: still).contains(true))
    #expect(!picture(noise: 3) { $2 + 25 }.changes(since: still).contains(true))
    // A lamp on mains darkens bands of rows.
    let banded = picture(noise: 4) { $1 / 10 % 3 == 0 ? $2 - 30 : $2 }
    #expect(!banded.changes(since: still).contains(true))
  }

  @Test func `the tiles of a hand have changed`() {
    let still = picture(noise: 1)
    let covered = picture(noise: 2) { column, row, luma in
      (40..<80).contains(column) && (30..<60).contains(row) ? 150 : luma
    }
    let changes = covered.changes(since: still)
    #expect(
      changes.indices.filter { changes[$0] }
        == [3, 4, 5].flatMap { row in (4...7).map { row * 16 + $0 } })
    let turned = picture(noise: 2) { column, row, luma in (luma * 7 + column * row) % 200 }
    #expect(turned.changes(since: still).count { $0 } > 172)
  }

  @Test func `a glance of a frame shows what the frame shows`() throws {
    let size = FrameSize(width: 640, height: 480)
    let format = StreamFormat(
      size: size, pixelFormat: .yuv420, bytesPerRow: 640, colorSpace: .jpeg)
    var bytes = [UInt8](repeating: 128, count: format.byteCount)
    for index in 0..<size.area { bytes[index] = UInt8(index % 640 / 4) }
    let glance = try bytes.withUnsafeBytes { try GrayPicture.glance(bytes: $0, format: format) }
    #expect(glance.size == Self.size)
    #expect(glance.luma == (0..<Self.size.area).map { UInt8($0 % 160) })
  }

  @Test func `fields are means, also of parts of samples`() {
    let ramp = GrayPicture(
      size: FrameSize(width: 4, height: 2), luma: [0, 40, 80, 120, 100, 140, 180, 220])
    let all = PageFindings.Region(x: 0, y: 0, width: 1, height: 1)
    #expect(ramp.fields(1, of: all) == [110])
    #expect(ramp.fields(2, of: all) == [20, 100, 120, 200])
    let part = PageFindings.Region(x: 0.125, y: 0, width: 0.25, height: 0.5)
    #expect(ramp.fields(1, of: part) == [20])
    let outside = PageFindings.Region(x: -1, y: 0, width: 4, height: 1)
    #expect(ramp.fields(2, of: outside).count == 4)
  }
}
