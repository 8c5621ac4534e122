import Capture
import Devices

/// The actions of buttons on the rig.
///
/// The methods are called one after the other, in the order in which the gestures were decided. The
/// slow ones are exceptions, and nothing waits for them.
///
/// The methods ``shoot(at:gesture:button:)``, ``retake(at:gesture:button:)`` and
/// ``bracket(at:gesture:button:)`` keep their order among themselves: each is called after the one
/// before has returned. A press that waits for its number because the disk hangs therefore delays
/// neither a fault nor the display of an armed power off.
///
/// The methods ``record(at:gesture:button:)``, ``focus(button:)``, ``switchCamera(button:)`` and
/// ``powerOff(button:)`` run in parallel with all others. Presses are therefore judged when they
/// come, and a disk that hangs does not prevent the power off. None of these four is called again
/// before it has returned.
protocol ButtonActions: Sendable {
  /// Takes a picture of a moment.
  ///
  /// - Parameters:
  ///   - time: the kernel's time of the push.
  ///   - gesture: the operator's gesture.
  ///   - button: the button's name.
  func shoot(at time: MonotonicInstant, gesture: Gesture, button: String) async

  /// Takes a picture of a moment that replaces the last one.
  func retake(at time: MonotonicInstant, gesture: Gesture, button: String) async

  /// Takes the pictures of a bracket.
  func bracket(at time: MonotonicInstant, gesture: Gesture, button: String) async

  /// Keeps the frame of a push that may become a picture.
  ///
  /// Exactly one ``shoot(at:gesture:button:)``, ``retake(at:gesture:button:)``,
  /// ``bracket(at:gesture:button:)`` or ``withdraw(at:button:)`` of the same time follows.
  func anticipate(at time: MonotonicInstant, button: String) async

  /// Releases the frame of a push that does not become a picture.
  func withdraw(at time: MonotonicInstant, button: String) async

  /// Starts a recording, or ends the one that goes on.
  func record(at time: MonotonicInstant, gesture: Gesture, button: String) async

  /// Focuses the camera.
  func focus(button: String) async

  /// Switches to the next camera.
  func switchCamera(button: String) async

  /// Whether a technician has paused the uploads.
  var areUploadsPaused: Bool { get async }

  /// Pauses or resumes the uploads.
  func setUploadsPaused(_ isPaused: Bool, button: String) async

  /// Notes the time of an armed power off, or `nil` when it was called off.
  func setPowerOffArmed(until instant: MonotonicInstant?, button: String) async

  /// Powers the machine off.
  func powerOff(button: String) async

  /// Notes a fault of a button.
  func beginFault(_ reason: InterruptionReason, button: String) async

  /// Notes the end of a fault.
  func endFault(_ reason: InterruptionReason, button: String) async

  /// Notes a number of pulses that were too short for a press.
  func noteSpikes(_ count: Int, button: String) async

  /// Notes lost edges of a button; `time` is the time of their detection.
  func loseEdges(_ count: Int, at time: MonotonicInstant, button: String) async
}
