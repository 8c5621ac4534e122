import Devices

extension FrameCanvas {
  /// Lays gray ink through a stencil onto the picture; parts outside the picture are skipped.
  ///
  /// - Parameters:
  ///   - stencil: the coverage of each pixel.
  ///   - x: the pen's column in the grid.
  ///   - y: the ascender line's row in the grid.
  ///   - grid: the places of the upright pixels in the picture.
  ///   - ink: the ink's luma.
  func stamp(_ stencil: Stencil, x: Int, y: Int, on grid: TurnedGrid, ink: UInt8) {
    let bytesPerRow = format.bytesPerRow
    let step = grid.right.y * bytesPerRow + grid.right.x * bytesPerPixel
    let left = x + stencil.left
    let top = y + stencil.top
    let isInside =
      contains(grid.pixel(column: left, row: top))
      && contains(
        grid.pixel(column: left + stencil.width - 1, row: top + stencil.height - 1))
    stencil.coverage.withUnsafeBufferPointer { coverage in
      var index = 0
      for row in top..<(top + stencil.height) {
        let first = grid.pixel(column: left, row: row)
        var offset = first.y * bytesPerRow + first.x * bytesPerPixel
        for column in left..<(left + stencil.width) {
          let covered = Int(coverage[index])
          if covered > 0, isInside || contains(grid.pixel(column: column, row: row)) {
            for sample in offset..<(offset + bytesPerPixel) {
              let paper = Int(base.load(fromByteOffset: sample, as: UInt8.self))
              let mixed = paper + (Int(ink) - paper) * covered / 255
              base.storeBytes(of: UInt8(mixed), toByteOffset: sample, as: UInt8.self)
            }
          }
          index += 1
          offset += step
        }
      }
    }
  }

  private func contains(_ pixel: (x: Int, y: Int)) -> Bool {
    pixel.x >= 0 && pixel.x < format.size.width && pixel.y >= 0 && pixel.y < format.size.height
  }
}
