import Synchronization
import TestSupport
import Testing

@Suite struct VirtualTimeTests {
  @Test func `code that does not come to rest is reported`() async {
    let reports = Mutex<[String]>([])
    let time = VirtualTime(
      clock: ManualClock(), timeout: .zero, passThrough: {},
      reportHang: { report in reports.withLock { $0.append(report) } })
    _ = await time.run(for: .seconds(1))
    #expect(reports.withLock { $0.count } == 2, "before the clock moved, and after")
  }
}
