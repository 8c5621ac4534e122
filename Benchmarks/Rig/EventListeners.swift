import ArgumentParser
import Devices
import Foundation
import Synchronization

/// The listeners to a rig's events, some of which never read.
final class EventListeners: Sendable {
  private let reading: [Int32]
  private let silent: [Int32]
  private let received = Mutex(0)
  private let isOver = DispatchSemaphore(value: 0)

  /// The number of bytes that the reading listeners have received.
  var bytes: Int { received.withLock { $0 } }

  /// Connects the listeners; the reading ones share one separate thread.
  init(_ count: Int, silent silentCount: Int, socket: String) throws {
    var all: [Int32] = []
    for _ in 0..<count { all.append(try UnixRequest.open("GET", "/v1/events", over: socket)) }
    silent = Array(all.prefix(silentCount))
    reading = Array(all.dropFirst(silentCount))
    Thread.detachNewThread { [self] in read() }
  }

  /// Waits until all reading listeners have the start of their answer, for ten seconds at most.
  func untilListening() async throws {
    let clock = SystemMonotonicClock()
    let end = clock.now.advanced(by: .seconds(10))
    while bytes < reading.count * 100 {
      guard clock.now < end else { throw ValidationError("not all listeners were answered") }
      try await clock.sleep(for: .milliseconds(20))
    }
  }

  /// Closes all connections.
  func stop() {
    for descriptor in reading { shutdown(descriptor, Int32(SHUT_RDWR)) }
    isOver.wait()
    for descriptor in reading + silent { close(descriptor) }
  }

  private func read() {
    defer { isOver.signal() }
    var buffer = [UInt8](repeating: 0, count: 65_536)
    var open = reading
    while !open.isEmpty {
      var events = open.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      guard poll(&events, UInt(events.count), -1) > 0 else { continue }
      for event in events where event.revents != 0 {
        let count = Foundation.read(event.fd, &buffer, buffer.count)
        if count > 0 {
          received.withLock { $0 += count }
        } else if count == 0 || errno != EINTR {
          open.removeAll { $0 == event.fd }
        }
      }
    }
  }
}
