/// The wanted size and rate of a stream of pictures: the query of `GET /v1/preview/stream`.
///
/// A picture is as large as these limits allow, keeps its shape and is never enlarged.
package struct PreviewStreamRequest: Sendable, Hashable {
  /// The allowed numbers of columns and rows.
  package static let sides = 64...1920
  /// The allowed pictures a second.
  package static let rates = 1...30
  /// The standard number of columns, enough for most windows of a browser.
  package static let standardWidth = 1024
  private static let standardHeight = 768

  private static let width = EndpointParameter<Int>.integer(
    "width", in: sides, default: standardWidth, "The most columns, before a turn.")
  private static let height = EndpointParameter<Int>.integer(
    "height", in: sides, default: standardHeight, "The most rows, before a turn.")
  private static let fps = EndpointParameter<Int>.integer(
    "fps", in: rates, default: 15, "The most pictures a second.")

  /// The most columns.
  package var width: Int
  /// The most rows.
  package var height: Int
  /// The most pictures a second.
  package var fps: Int

  package init(width: Int = standardWidth, height: Int = standardHeight, fps: Int = 15) {
    self.width = width
    self.height = height
    self.fps = fps
  }
}

extension PreviewStreamRequest: EndpointInput {
  package static var parameters: [ParameterDescription] {
    [width.described, height.described, fps.described]
  }

  package init(_ request: EndpointRequest) throws(APIError) {
    width = try request.required(Self.width)
    height = try request.required(Self.height)
    fps = try request.required(Self.fps)
  }

  package func write(to request: inout EndpointRequest) {
    request.set(Self.width, width)
    request.set(Self.height, height)
    request.set(Self.fps, fps)
  }
}

/// The wanted part of the newest frame, pixel for pixel: the query of `GET /v1/preview/loupe`.
///
/// The place is one in the frame as it is shown: turned by the preview angle, and not mirrored.
package struct LoupeRequest: Sendable, Hashable {
  /// The allowed numbers of columns and rows.
  package static let sides = 16...1024
  /// The allowed places along a side.
  package static let places = 0...1000

  private static let x = EndpointParameter<Int>.integer(
    "x", in: places, default: 500, "The center, in thousandths of the turned frame's width.")
  private static let y = EndpointParameter<Int>.integer(
    "y", in: places, default: 500, "The center, in thousandths of the turned frame's height.")
  private static let width = EndpointParameter<Int>.integer(
    "width", in: sides, default: 512, "The columns, after the turn.")
  private static let height = EndpointParameter<Int>.integer(
    "height", in: sides, default: 512, "The rows, after the turn.")

  /// The center in thousandths of the turned frame's width.
  package var x: Int
  /// The center in thousandths of the turned frame's height.
  package var y: Int
  /// The number of columns, fewer for a smaller frame.
  package var width: Int
  /// The number of rows, fewer for a smaller frame.
  package var height: Int

  package init(x: Int = 500, y: Int = 500, width: Int = 512, height: Int = 512) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }
}

extension LoupeRequest: EndpointInput {
  package static var parameters: [ParameterDescription] {
    [x.described, y.described, width.described, height.described]
  }

  package init(_ request: EndpointRequest) throws(APIError) {
    x = try request.required(Self.x)
    y = try request.required(Self.y)
    width = try request.required(Self.width)
    height = try request.required(Self.height)
  }

  package func write(to request: inout EndpointRequest) {
    request.set(Self.x, x)
    request.set(Self.y, y)
    request.set(Self.width, width)
    request.set(Self.height, height)
  }
}
