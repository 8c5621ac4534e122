import Devices
import TestSupport
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
          try await until(lamp, isLit: isOn, on: rig)
        }
        await lamp.release()
        try await until(lamp, isLit: false, on: rig)
        try await lamp.turn(on: true)
        try await until(lamp, isLit: true, on: rig)
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

    /// Waits for a lamp; the kernel may drive its line a moment after the call.
    private func until(_ lamp: any Lamp, isLit: Bool, on rig: ConformanceRig) async throws {
      try await eventually { try await rig.hands.isLit(lamp) == isLit }
    }
  }
}
