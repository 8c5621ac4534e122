/// A process that uses a camera.
public struct CameraHolder: Sendable, Hashable, CustomStringConvertible {
  /// How it is seen that it uses the camera.
  public enum Sign: Sendable, Hashable {
    /// It has locked the media node, as libcamera does.
    case lock
    /// The buffers of a video node are its own, as those of a program that streams are.
    case stream
    /// It has a node open; so has a program that only looks.
    case open
  }

  /// The node, of the media device when it is locked, for example `/dev/media0`.
  public var node: String
  /// Its number; 0 when it cannot be seen from here.
  public var processID: Int32
  /// Its name; `nil` when it may not be read.
  public var name: String?

  /// How it is seen that it uses the camera.
  public var sign: Sign

  /// Makes a holder.
  public init(node: String, processID: Int32, name: String? = nil, sign: Sign = .lock) {
    self.node = node
    self.processID = processID
    self.name = name
    self.sign = sign
  }

  /// One clause, for example `process 812 ("rpicam-still") uses /dev/media0`.
  public var description: String {
    guard processID > 0 else { return "another process uses \(node)" }
    return "process \(processID)" + (name.map { " (\"\($0)\")" } ?? "")
      + (sign == .open ? " has \(node) open" : " uses \(node)")
  }
}
