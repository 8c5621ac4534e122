/// How large a preview is to be: the query of `GET /v1/preview`.
///
/// | parameter | value | default |
/// |---|---|---|
/// | `width`, `height` | the most columns and rows, 8 to 320 | 160 and 120 |
/// | `pixelAspect` | the width of a pixel against its height, 0.1 to 10 | 1 |
///
/// The picture is as large as it can be within that, its shape kept.
public struct PreviewWish: Sendable, Hashable {
  /// How many columns or rows there can be.
  public static let sides = 8...320
  /// What the pixels can be like.
  public static let pixelAspects = 0.1...10.0
  static let parameters = ["width", "height", "pixelAspect"]

  /// The most columns.
  public var width: Int
  /// The most rows.
  public var height: Int
  /// The width of a pixel against its height.
  public var pixelAspect: Double

  /// Makes a wish.
  public init(width: Int = 160, height: Int = 120, pixelAspect: Double = 1) {
    self.width = width
    self.height = height
    self.pixelAspect = pixelAspect
  }

  /// Reads the parameters of a query.
  ///
  /// - Throws: ``APIError``, code ``APIError/Code/invalidRequest``, which names the parameter.
  init(_ parameter: (String) -> String?) throws(APIError) {
    self.init()
    width = try Self.number("width", in: Self.sides, parameter, Int.init) ?? width
    height = try Self.number("height", in: Self.sides, parameter, Int.init) ?? height
    pixelAspect =
      try Self.number("pixelAspect", in: Self.pixelAspects, parameter, Double.init) ?? pixelAspect
  }

  private static func number<Number: Comparable>(
    _ name: String, in range: ClosedRange<Number>, _ parameter: (String) -> String?,
    _ read: (String) -> Number?
  ) throws(APIError) -> Number? {
    guard let text = parameter(name) else { return nil }
    guard let number = read(text), range.contains(number) else {
      throw APIError(
        .invalidRequest,
        "The parameter \"\(name)\" must be a number from \(range.lowerBound) to "
          + "\(range.upperBound), not \"\(text.prefix(40))\".")
    }
    return number
  }
}
