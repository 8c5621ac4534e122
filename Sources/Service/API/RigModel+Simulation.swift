import API
import Devices
import SimulatedDevices

/// The API's commands to the simulated board.
extension RigModel {
  func addSimulation(to operations: inout OperationHandlers) {
    operations.on(Operations.simulate) { command in
      try await simulate(command)
      return SimulationReport(done: command)
    }
  }

  func simulate(_ command: SimulationCommand) async throws(APIError) {
    guard let world else {
      throw APIError(
        .notSimulated,
        "This rig has real devices; only the simulated board can be moved by command.")
    }
    switch command {
    case .press(let milliseconds, let bounce):
      world.press(
        for: .milliseconds(milliseconds ?? 80), bounce: bounce ?? false ? .typical : .none)
    case .turn(.degrees(let degrees)):
      world.turn(to: degrees)
    case .turn(.flat):
      world.tilt(to: .lensDown)
    case .heat(let celsius):
      world.heat(to: celsius)
    case .throttle(let flags):
      world.throttle(flags.reduce(into: []) { $0.formUnion(ThrottleFlags($1)) })
    case .showPage(let page):
      world.showPage(page)
    case .showHand(let isThere):
      world.showHand(isThere)
    case .cameraFault("none"):
      for fault in CameraFault.allCases { world.clear(fault) }
    case .cameraFault(let name):
      guard let fault = CameraFault(rawValue: name) else {
        let names = CameraFault.allCases.map(\.rawValue).joined(separator: ", ")
        throw APIError(
          .invalidRequest, "There is no camera fault \"\(name)\"; there are: \(names), none.")
      }
      world.inject(fault)
    }
  }
}
