/// The rules for when a session lights its lamp.
package struct LampPolicy: Sendable, Hashable {
  /// The occasions for lighting the lamp.
  package enum Mode: String, Sendable, Hashable, CaseIterable {
    /// Lit while a camera streams for the session.
    ///
    /// The lamp is dark while the session is stopped, while the camera is lost, and after the end.
    case session
    /// Lit from a press, or the button event that announces one, until its frame is chosen.
    case shot
  }

  /// The occasions for lighting the lamp.
  package var mode: Mode
  /// The time that the lamp must be lit before an exposure counts, 0 or more.
  package var leadTime: Duration
  /// The time that the lamp stays lit after the last shot, 0 or more; only with ``Mode/shot``.
  package var holdTime: Duration
  /// The exposure at ISO 100 from which a press with the flash mode `auto` has the lamp's light.
  ///
  /// The exposure is above 0, and concerns only ``Mode/shot``.
  package var autoFrom: Duration

  package init(
    mode: Mode = .session, leadTime: Duration = .milliseconds(200), holdTime: Duration = .zero,
    autoFrom: Duration = .milliseconds(100)
  ) {
    self.mode = mode
    self.autoFrom = autoFrom
    self.leadTime = max(leadTime, .zero)
    self.holdTime = max(holdTime, .zero)
  }
}

/// The state of a session's lamp.
package struct LampStatus: Sendable, Hashable {
  /// Whether the lamp is lit, as far as its last successful change tells.
  package var isLit: Bool = false
  /// The fault of the last switching; `nil` when it succeeded.
  package var fault: String?
}
