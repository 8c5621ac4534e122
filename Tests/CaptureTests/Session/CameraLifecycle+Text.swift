import Devices

@testable import Capture

extension CameraLifecycle {
  /// The state in a few words: its name and the role of the open camera.
  var text: String {
    let name =
      switch state {
      case .absent: "absent"
      case .opening: "opening"
      case .starting: "starting"
      case .streaming: "streaming"
      case .changing: "changing"
      case .recovering: "recovering"
      case .stopped: "stopped"
      }
    return current.map { "\(name) \($0.role)" } ?? name
  }
}

extension CameraLifecycle.Step {
  /// The step in a few words; an instant as milliseconds.
  var text: String {
    switch self {
    case .close: "close"
    case .open(let role): "open \(role)"
    case .start: "start"
    case .pause(let end): "pause until \(end.nanoseconds / 1_000_000)"
    case .stayStopped: "stay stopped"
    }
  }
}
