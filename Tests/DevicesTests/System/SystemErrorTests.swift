import Devices
import Glibc
import Testing

@Suite struct SystemErrorTests {
  @Test func `a number has the system's message, whatever its sign`() {
    #expect(SystemError(ENOENT).description == "No such file or directory")
    #expect(SystemError(-ENOENT) == SystemError(ENOENT))
  }

  @Test(arguments: [(EMFILE, true), (ENFILE, true), (ENOMEM, true), (ENOBUFS, true), (EIO, false)])
  func `a lack of descriptors or memory is told from other errors`(number: Int32, isMeant: Bool) {
    #expect(SystemError(number).isResourceShortage == isMeant)
  }
}
