/// What the API needs to tell how the rig is connected and what time it is; nothing is changed.
public protocol NetworkService: Sendable {
  /// How the rig is connected; each name server and target is asked, which takes a few seconds at
  /// most. Whoever asks at the same time, or within two seconds, gets the same.
  func network() async -> NetworkReport

  /// What the rig knows of the time.
  func time() async -> TimeReport
}
