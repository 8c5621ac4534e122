/// Two projective maps, between which places are moved into a rectangle.
struct BoundedHomography: Sendable {
  /// The map that is done first; affine.
  let first: Homography
  /// The corners of the rectangle with the lowest and the highest numbers; `nil` for no rectangle.
  let bounds: (lowest: SIMD2<Double>, highest: SIMD2<Double>)?
  /// The map of the places in the rectangle.
  let second: Homography
}
