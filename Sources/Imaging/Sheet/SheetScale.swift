public import Devices

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// How large a sheet of known size is in a frame, and how it lies there.
public struct SheetScale: Sendable, Hashable {
  /// By how much opposite sides may differ: farther from square the camera looks at the sheet aslant.
  public static let keystoneLimit = 0.05
  /// By how much the ratio of the sides may differ from the sheet's.
  public static let shapeTolerance = 0.02
  /// The fewest of 255 levels by which sheet and ground differ.
  private static let leastContrast = 20.0

  /// The frame's pixels to an inch of the sheet, along the sides that are nearer to the frame's rows.
  public let horizontal: Double
  /// The frame's pixels to an inch of the sheet, along the other sides.
  public let vertical: Double
  /// By how many degrees the sheet is turned clockwise, -45...45.
  public let angle: Double
  /// By how much opposite sides differ at most, as a share of their length.
  public let keystone: Double

  /// The mean of both ways.
  public var pixelsPerInch: Double { (horizontal + vertical) / 2 }

  /// Measures a frame in which one sheet lies wholly, on ground that is darker or lighter.
  ///
  /// - Parameters:
  ///   - bytes: the frame's bytes; only read during the call.
  ///   - format: what the bytes are.
  ///   - sheet: the sheet's size.
  /// - Returns: the scale, or why there is none.
  /// - Throws: ``ImagingError``: `malformedFrame`, `malformedJPEG` or `unsupported`.
  /// - Complexity: O(pixels); blocks the calling thread for some tens of milliseconds.
  public static func measure(
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
    // A mat, or another size of the same series, has the sheet's shape to the thousandth.
    let largest = outlines.map(\.area).max() ?? 0
    guard outlines.count(where: { $0.area > largest / 20 }) == 1 else { throw .several }
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

  /// The outline of a sheet at the frame's full resolution, if it can be the wanted one's.
  private static func outline(
    _ found: SheetFinder.Candidate, in plane: LumaPlane, scale: SIMD2<Double>, sheet: SheetSize
  ) throws(SheetRefusal) -> SheetOutline {
    let rough = SheetOutline(corners: found.outline.corners.map { ($0 + 0.5) * scale - 0.5 })
    let reach = Int((2.5 * scale.max()).rounded(.up)) + 6
    let near = try refined(rough, in: plane, reach: reach, isLight: found.isLight)
    // A corner may have been off by more than the reach; what is left is how far a lens bends a side.
    let bend = Int(0.004 * (near.lengths.max() ?? 0))
    let outline = try refined(near, in: plane, reach: 8 + bend, isLight: found.isLight)
    guard outline.keystone <= keystoneLimit else { throw .keystone(outline.keystone) }
    guard abs(outline.ratio / sheet.ratio - 1) <= shapeTolerance else {
      throw .shape(outline.ratio, wanted: sheet.ratio)
    }
    return outline
  }

  /// An outline whose sides lie where the light steps, `reach` pixels off at most.
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
  /// Columns and rows as multiples of another size's.
  fileprivate func per(_ other: FrameSize) -> SIMD2<Double> {
    SIMD2(
      Double(width) / Double(other.width), Double(height) / Double(other.height))
  }
}
