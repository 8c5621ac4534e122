public import Devices

/// Decides what happens when nothing that the session itself can do brings the camera back.
public protocol LastResort: Sendable {
  /// Decides and keeps in mind what is ended for the camera's sake; a decision to end something is
  /// durable before it is returned.
  func decide(after error: DeviceError) async -> RestartRecord.Decision

  /// The camera has worked for ``RecoveryLadder/Policy/settlingTime``; returns at once.
  func cameraWorks()
}

/// What was done for the camera before the session was made, by an earlier run of the service.
public struct EarlierRecovery: Sendable, Hashable {
  /// The fault in words.
  public var fault: String
  /// What was done about it.
  public var rung: RecoveryLadder.Rung

  /// Makes an earlier recovery.
  public init(fault: String, rung: RecoveryLadder.Rung) {
    self.fault = fault
    self.rung = rung
  }
}
