import Devices
import Foundation
import LinuxDevices
import Logging
import TestSupport
import Testing

/// The real drivers on the virtual rig's kernel devices, as `board/rig/guest/wiring.py` wires them.
enum KernelRig {
  /// The folder of the rig's `hands.py`; set only inside the rig.
  private static let handsFolder = ProcessInfo.processInfo.environment["PLATEN_RIG_HANDS"]

  /// The cameras for all cases: a process has one camera manager.
  private static let cameras = LibcameraSystem(logger: Logger(label: "conformance"))

  /// Whether this process runs inside the rig.
  static var isPresent: Bool { handsFolder != nil }

  /// Makes the devices, with the button up, the rig upright and the zone at 45 °C.
  static func make() async throws -> ConformanceRig {
    #expect(MainThread.blocksChildEnds)
    let process = try HandsProcess(folder: handsFolder ?? "")
    let hands = KernelHands(process: process)
    // The hands undo the effects of the last case.
    _ = try await hands.letGo()
    try await hands.place(.portrait)
    try await hands.heat(to: 45)
    return ConformanceRig(
      // A bias would move the simulated line's pull, which is the finger.
      button: GPIOButtonLine(.name("SHUTTER"), bias: .asIs, isActiveLow: true),
      absentButton: GPIOButtonLine(.offset(54, chip: "pinctrl-bcm2835"), isActiveLow: true),
      accelerometer: IIOAccelerometer(name: "lis3dh", pacing: .trigger("rigtrig")),
      absentAccelerometer: IIOAccelerometer(name: "lis2dw12"),
      lights: [
        GPIOLineIndicator(.name("LED_READY")), ClassLEDIndicator(name: "rig:green:ready"),
      ],
      absentLight: ClassLEDIndicator(name: "rig:green:absent"),
      lamps: [GPIOLineLamp(.name("LED_BUSY")), ClassLEDLamp(name: "rig:white:lamp")],
      absentLamp: ClassLEDLamp(name: "rig:white:absent"),
      zone: ThermalZone(name: "cpu-thermal"), absentZone: ThermalZone(name: "gpu-thermal"),
      cameras: cameras, hands: hands)
  }
}

/// Moves the virtual rig through its `hands.py`.
struct KernelHands: RigHands {
  let process: HandsProcess

  /// Another program that wants the button.
  private let other = GPIOButtonLine(.offset(17, chip: "pinctrl-bcm2835"), isActiveLow: true)

  init(process: HandsProcess) {
    self.process = process
  }

  func hold() async throws -> ClosedRange<MonotonicInstant> {
    try await window("shutter.hold")
  }

  func letGo() async throws -> ClosedRange<MonotonicInstant> {
    try await window("shutter.release")
  }

  private func window(_ call: String) async throws -> ClosedRange<MonotonicInstant> {
    let edges = try await process.call(call, returning: [Int64].self)
    return MonotonicInstant(nanoseconds: edges[0])...MonotonicInstant(nanoseconds: edges[1])
  }

  func press(count: Int, every interval: Duration) async throws {
    let seconds = interval.inMilliseconds / 1000
    try await process.call(
      "shutter.presses", .int(count), .double(seconds), .double(seconds / 2),
      returning: [[Int64]].self)
  }

  func storm(edges: Int) async throws {
    // Each bounce is two edges, at the push and at the release.
    try await process.call(
      "shutter.bounce", .int(edges / 4), .double(0), returning: [[Int64]].self)
  }

  func occupyButton(_ isOccupied: Bool) async throws {
    if isOccupied {
      _ = try await other.watch()
    } else {
      await other.release()
    }
  }

  func place(_ position: RestingPosition) async throws {
    let name =
      switch position {
      case .portrait: "portrait"
      case .upsideDown: "upside-down"
      case .landscapeLeft: "landscape-left"
      case .landscapeRight: "landscape-right"
      case .faceUp: "face-up"
      case .faceDown: "face-down"
      }
    try await process.call("accelerometer.place", .string(name), returning: Nothing.self)
  }

  func plugAccelerometer(_ isPlugged: Bool) async throws {
    try await process.call(
      isPlugged ? "accelerometer.plug" : "accelerometer.unplug", returning: Nothing.self)
  }

  func heat(to temperature: Double) async throws {
    try await process.call("heat", .double(temperature), returning: Nothing.self)
  }

  func watch(
    _ light: any Indicator, for duration: Duration
  ) async throws -> [LightChange] {
    try await process.call("leds.record", .strings([light.name]), returning: Nothing.self)
    try await SystemMonotonicClock().sleep(for: duration)
    let changes = try await process.call("leds.recorded", returning: [SeenChange].self)
    let held = try await process.call("leds.held", returning: [[Int64]].self)
    return changes.map { change in
      LightChange(
        time: MonotonicInstant(nanoseconds: change.time), isLit: change.level == 1,
        isInTime: !held.contains { $0[0] < change.time && $0[1] > change.time - 100_000_000 })
    }
  }

  func isLit(_ lamp: any Lamp) async throws -> Bool {
    try await process.call("leds.record", .strings([lamp.name]), returning: Nothing.self)
    return try await process.call("leds.recorded", returning: [SeenChange].self).last?.level == 1
  }
}

/// A change, `[instant, name, level]`, as `leds.recorded()` returns it.
private struct SeenChange: Decodable, Sendable {
  var time: Int64
  var level: Int

  init(from decoder: any Decoder) throws {
    var fields = try decoder.unkeyedContainer()
    time = try fields.decode(Int64.self)
    _ = try fields.decode(String.self)
    level = try fields.decode(Int.self)
  }
}
