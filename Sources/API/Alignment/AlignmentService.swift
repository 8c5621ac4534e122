/// What the API needs of a rig that is aimed, focused and levelled.
public protocol AlignmentService: Sendable {
  /// The newest frame in small, and how sharp and how well exposed it is.
  ///
  /// - Throws: ``APIError``: ``APIError/Code/conflict`` while no camera gives frames,
  ///   ``APIError/Code/unavailable`` while all frames are needed for pictures or the rig is too hot.
  func preview(_ wish: PreviewWish) async throws(APIError) -> PreviewReport

  /// What the accelerometer says.
  func accelerometer() async -> AccelerometerReport
}
