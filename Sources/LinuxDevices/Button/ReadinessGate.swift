import CGPIOLines
import Devices
import Dispatch
import Glibc

/// Calls a handler on a queue while another descriptor is readable, and can be silenced at once.
///
/// A dispatch source needs its descriptor open until its cancellation has been handled later on the
/// queue. A GPIO line however must be closed the moment it is released. So the source watches its
/// own epoll set, and the line's descriptor is added to that set and removed from it.
final class ReadinessGate {
  private let gateDescriptor: Int32
  private let watchedDescriptor: Int32
  private let source: any DispatchSourceRead

  /// Starts calling the handler while the descriptor is readable.
  ///
  /// - Parameters:
  ///   - descriptor: the watched descriptor; it may be closed as soon as ``silence()`` has
  ///     returned.
  ///   - queue: the queue of the handler.
  ///   - handler: called repeatedly while the descriptor stays readable.
  init(
    watching descriptor: Int32, on queue: DispatchQueue, handler: @escaping @Sendable () -> Void
  ) throws(SystemError) {
    let gate = cgpiolines_gate_open()
    guard gate >= 0 else { throw SystemError(gate) }
    watchedDescriptor = descriptor
    gateDescriptor = gate
    source = DispatchSource.makeReadSource(fileDescriptor: gate, queue: queue)
    source.setEventHandler(handler: handler)
    source.setCancelHandler { close(gate) }
    source.activate()
    try listen()
  }

  deinit {
    source.cancel()
  }

  /// Calls the handler again while the descriptor is readable.
  func listen() throws(SystemError) {
    let result = cgpiolines_gate_listen(gateDescriptor, watchedDescriptor)
    guard result == 0 else { throw SystemError(result) }
  }

  /// Stops calling the handler; a call that is already on the queue may still come.
  func silence() {
    cgpiolines_gate_silence(gateDescriptor, watchedDescriptor)
  }
}
