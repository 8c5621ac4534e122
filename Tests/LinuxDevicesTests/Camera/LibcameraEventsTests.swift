import Devices
import Logging
import Synchronization
import Testing

@testable import LinuxDevices

@Suite struct LibcameraEventsTests {
  @Test func `a stream ends once for its receiver`() {
    let received = Mutex<[CameraEvent?]>([])
    // No camera has this number, so there are no events.
    let events = LibcameraEvents(
      of: 0, device: "imx708", readoutDuration: .zero, logger: Logger(label: "test")
    ) { event in
      received.withLock { $0.append(event) }
    }
    events.take()
    events.end()
    events.take()
    events.end()
    #expect(received.withLock { $0 } == [nil])
  }
}
