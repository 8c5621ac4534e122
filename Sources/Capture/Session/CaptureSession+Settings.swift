/// What a change of the settings is for those who listen.
extension CaptureSession {
  /// Tells all who listen that the settings are others than before; a change that failed is none.
  func announceSettings(after before: SessionSettings) {
    if settings != before { events.send(.configuration(resolvedSettings)) }
  }
}
