/// The reason that a picture of the prioritization *quality* is one frame, and no average.
package enum SingleFrameReason: String, Sendable, Hashable, Codable, CaseIterable {
  /// The press takes a bracket, whose frames differ.
  case bracket
  /// The camera compresses its frames itself.
  case compressed
  /// The rig is hot.
  case heat
  /// The camera's memory has no frame to spare.
  case memory
  /// No other frame in the ring was taken as the chosen one was, or shows the same.
  case unlike
  /// The ring had moved past the other frames.
  case overwritten
  /// The disk had no room for the frames until they could be averaged.
  case storage
  /// The frames could not be averaged; the log says why.
  case failed
}
