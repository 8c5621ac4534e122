import Devices
import Testing

/// A board whose devices must keep the promises of the protocols in `Devices`.
struct ConformanceBoard: Sendable, CustomTestStringConvertible {
  /// The board's name in test reports.
  var testDescription: String
  /// Whether the rig has a camera.
  var hasCameras = true
  /// A function that makes the board's devices with hands to move them; called once by each case.
  var makeRig: @Sendable () async throws -> ConformanceRig

  /// The kernel rig's real drivers if this is the virtual rig, otherwise the simulated board.
  ///
  /// Only one runs: the rig's single slow processor is no measure for the simulated board's cost.
  static let all: [ConformanceBoard] = [
    KernelRig.isPresent
      ? ConformanceBoard(testDescription: "kernel") { try await KernelRig.make() }
      : ConformanceBoard(testDescription: "simulated") { SimulatedRig.make() }
  ]

  /// The boards with a camera, and one whose camera can only stream.
  static let withAnyControls =
    withCameras
    + [ConformanceBoard(testDescription: "simulated, plain") { SimulatedRig.makePlain() }]

  /// The boards that have a camera, and the same boards with the cameras in a process of their own.
  static let withCameras =
    all.filter(\.hasCameras)
    + all.filter(\.hasCameras).map { board in
      ConformanceBoard(testDescription: "\(board.testDescription), hosted") {
        var rig = try await board.makeRig()
        rig.cameras = HostedCameras.make(KernelRig.isPresent ? "linux" : "simulated")
        return rig
      }
    }
}

/// The devices of a board for one case.
struct ConformanceRig: Sendable {
  /// The shutter button, not taken.
  var button: any ButtonLine
  /// A button line that does not exist.
  var absentButton: any ButtonLine
  /// The accelerometer, not started.
  var accelerometer: any Accelerometer
  /// An accelerometer that does not exist.
  var absentAccelerometer: any Accelerometer
  /// Lights of every kind that the board has, dark.
  var lights: [any Indicator]
  /// A light that does not exist.
  var absentLight: any Indicator
  /// Lamps of every kind that the board has, dark.
  var lamps: [any Lamp]
  /// A lamp that does not exist.
  var absentLamp: any Lamp
  /// A thermal zone.
  var zone: any TemperatureSensor
  /// A thermal zone that does not exist.
  var absentZone: any TemperatureSensor
  /// The cameras, none open; a board of `ConformanceBoard.withCameras` has at least one.
  var cameras: (any CameraSystem)?
  /// The hands that move the devices from outside.
  var hands: any RigHands
}

/// The effects of a person, gravity and heat on a board.
protocol RigHands: Sendable {
  /// Pushes the button and leaves the finger on it.
  ///
  /// - Returns: instants just before and just after.
  func hold() async throws -> ClosedRange<MonotonicInstant>

  /// Takes the finger off.
  ///
  /// - Returns: instants just before and just after.
  func letGo() async throws -> ClosedRange<MonotonicInstant>

  /// Presses the button repeatedly, down and up for half of the time each.
  func press(count: Int, every: Duration) async throws

  /// Makes many edges as fast as possible; the button is up in the end.
  func storm(edges: Int) async throws

  /// Lets another program take the button's line, or release it.
  func occupyButton(_ isOccupied: Bool) async throws

  /// Turns the rig so that a resting accelerometer points along one of the rig's axes.
  func place(_ position: RestingPosition) async throws

  /// Takes the accelerometer away, or puts it back.
  func plugAccelerometer(_ isPlugged: Bool) async throws

  /// Heats the thermal zone to a temperature in degrees Celsius.
  func heat(to temperature: Double) async throws

  /// Looks at a light for a while.
  ///
  /// - Returns: each change and the time at which it was seen, beginning with the light's first
  /// state.
  func watch(_ light: any Indicator, for duration: Duration) async throws -> [LightChange]

  /// Returns whether a lamp is lit now.
  func isLit(_ lamp: any Lamp) async throws -> Bool
}

/// A light's change as seen from outside.
struct LightChange: Sendable, Hashable {
  var time: MonotonicInstant
  var isLit: Bool
  /// Whether the machine was not held up shortly before, so that the light changed in time.
  var isInTime = true
}

/// The six ways in which a rig can rest on a face.
enum RestingPosition: String, Sendable, CaseIterable {
  case portrait, upsideDown, landscapeLeft, landscapeRight, faceUp, faceDown

  /// The reading of an accelerometer, in the rig's axes.
  var acceleration: Acceleration {
    let gravity = Acceleration.standardGravity
    return switch self {
    case .portrait: Acceleration(x: 0, y: gravity, z: 0)
    case .upsideDown: Acceleration(x: 0, y: -gravity, z: 0)
    case .landscapeLeft: Acceleration(x: gravity, y: 0, z: 0)
    case .landscapeRight: Acceleration(x: -gravity, y: 0, z: 0)
    case .faceUp: Acceleration(x: 0, y: 0, z: gravity)
    case .faceDown: Acceleration(x: 0, y: 0, z: -gravity)
    }
  }
}

/// All conformance tests, one after the other: the kernel rig has each device only once.
@Suite(.serialized, .timeLimit(.minutes(10))) enum Conformance {}
