/// The wanted size of a preview: the query of `GET /v1/preview`.
///
/// The picture is as large as these limits allow and keeps its shape.
package struct PreviewSize: Sendable, Hashable {
  /// The allowed numbers of columns and rows.
  package static let sides = 8...320
  /// The allowed widths of a pixel against its height.
  package static let pixelAspects = 0.1...10.0

  private static let width = EndpointParameter<Int>.integer(
    "width", in: sides, default: 160, "The most columns.")
  private static let height = EndpointParameter<Int>.integer(
    "height", in: sides, default: 120, "The most rows.")
  private static let pixelAspect = EndpointParameter<Double>.number(
    "pixelAspect", in: pixelAspects, default: 1, "The width of a pixel against its height.")

  /// The most columns.
  package var width: Int
  /// The most rows.
  package var height: Int
  /// The width of a pixel against its height.
  package var pixelAspect: Double

  package init(width: Int = 160, height: Int = 120, pixelAspect: Double = 1) {
    self.width = width
    self.height = height
    self.pixelAspect = pixelAspect
  }
}

extension PreviewSize: EndpointInput {
  package static var parameters: [ParameterDescription] {
    [width.described, height.described, pixelAspect.described]
  }

  package init(_ request: EndpointRequest) throws(APIError) {
    width = try request.required(Self.width)
    height = try request.required(Self.height)
    pixelAspect = try request.required(Self.pixelAspect)
  }

  package func write(to request: inout EndpointRequest) {
    request.set(Self.width, width)
    request.set(Self.height, height)
    request.set(Self.pixelAspect, pixelAspect)
  }
}
