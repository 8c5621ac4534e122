import Devices
import Glibc
import Testing

@testable import LinuxDevices

@Suite struct SysfsDirectoryTests {
  @Test func `a value is read without the line feed and keeps its spaces`() throws {
    let sysfs = FakeSysfs()
    try sysfs.set("type", " cpu-thermal ")
    #expect(try SysfsDirectory(path: sysfs.path).read("type") == " cpu-thermal ")
  }

  @Test func `a shorter value replaces a longer one whole`() throws {
    let sysfs = FakeSysfs()
    let directory = SysfsDirectory(path: sysfs.path)
    try sysfs.set("trigger", "pattern")
    try directory.write("none", to: "trigger")
    #expect(try sysfs.get("trigger") == "none")
  }

  @Test func `writing never makes an attribute`() throws {
    let directory = SysfsDirectory(path: FakeSysfs().path)
    let failure = #expect(throws: SystemError.self) { try directory.write("1", to: "absent") }
    #expect(failure?.number == ENOENT)
    #expect(!directory.has("absent"))
  }

  @Test func `entries are listed by number`() throws {
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
  func `a number becomes the right kind of fault`(number: Int32, code: DeviceError.Code) {
    #expect(SystemError(number).code == code)
  }

  @Test func `an error tells the problem and its cause`() {
    let error = DeviceError(
      SystemError(EACCES), device: "rig:green:ready", problem: "cannot be lit")
    #expect(error.description == "\"rig:green:ready\" cannot be lit: Permission denied")
  }
}
