import Devices
import Glibc
import Testing

@testable import LinuxDevices

@Suite struct SysfsDirectoryTests {
  @Test func readsWithoutTheLineFeedAndKeepsSpaces() throws {
    let sysfs = FakeSysfs()
    try sysfs.set("type", " cpu-thermal ")
    #expect(try SysfsDirectory(path: sysfs.path).read("type") == " cpu-thermal ")
  }

  @Test func aShorterValueReplacesALongerOneWhole() throws {
    let sysfs = FakeSysfs()
    let directory = SysfsDirectory(path: sysfs.path)
    try sysfs.set("trigger", "pattern")
    try directory.write("none", to: "trigger")
    #expect(try sysfs.get("trigger") == "none")
  }

  @Test func writingNeverMakesAnAttribute() throws {
    let directory = SysfsDirectory(path: FakeSysfs().path)
    let failure = #expect(throws: SystemError.self) { try directory.write("1", to: "absent") }
    #expect(failure?.number == ENOENT)
    #expect(!directory.has("absent"))
  }

  @Test func entriesAreListedByNumber() throws {
    let sysfs = FakeSysfs()
    for name in ["trigger0", "iio:device10", "iio:device2", "iio:deviceX", "iio:device0"] {
      try sysfs.set("\(name)/name", "x")
    }
    #expect(
      try SysfsDirectory(path: sysfs.path).numberedEntries(prefix: "iio:device")
        == ["iio:device0", "iio:device2", "iio:device10"])
  }

  @Test(arguments: [
    (ENOENT, DeviceError.Code.absent), (ENODEV, .absent), (EBUSY, .busy),
    (EACCES, .permissionDenied), (EPERM, .permissionDenied), (EIO, .inputOutput),
    (ETIMEDOUT, .timedOut), (ENOMEM, .outOfMemory), (-EBUSY, .busy),
  ])
  func aNumberBecomesTheKindOfFaultThatItIs(number: Int32, code: DeviceError.Code) {
    #expect(SystemError(number).code == code)
  }

  @Test func anErrorSaysWhatAndWhy() {
    let error = DeviceError(
      SystemError(EACCES), device: "rig:green:ready", problem: "cannot be lit")
    #expect(error.description == "\"rig:green:ready\" cannot be lit: Permission denied")
  }
}
