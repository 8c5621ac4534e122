import Devices
import Testing

extension Conformance {
  @Suite struct LampConformanceTests {
    @Test(arguments: ConformanceBoard.all)
    func `a lamp can be lit and turned dark and is dark after its release`(board: ConformanceBoard)
      async throws
    {
      let rig = try await board.makeRig()
      for lamp in rig.lamps {
        // A repeated state changes nothing, and a released lamp can be taken again.
        for isOn in [true, true, false, false, true] {
          try await lamp.turn(on: isOn)
          let isLit = try await rig.hands.isLit(lamp)
          #expect(isLit == isOn, "\(lamp.name)")
        }
        await lamp.release()
        let isReleasedDark = try await rig.hands.isLit(lamp) == false
        #expect(isReleasedDark, "\(lamp.name)")
        try await lamp.turn(on: true)
        let isLitAgain = try await rig.hands.isLit(lamp)
        #expect(isLitAgain, "\(lamp.name)")
        await lamp.release()
        await lamp.release()
      }
    }

    @Test(arguments: ConformanceBoard.all)
    func `a lamp that does not exist is absent`(board: ConformanceBoard) async throws {
      let lamp = try await board.makeRig().absentLamp
      for isOn in [true, false] {
        let error = await #expect(throws: DeviceError.self) { try await lamp.turn(on: isOn) }
        #expect(error?.code == .absent)
      }
      await lamp.release()
    }
  }
}
