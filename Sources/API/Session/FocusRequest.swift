package import Devices

/// A place to focus on: the body of `POST /v1/session/focus`.
package struct FocusRequest: Sendable, Hashable, Codable {
  /// The place in the frame; `nil` leaves the place to the camera.
  package let focusPoint: FocusPoint?

  package init(focusPoint: FocusPoint? = nil) { self.focusPoint = focusPoint }

  /// Reads a request, which may be `{}`.
  ///
  /// - Throws: ``Devices/InvalidValue`` for an unknown key or a place out of the frame, or
  ///   `DecodingError`.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(of: [CodingKeys.focusPoint])
    focusPoint = try container.decodeIfPresent(FocusPoint.self, forKey: .focusPoint)
    try focusPoint?.check()
  }
}
