/// An event that listeners receive in order.
package protocol NumberedEvent: Sendable, Hashable, Identifiable, Encodable {
  /// The event's number in this run of the service: 1 for the first; a gap marks lost events.
  var id: UInt64 { get }
  /// The kind of event, as the stream names it.
  var name: String { get }
}
