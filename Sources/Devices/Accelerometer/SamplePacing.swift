/// How the samples of an accelerometer are paced.
public enum SamplePacing: Sendable, Hashable {
  /// By the trigger that the device has, or by polling where it has none or that one stays silent.
  case device
  /// By polling.
  case polling
  /// By the trigger of this name.
  case trigger(String)
}
