import Devices
import LinuxDevices
import Testing

@Suite struct GPIOButtonLineTests {
  @Test(arguments: [
    (GPIOLineAddress.name("SHUTTER"), "SHUTTER"),
    (.offset(17, chip: "pinctrl-bcm2835"), "pinctrl-bcm2835 line 17"),
  ])
  func aLineIsCalledAsPeopleCallIt(address: GPIOLineAddress, name: String) {
    #expect(GPIOButtonLine(address).name == name)
  }

  @Test func aLineThatDoesNotExistIsAbsent() async {
    let line = GPIOButtonLine(.name("NO_SUCH_LINE"))
    let error = await #expect(throws: DeviceError.self) { try await line.watch() }
    #expect(error?.code == .absent)
    #expect(error?.description.hasPrefix("\"NO_SUCH_LINE\" cannot be found") == true)
    #expect(error?.cause == "No such file or directory")
  }

  @Test func anOffsetBelowZeroIsMisconfigured() async {
    let line = GPIOButtonLine(.offset(-1, chip: "pinctrl-bcm2835"))
    let error = await #expect(throws: DeviceError.self) { try await line.watch() }
    #expect(error?.code == .misconfigured)
    #expect(
      error?.description
        == "\"pinctrl-bcm2835 line -1\" cannot be found: an offset is 0 or more")
  }

  @Test func releasingWhatWasNeverTakenDoesNothing() async {
    await GPIOButtonLine(.name("NO_SUCH_LINE")).release()
  }
}
