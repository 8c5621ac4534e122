/// The pacing of an accelerometer's samples.
package enum SamplePacing: Sendable, Hashable {
  /// By the device's trigger, or by polling where it has none or its trigger stays silent.
  case device
  /// By polling.
  case polling
  /// By the trigger of this name.
  case trigger(String)
}
