import Devices
@testable import SimulatedDevices
import Testing

@Suite struct RigPositionTests {
  struct Row: Sendable {
    var turn: QuarterTurn
    var x: Double
    var y: Double
    var orientation: Int
  }

  /// The table of the documentation, in standard gravities.
  static let rows = [
    Row(turn: .none, x: 0, y: 1, orientation: 1),
    Row(turn: .clockwise90, x: -1, y: 0, orientation: 6),
    Row(turn: .half, x: 0, y: -1, orientation: 3),
    Row(turn: .clockwise270, x: 1, y: 0, orientation: 8),
  ]

  @Test(arguments: rows) func `gravity and orientation follow the turn`(row: Row) {
    let acceleration = RigPosition(degrees: Double(row.turn.rawValue)).acceleration
    #expect(abs(acceleration.x - row.x * Acceleration.standardGravity) < 1e-9)
    #expect(abs(acceleration.y - row.y * Acceleration.standardGravity) < 1e-9)
    #expect(acceleration.z == 0)
    #expect(row.turn.exifOrientation == row.orientation)
  }

  @Test func `a rig lying flat has gravity along the optical axis`() {
    let down = RigPosition(degrees: 90, attitude: .lensDown)
    #expect(down.acceleration == Acceleration(x: 0, y: 0, z: Acceleration.standardGravity))
    #expect(down.quarterTurn == .clockwise90)
    let up = RigPosition(degrees: 0, attitude: .lensUp)
    #expect(up.acceleration == Acceleration(x: 0, y: 0, z: -Acceleration.standardGravity))
  }

  @Test(arguments: [
    (0, QuarterTurn.none), (44, .none), (46, .clockwise90), (-44, .none), (-46, .clockwise270),
    (180, .half), (359, .none), (-90, .clockwise270), (720 + 180, .half),
  ])
  func `the nearest quarter turn is found`(degrees: Int, turn: QuarterTurn) {
    #expect(QuarterTurn(nearest: Double(degrees)) == turn)
  }

  @Test func `quarter turns add up`() {
    #expect(QuarterTurn.clockwise90 + .clockwise90 == .half)
    #expect(QuarterTurn.clockwise270 + .clockwise90 == .none)
  }
}
