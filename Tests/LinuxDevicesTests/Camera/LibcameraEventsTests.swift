import Devices
import Dispatch
import Foundation
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

  /// libcamera's thread leaves the events to others then, and does not wait for them.
  @Test func `events are not taken while another thread has them, nor after the end`() {
    let (given, looked) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let events = LibcameraEvents(
      of: 0, device: "imx708", readoutDuration: .zero, logger: Logger(label: "test")
    ) { _ in
      given.signal()
      looked.wait()
    }
    #expect(events.takeUnlessBusy())
    Thread.detachNewThread { events.end() }
    given.wait()
    #expect(!events.takeUnlessBusy())
    looked.signal()
    events.take()
    #expect(!events.takeUnlessBusy())
  }
}
