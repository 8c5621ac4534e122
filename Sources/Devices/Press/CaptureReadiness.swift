/// The answer whether a press would be taken now, in the words of AVFoundation.
package enum CaptureReadiness: String, Sendable, Hashable, Codable, CaseIterable {
  /// The session has not started yet, or was stopped.
  case sessionNotRunning
  /// A press would be taken.
  case ready
  /// The session runs and cannot take a press now: the reasons say why.
  ///
  /// Without a reason the stream has begun and no frame has come yet.
  case notReadyMomentarily
  /// All captures that may be in flight wait for their frames, or a bracket is taken.
  case notReadyWaitingForCapture
  /// All captures that may be in flight are, and at least one is being encoded or stored.
  case notReadyWaitingForProcessing
}
