/// Reasons of what is wrong with the rig while captures go on.
///
/// They have codes like the reasons that interrupt captures, so that lights, log, API and console
/// name them in the same way; they are not among ``priority``, because they refuse no press.
extension InterruptionReason {
  /// A button has been down for longer than any gesture lasts.
  public static let buttonStuck = InterruptionReason(rawValue: "buttonStuck")
  /// A button was down already when its line began to be watched.
  public static let buttonHeldAtStart = InterruptionReason(rawValue: "buttonHeldAtStart")
  /// A button's contact opens and closes all the time.
  public static let buttonChattering = InterruptionReason(rawValue: "buttonChattering")
  /// The accelerometer is missing, or what it says cannot be.
  public static let accelerometer = InterruptionReason(rawValue: "accelerometer")
  /// The lamp cannot be switched; pictures are taken without it.
  public static let lamp = InterruptionReason(rawValue: "lamp")

  /// The reasons that refuse no press, the most important first.
  public static let ofRig: [InterruptionReason] = [
    buttonStuck, buttonHeldAtStart, buttonChattering, lamp, accelerometer,
  ]
}
