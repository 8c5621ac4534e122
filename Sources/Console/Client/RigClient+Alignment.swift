public import API

extension RigClient {
  /// The newest frame in small, and how sharp and how well exposed it is.
  ///
  /// - Throws: ``RigClientError``, `refused` with code `conflict` while no camera gives frames, and
  ///   `unavailable` while all frames are needed or the rig is too hot.
  public func preview(_ wish: PreviewWish) async throws(RigClientError) -> PreviewReport {
    try await get(
      "/v1/preview?width=\(wish.width)&height=\(wish.height)&pixelAspect=\(wish.pixelAspect)")
  }

  /// What the accelerometer says.
  ///
  /// - Throws: ``RigClientError``.
  public func accelerometer() async throws(RigClientError) -> AccelerometerReport {
    try await get("/v1/accelerometer")
  }
}
