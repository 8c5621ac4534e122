/// Something that listeners are told one after the other.
public protocol NumberedEvent: Sendable, Hashable, Identifiable, Encodable {
  /// The event's number in this run of the service: 1 for the first, a gap is what was lost.
  var id: UInt64 { get }
  /// The kind of event, as the stream names it.
  var name: String { get }
}
