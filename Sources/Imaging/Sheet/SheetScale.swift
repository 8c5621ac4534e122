package import Devices
import Glibc

/// The scale and the rotation of a sheet of known size in a frame.
package struct SheetScale: Sendable, Hashable {
  /// The tolerated difference of opposite sides; a larger one means a slanted view.
  package static let keystoneLimit = 0.05
  /// The tolerated relative difference of the ratio of sides from the sheet's.
  package static let shapeTolerance = 0.02
  /// The minimum difference between sheet and ground, in levels of 255.
  private static let leastContrast = 20.0

  /// The frame's pixels per inch of the sheet, along the sides nearer to the frame's rows.
  package let horizontal: Double
  /// The frame's pixels per inch of the sheet, along the other sides.
  package let vertical: Double
  /// The clockwise rotation of the sheet in degrees, -45...45.
  package let angle: Double
  /// The largest difference of opposite sides, as a share of their length.
  package let keystone: Double

  /// The mean of the horizontal and the vertical scale.
  package var pixelsPerInch: Double { (horizontal + vertical) / 2 }

  /// Measures a frame in which one sheet lies wholly, on ground that is darker or lighter.
  ///
  /// - Parameters:
  ///   - bytes: the frame's bytes; only read during the call.
  ///   - format: the format of the bytes.
  ///   - sheet: the sheet's size.
  /// - Returns: the scale, or the reason why there is none.
  /// - Throws: ``ImagingError``: `malformedFrame`, `malformedJPEG` or `unsupported`.
  /// - Complexity: O(pixels); blocks the calling thread for some tens of milliseconds.
  package static func measure(
    bytes: UnsafeRawBufferPointer, format: StreamFormat, sheet: SheetSize
  ) throws(ImagingError) -> Result<SheetScale, SheetRefusal> {
    try LumaPlane.with(bytes, format) { plane in
      Result { () throws(SheetRefusal) in try SheetScale(plane, sheet) }
    }
  }

  private init(_ plane: LumaPlane, _ sheet: SheetSize) throws(SheetRefusal) {
    let picture = FramePreview(plane, clockwiseRotation: 0).picture
    let scale = plane.size.per(picture.size)
    var refusal: SheetRefusal?
    var outlines: [SheetOutline] = []
    for found in try SheetFinder(picture, sheet: sheet).find() {
      do throws(SheetRefusal) {
        outlines.append(try Self.outline(found, in: plane, scale: scale, sheet: sheet))
      } catch {
        refusal = refusal ?? error
      }
    }
    guard let outline = outlines.first else { throw refusal ?? .notFound }
    // A mat, or another size of the same series, may have exactly the sheet's shape.
    let largest = outlines.map(\.area).max() ?? 0
    let similar = outlines.filter { $0.area > largest / 20 }
    guard similar.allSatisfy({ $0.isSame(as: similar[0]) }) else { throw .several }
    self.init(outline, sheet)
  }

  private init(_ outline: SheetOutline, _ sheet: SheetSize) {
    keystone = outline.keystone
    let (first, second) = outline.means
    let isFirstLonger = first >= second
    let along = first / (isFirstLonger ? sheet.longer : sheet.shorter) * 25.4
    let across = second / (isFirstLonger ? sheet.shorter : sheet.longer) * 25.4
    let corners = outline.corners
    let direction = corners[1] - corners[0] + corners[2] - corners[3]
    let isLevel = abs(direction.x) >= abs(direction.y)
    (horizontal, vertical) = isLevel ? (along, across) : (across, along)
    let degrees = atan2(direction.y, direction.x) * 180 / .pi
    angle = degrees - (degrees / 90).rounded() * 90
  }

  /// Refines a candidate's outline at full resolution; throws unless it has the sheet's shape.
  private static func outline(
    _ found: SheetFinder.Candidate, in plane: LumaPlane, scale: SIMD2<Double>, sheet: SheetSize
  ) throws(SheetRefusal) -> SheetOutline {
    let rough = SheetOutline(corners: found.outline.corners.map { ($0 + 0.5) * scale - 0.5 })
    let reach = Int((2.5 * scale.max()).rounded(.up)) + 6
    let near = try refined(rough, in: plane, reach: reach, isLight: found.isLight)
    // A corner may have been off by more than the reach. The second reach covers a lens's bend.
    let bend = Int(0.004 * (near.lengths.max() ?? 0))
    let outline = try refined(near, in: plane, reach: 8 + bend, isLight: found.isLight)
    guard outline.keystone <= keystoneLimit else { throw .keystone(outline.keystone) }
    guard abs(outline.ratio / sheet.ratio - 1) <= shapeTolerance else {
      throw .shape(outline.ratio, wanted: sheet.ratio)
    }
    return outline
  }

  /// Moves the sides of an outline to the steps of the light, by at most `reach` pixels.
  private static func refined(
    _ outline: SheetOutline, in plane: LumaPlane, reach: Int, isLight: Bool
  ) throws(SheetRefusal) -> SheetOutline {
    guard outline.isWithin(plane.size, margin: Double(reach)) else { throw .unclearEdge }
    var edges: [SheetEdge] = []
    for side in outline.sides {
      edges.append(try SheetEdge(in: plane, near: side, reach: reach, isLight: isLight))
    }
    let contrast = edges.map(\.contrast).min() ?? 0
    guard contrast >= leastContrast else { throw .lowContrast(levels: Int(contrast)) }
    var corners: [SIMD2<Double>] = []
    for index in edges.indices {
      guard let corner = edges[(index + 3) % 4].meeting(edges[index]) else { throw .unclearEdge }
      corners.append(corner)
    }
    return SheetOutline(corners: corners)
  }
}

extension FrameSize {
  /// Returns columns and rows as multiples of another size's.
  fileprivate func per(_ other: FrameSize) -> SIMD2<Double> {
    SIMD2(
      Double(width) / Double(other.width), Double(height) / Double(other.height))
  }
}
