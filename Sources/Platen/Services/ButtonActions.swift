import Capture
import Devices

/// What buttons do to the rig.
///
/// The methods are called one after the other in the order in which the gestures were decided, but
/// for those that may take their time, which nothing else waits for.
///
/// ``shoot(at:gesture:button:)`` and ``retake(at:gesture:button:)`` keep their order among
/// themselves: each is called when its turn has come and the one before has returned. So a press
/// that waits for its number, because the disk hangs, keeps neither a fault nor the arming of the
/// machine from being shown. ``focus(button:)`` and ``switchCamera(button:)`` run beside all others,
/// so that a press is judged when it comes, and so does ``powerOff(button:)``, so that a disk that
/// hangs does not keep the power on; none of these three is called again before it has returned.
protocol ButtonActions: Sendable {
  /// Takes a picture of a moment.
  ///
  /// - Parameters:
  ///   - time: the kernel's time of the push.
  ///   - gesture: what the hand did.
  ///   - button: the button's name.
  func shoot(at time: MonotonicInstant, gesture: Gesture, button: String) async

  /// Takes a picture of a moment that replaces the last one.
  func retake(at time: MonotonicInstant, gesture: Gesture, button: String) async

  /// A push may become a picture: its frame is to be kept. Exactly one ``shoot(at:gesture:button:)``,
  /// ``retake(at:gesture:button:)`` or ``withdraw(at:button:)`` of the same time follows.
  func anticipate(at time: MonotonicInstant, button: String) async

  /// The push becomes no picture.
  func withdraw(at time: MonotonicInstant, button: String) async

  /// Focuses the camera.
  func focus(button: String) async

  /// Goes on with the next camera.
  func switchCamera(button: String) async

  /// Whether a technician holds the uploads back.
  var areUploadsPaused: Bool { get async }

  /// Holds the uploads back, or lets them go on.
  func setUploadsPaused(_ isPaused: Bool, button: String) async

  /// The machine is armed: unless it is called off, the power goes off at that instant; `nil` when
  /// it was called off.
  func setPowerOffArmed(until instant: MonotonicInstant?, button: String) async

  /// Turns the power off.
  func powerOff(button: String) async

  /// Something is wrong with a button.
  func beginFault(_ reason: InterruptionReason, button: String) async

  /// What was wrong has ended.
  func endFault(_ reason: InterruptionReason, button: String) async

  /// A button's contact closed so many times for too short a time to be a press.
  func noteSpikes(_ count: Int, button: String) async

  /// Edges of a button are known to be lost; `time` is when that was found out.
  func loseEdges(_ count: Int, at time: MonotonicInstant, button: String) async
}
