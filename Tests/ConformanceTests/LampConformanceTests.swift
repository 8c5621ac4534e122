import Devices
import Testing

extension Conformance {
  @Suite struct LampConformanceTests {
    @Test(arguments: ConformanceBoard.all)
    func aLampIsLitDarkAndReleasedDark(board: ConformanceBoard) async throws {
      let rig = try await board.makeRig()
      for lamp in rig.lamps {
        // The same twice changes nothing, and what was released is taken again.
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
    func aLampThatDoesNotExistIsAbsent(board: ConformanceBoard) async throws {
      let lamp = try await board.makeRig().absentLamp
      for isOn in [true, false] {
        let error = await #expect(throws: DeviceError.self) { try await lamp.turn(on: isOn) }
        #expect(error?.code == .absent)
      }
      await lamp.release()
    }
  }
}
