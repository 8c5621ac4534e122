import CameraHost

/// What a look at the cameras' device nodes tells of who uses them.
enum CameraUse: Sendable, Hashable {
  /// Nobody does.
  case nobody
  /// Somebody does; who, in words.
  case somebody(String)
  /// It cannot be told, because this account may not open these nodes.
  case hidden([String])

  /// Looks, from a process that has no camera: see `CameraNodes`.
  ///
  /// - Parameter directory: where the nodes are.
  static func look(in directory: String) -> CameraUse {
    let holder =
      CameraNodes.holder(besides: [], in: directory)
      ?? CameraNodes.user(besides: [], in: directory)
    if let holder { return .somebody(holder.description) }
    let closed = CameraNodes.closed(in: directory)
    return closed.isEmpty ? .nobody : .hidden(closed)
  }
}
