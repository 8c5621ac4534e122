/// A process that uses a camera.
package struct CameraHolder: Sendable, Hashable, CustomStringConvertible {
  /// The evidence that a process uses a camera.
  package enum Sign: Sendable, Hashable {
    /// The process has locked the media node, as libcamera does.
    case lock
    /// The process owns the buffers of a video node, as a streaming program does.
    case stream
    /// The process has a node open, as any program that only examines the node.
    case open
  }

  /// The path of the node, for a lock the media node's, for example `/dev/media0`.
  package var node: String
  /// The process's number; 0 when it cannot be seen from here.
  package var processID: Int32
  /// The process's name; `nil` when it may not be read.
  package var name: String?

  /// The evidence that the process uses the camera.
  package var sign: Sign = .lock

  /// The holder as a clause, for example `process 812 ("rpicam-still") uses /dev/media0`.
  package var description: String {
    guard processID > 0 else { return "another process uses \(node)" }
    return "process \(processID)" + (name.map { " (\"\($0)\")" } ?? "")
      + (sign == .open ? " has \(node) open" : " uses \(node)")
  }
}
