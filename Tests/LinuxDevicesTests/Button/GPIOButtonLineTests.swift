import Devices
import LinuxDevices
import Testing

@Suite struct GPIOButtonLineTests {
  @Test(arguments: [
    (GPIOLineAddress.name("SHUTTER"), "SHUTTER"),
    (.offset(17, chip: "pinctrl-bcm2835"), "pinctrl-bcm2835 line 17"),
  ])
  func `a line has a readable name`(address: GPIOLineAddress, name: String) {
    #expect(GPIOButtonLine(address).name == name)
  }

  @Test func `a line that does not exist is absent`() async {
    let line = GPIOButtonLine(.name("NO_SUCH_LINE"))
    let error = await #expect(throws: DeviceError.self) { try await line.watch() }
    #expect(error?.code == .absent)
    #expect(error?.description.hasPrefix("\"NO_SUCH_LINE\" cannot be found") == true)
    #expect(error?.cause == "No such file or directory")
  }

  @Test func `an offset below zero is misconfigured`() async {
    let line = GPIOButtonLine(.offset(-1, chip: "pinctrl-bcm2835"))
    let error = await #expect(throws: DeviceError.self) { try await line.watch() }
    #expect(error?.code == .misconfigured)
    #expect(
      error?.description
        == "\"pinctrl-bcm2835 line -1\" cannot be found: an offset is 0 or more")
  }

  @Test func `releasing an untaken line does nothing`() async {
    await GPIOButtonLine(.name("NO_SUCH_LINE")).release()
  }
}
