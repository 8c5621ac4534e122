import Devices
import Testing

@testable import SimulatedDevices

extension PageFrame {
  /// Expects an outline at a place of the frame, clockwise from the top left.
  ///
  /// - Parameters:
  ///   - outline: the outline that was found.
  ///   - place: the place of the page.
  ///   - distance: the maximum distance of a corner along each axis, in pixels.
  func expectOutline(
    _ outline: [PageFindings.Point]?, at place: PixelRectangle, within distance: Double = 6,
    _ location: SourceLocation = #_sourceLocation
  ) throws {
    let corners = try #require(outline, sourceLocation: location)
    let expected = [
      (place.left, place.top), (place.right, place.top), (place.right, place.bottom),
      (place.left, place.bottom),
    ]
    #expect(corners.count == expected.count, sourceLocation: location)
    for (corner, (x, y)) in zip(corners, expected) {
      let right = corner.x * Double(format.size.width) - Double(x)
      let down = corner.y * Double(format.size.height) - Double(y)
      #expect(abs(right) <= distance && abs(down) <= distance, sourceLocation: location)
    }
  }
}
