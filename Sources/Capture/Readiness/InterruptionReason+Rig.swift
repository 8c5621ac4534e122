/// Reasons for faults of the rig that do not interrupt captures.
///
/// They have codes like the reasons that interrupt captures, so that lights, log, API and console
/// name faults in the same way. These reasons refuse no press and are not among ``priority``.
extension InterruptionReason {
  /// A button has been down for longer than any gesture lasts.
  package static let buttonStuck = InterruptionReason(rawValue: "buttonStuck")
  /// A button was already down when the watch of its line began.
  package static let buttonHeldAtStart = InterruptionReason(rawValue: "buttonHeldAtStart")
  /// A button's contact opens and closes continuously.
  package static let buttonChattering = InterruptionReason(rawValue: "buttonChattering")
  /// The accelerometer is missing, or its readings are impossible.
  package static let accelerometer = InterruptionReason(rawValue: "accelerometer")
  /// The lamp cannot be switched; pictures are taken without it.
  package static let lamp = InterruptionReason(rawValue: "lamp")

  /// The reasons that refuse no press, the most important first.
  package static let ofRig: [InterruptionReason] = [
    buttonStuck, buttonHeldAtStart, buttonChattering, lamp, accelerometer,
  ]
}
