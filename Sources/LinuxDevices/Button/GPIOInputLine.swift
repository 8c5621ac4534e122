import CGPIOLines
import Devices
import Glibc

/// An input line that this process holds; its end releases the line.
///
/// The implementation uses `CGPIOLines` (libgpiod 1.6 or 2.x). A line must not be used from two
/// threads.
struct GPIOInputLine: ~Copyable {
  private let handle: OpaquePointer

  /// Takes a line as an input that reports both edges.
  ///
  /// - Throws: ``DeviceError``: `absent`, `busy`, `permissionDenied` or the kernel's error.
  init(
    _ address: GPIOLineAddress, bias: GPIOLineBias, isActiveLow: Bool
  ) throws(DeviceError) {
    handle = try openGPIOLine(address) { address, line, step in
      cgpiolines_open_input(&address, bias.cValue, isActiveLow, &line, &step)
    }
  }

  deinit {
    cgpiolines_close(handle)
  }

  /// The descriptor that polls readable while edges wait; valid as long as the line is held.
  var eventDescriptor: Int32 { cgpiolines_event_fd(handle) }

  /// Reads the waiting edges, oldest first, at most one batch of them, without blocking.
  borrowing func readEdges() throws(SystemError) -> [LineEdge] {
    let capacity = Int(CGPIOLINES_BATCH_MAX)
    var failure: SystemError?
    let edges = [LineEdge](unsafeUninitializedCapacity: capacity) { target, count in
      withUnsafeTemporaryAllocation(of: cgpiolines_edge.self, capacity: capacity) { source in
        guard let base = source.baseAddress else { return }
        let result = cgpiolines_read_edges(handle, base, capacity)
        guard result >= 0 else {
          failure = SystemError(result)
          return
        }
        for edge in source.prefix(Int(result)) {
          target.initializeElement(at: count, to: LineEdge(edge))
          count += 1
        }
      }
    }
    if let failure { throw failure }
    return edges
  }

  /// Reads the line's present value.
  borrowing func isActive() throws(SystemError) -> Bool {
    let value = cgpiolines_get_value(handle)
    guard value >= 0 else { throw SystemError(value) }
    return value == 1
  }
}

/// Opens a line by its address and turns failures into errors that name the line.
func openGPIOLine(
  _ address: GPIOLineAddress,
  using open: (
    _ address: inout cgpiolines_address, _ line: inout OpaquePointer?,
    _ step: inout UnsafePointer<CChar>?
  ) -> Int32
) throws(DeviceError) -> OpaquePointer {
  var line: OpaquePointer?
  try callGPIOLines(address, failure: "cannot be opened") { open(&$0, &line, &$1) }
  guard let line else {
    throw DeviceError(.inputOutput, device: address.description, problem: "cannot be opened")
  }
  return line
}

/// Calls a function with a line's address and turns failures into errors that name the line.
///
/// - Parameters:
///   - failure: the problem when the function does not name the step that failed.
///   - function: returns 0, or a negative number of `errno(3)`.
func callGPIOLines(
  _ address: GPIOLineAddress, failure: String,
  _ function: (
    _ address: inout cgpiolines_address, _ step: inout UnsafePointer<CChar>?
  ) -> Int32
) throws(DeviceError) {
  var step: UnsafePointer<CChar>?
  var result: Int32 = -EINVAL
  switch address {
  case .name(let name):
    name.withCString { name in
      var address = cgpiolines_address(name: name, chip: nil, offset: 0)
      result = function(&address, &step)
    }
  case .offset(let offset, let chip):
    guard let offset = UInt32(exactly: offset) else {
      throw DeviceError(
        .misconfigured, device: address.description, problem: "cannot be found",
        cause: "an offset is 0 or more")
    }
    chip.withCString { chip in
      var address = cgpiolines_address(name: nil, chip: chip, offset: offset)
      result = function(&address, &step)
    }
  }
  guard result == 0 else {
    throw DeviceError(
      SystemError(result), device: address.description,
      problem: step.map { String(cString: $0) } ?? failure)
  }
}

extension LineEdge {
  fileprivate init(_ edge: cgpiolines_edge) {
    self.init(
      kind: edge.active ? .activated : .deactivated,
      time: MonotonicInstant(nanoseconds: edge.time_ns),
      lineSequence: edge.has_sequence ? edge.sequence : nil)
  }
}

extension GPIOLineBias {
  fileprivate var cValue: cgpiolines_bias {
    switch self {
    case .asIs: CGPIOLINES_BIAS_AS_IS
    case .disabled: CGPIOLINES_BIAS_DISABLED
    case .pullUp: CGPIOLINES_BIAS_PULL_UP
    case .pullDown: CGPIOLINES_BIAS_PULL_DOWN
    }
  }
}
