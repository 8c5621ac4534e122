import Devices
import Testing

@Suite struct CountedTests {
  @Test func `a noun follows its number`() {
    #expect([0, 1, 2].map { $0.counted("edge") } == ["0 edges", "1 edge", "2 edges"])
    #expect(UInt64(1).counted("press", "presses") == "1 press")
    #expect(Int64(3).counted("picture waits", "pictures wait") == "3 pictures wait")
  }
}
