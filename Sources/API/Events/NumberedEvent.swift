/// An event that listeners receive in order.
package protocol NumberedEvent: Sendable, Hashable, Identifiable, Encodable {
  /// The event's number in this run of the service: 1 for the first; a gap marks lost events.
  var id: UInt64 { get }
  /// The kind of event, as the stream names it.
  var name: String { get }
  /// The approximate memory for the event in bytes; 0 for an event that is always small.
  var bytes: Int { get }
}

extension NumberedEvent {
  /// The memory for an event that is always small.
  package var bytes: Int { 0 }
}
