/// What the API needs of a rig's doctor.
public protocol DoctorService: Sendable {
  /// Examines parts of the rig, in their own order; takes a few seconds at most.
  ///
  /// Nothing is changed by it. A part that does not answer is a finding, not an error.
  ///
  /// - Parameter parts: which; all of them are ``DoctorPart``'s `allCases`.
  func examine(_ parts: [DoctorPart]) async -> DoctorReport
}
