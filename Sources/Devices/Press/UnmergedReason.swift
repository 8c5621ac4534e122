/// The reason that the pictures of a bracket are stored unmerged although merging is wanted.
package enum UnmergedReason: String, Sendable, Hashable, Codable, CaseIterable {
  /// The camera compresses its frames itself.
  case compressed
  /// The rig is hot.
  case heat
  /// The machine has too little free memory.
  case memory
  /// The frames could not be merged; the log says why.
  case failed
}
