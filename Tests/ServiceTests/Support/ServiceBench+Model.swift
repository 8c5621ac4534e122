import Devices
import RigConfiguration
import Spool
import TestSupport

@testable import Service

extension ServiceBench {
  /// Makes the API's model of a rig with this session, monitor and clock.
  func model(
    _ spool: Spool, _ scratch: ScratchSpool, targets: [TargetFactory.Product] = []
  ) -> RigModel {
    RigModel(
      rigID: "rig-1", board: .simulated, session: session, spool: spool,
      spoolConfiguration: scratch.configuration, targets: targets, monitor: monitor,
      indicatorNames: [.ready: "rig:green:ready", .fault: "rig:red:fault"],
      world: world, clock: clock, startedAt: clock.now,
      buttonNames: ["shutter", "pedal"])
  }
}
