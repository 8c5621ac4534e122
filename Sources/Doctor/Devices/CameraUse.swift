import CameraHost

/// The use of the cameras, as their device nodes show it.
enum CameraUse: Sendable, Hashable {
  /// No process uses the cameras.
  case unused
  /// A process uses the cameras, in words.
  case used(by: String)
  /// The use is unknown, because this account may not open these nodes.
  case hidden([String])

  /// Looks at the nodes, from a process without a camera: see `CameraNodes`.
  ///
  /// - Parameter directory: the directory of the nodes.
  static func look(in directory: String) -> CameraUse {
    let holder =
      CameraNodes.holder(besides: [], in: directory)
      ?? CameraNodes.user(besides: [], in: directory)
    if let holder { return .used(by: holder.description) }
    let closed = CameraNodes.closed(in: directory)
    return closed.isEmpty ? .unused : .hidden(closed)
  }
}
