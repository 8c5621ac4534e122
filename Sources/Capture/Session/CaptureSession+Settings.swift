/// The event for a change of the settings.
extension CaptureSession {
  /// Sends an event if the settings differ from the previous ones; a failed change sends none.
  func announceSettings(after before: SessionSettings) {
    if settings != before { events.send(.configuration(resolvedSettings)) }
  }
}
