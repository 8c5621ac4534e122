import Devices

@testable import Doctor

/// The list of all planted faults, which the other files of the type declare by part.
extension PlantedFault {
  static let all: [PlantedFault] = ofMachine + ofStorage + ofDevices + ofWiring + ofNetwork

  static func reason(
    _ reason: InterruptionReason, _ cause: String? = nil
  ) -> @Sendable (inout DoctorEvidence, FakeMachine) -> Void {
    { evidence, _ in evidence.reasons = [DoctorReason(reason, cause: cause)] }
  }
}
