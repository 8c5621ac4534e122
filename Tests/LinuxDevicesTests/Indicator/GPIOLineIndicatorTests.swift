import Devices
import LinuxDevices
import Testing

@Suite struct GPIOLineIndicatorTests {
  @Test(arguments: [IndicatorPattern.on, .off, .flashes(2)])
  func `a line that does not exist is absent`(pattern: IndicatorPattern) async {
    let light = GPIOLineIndicator(.name("NO_SUCH_LIGHT"))
    let error = await #expect(throws: DeviceError.self) { try await light.show(pattern) }
    #expect(error?.code == .absent)
    #expect(error?.device == "NO_SUCH_LIGHT")
  }

  @Test func `releasing an untaken line does nothing`() async {
    await GPIOLineIndicator(.name("NO_SUCH_LIGHT")).release()
  }
}
