package import Devices

/// Decides what happens when no means of the session brings the camera back.
package protocol LastResort: Sendable {
  /// Decides, and records a restart durably before returning it.
  func decide(after error: DeviceError) async -> RestartRecord.Decision

  /// Notes that the camera has worked for ``RecoveryLadder/Policy/settlingTime``; returns at once.
  func cameraWorks()
}

/// The recovery that an earlier run of the service attempted for the camera.
package struct EarlierRecovery: Sendable, Hashable {
  /// The fault in words.
  package var fault: String
  /// The rung that was used.
  package var rung: RecoveryLadder.Rung

  package init(fault: String, rung: RecoveryLadder.Rung) {
    self.fault = fault
    self.rung = rung
  }
}
