import Devices

/// A value that a packet holds in a fixed layout.
protocol PacketField {
  /// The value that a reader begins with.
  static var blank: Self { get }

  /// Passes the value's fields, in their order, through a cursor that writes or reads them.
  ///
  /// - Throws: ``HostCodec/Malformed`` for a packet that has ended or holds another value.
  mutating func pass(through cursor: inout some PacketCursor) throws(HostCodec.Malformed)
}

/// An integer, with its lowest byte first.
extension PacketField where Self: FixedWidthInteger {
  static var blank: Self { 0 }

  mutating func pass(through cursor: inout some PacketCursor) throws(HostCodec.Malformed) {
    var passed: Self = 0
    for shift in stride(from: 0, to: Self.bitWidth, by: 8) {
      var byte = UInt8(truncatingIfNeeded: self >> shift)
      try cursor.pass(&byte)
      passed |= Self(truncatingIfNeeded: byte) << shift
    }
    self = passed
  }
}

extension Int: PacketField {}
extension Int64: PacketField {}
extension UInt64: PacketField {}

/// A double, as its bit pattern.
extension Double: PacketField {
  static var blank: Double { 0 }

  mutating func pass(through cursor: inout some PacketCursor) throws(HostCodec.Malformed) {
    var bits = bitPattern
    try bits.pass(through: &cursor)
    self = Double(bitPattern: bits)
  }
}

/// A truth value: a byte, 0 or 1.
extension Bool: PacketField {
  static var blank: Bool { false }

  mutating func pass(through cursor: inout some PacketCursor) throws(HostCodec.Malformed) {
    try cursor.pass(&self, among: Self.choices)
  }

  private static let choices = [false, true]
}

/// An optional value: whether it is there, and then the value.
extension Optional: PacketField where Wrapped: PacketField {
  static var blank: Wrapped? { nil }

  mutating func pass(through cursor: inout some PacketCursor) throws(HostCodec.Malformed) {
    var isThere = self != nil
    try isThere.pass(through: &cursor)
    guard isThere else {
      self = nil
      return
    }
    var value: Wrapped = self ?? Wrapped.blank
    try value.pass(through: &cursor)
    self = value
  }
}

/// A duration: seconds, and attoseconds of less than a second and with the same sign.
extension Duration: PacketField {
  static var blank: Duration { .zero }

  mutating func pass(through cursor: inout some PacketCursor) throws(HostCodec.Malformed) {
    var (seconds, attoseconds) = components
    try seconds.pass(through: &cursor)
    try attoseconds.pass(through: &cursor)
    guard attoseconds.magnitude < 1_000_000_000_000_000_000,
      seconds.signum() * attoseconds.signum() >= 0
    else {
      throw HostCodec.Malformed(
        description: "a frame's event has \(attoseconds) as the part of a second")
    }
    self = Duration(secondsComponent: seconds, attosecondsComponent: attoseconds)
  }
}

extension MonotonicInstant: PacketField {
  static var blank: MonotonicInstant { MonotonicInstant(nanoseconds: 0) }

  mutating func pass(through cursor: inout some PacketCursor) throws(HostCodec.Malformed) {
    try nanoseconds.pass(through: &cursor)
  }
}
