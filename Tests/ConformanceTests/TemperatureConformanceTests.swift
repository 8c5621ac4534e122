import Devices
import Testing

extension Conformance {
  @Suite struct TemperatureConformanceTests {
    @Test(arguments: ConformanceBoard.all, [21.5, 61.125, 79, -5])
    func `the temperature is that of the zone`(board: ConformanceBoard, temperature: Double)
      async throws
    {
      let rig = try await board.makeRig()
      try await rig.hands.heat(to: temperature)
      #expect(try await rig.zone.temperature() == temperature)
    }

    @Test(arguments: ConformanceBoard.all)
    func `a zone that does not exist is absent`(board: ConformanceBoard) async throws {
      let rig = try await board.makeRig()
      let reading = await #expect(throws: DeviceError.self) {
        try await rig.absentZone.temperature()
      }
      #expect(reading?.code == .absent)
    }
  }
}
