/// The trade-off between speed and quality (`AVCapturePhotoOutput.QualityPrioritization`).
package enum QualityPrioritization: String, Sendable, Hashable, Codable, Comparable, CaseIterable {
  /// Readiness for the next press as soon as possible: the least noise reduction, a smaller file.
  case speed
  /// The frame itself, with the best noise reduction that does not slow the camera down.
  case balanced
  /// The average of the frame and its neighbors, with the camera's best noise reduction.
  case quality

  /// Returns whether the first of two prioritizations is the faster.
  package static func < (faster: QualityPrioritization, better: QualityPrioritization) -> Bool {
    let order = allCases
    return (order.firstIndex(of: faster) ?? 0) < (order.firstIndex(of: better) ?? 0)
  }
}
