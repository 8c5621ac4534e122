import CGPIOLines
import Dispatch
import Glibc

/// Calls a handler on a queue while another descriptor is readable, and can be silenced at once.
///
/// A dispatch source must have its descriptor open until its cancellation has been handled, later,
/// on the queue. A GPIO line however must be given back the moment it is released. So the source
/// watches an epoll set of its own, and the line's descriptor comes and goes in that set.
final class ReadinessGate {
  private let gateDescriptor: Int32
  private let watchedDescriptor: Int32
  private let source: any DispatchSourceRead

  /// Starts calling the handler while the descriptor is readable.
  ///
  /// - Parameters:
  ///   - descriptor: what is watched; it may be closed as soon as ``silence()`` has returned.
  ///   - queue: where the handler runs.
  ///   - handler: called again and again as long as the descriptor stays readable.
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

  /// Stops calling the handler; one call that is already on the queue may still come.
  func silence() {
    cgpiolines_gate_silence(gateDescriptor, watchedDescriptor)
  }
}
