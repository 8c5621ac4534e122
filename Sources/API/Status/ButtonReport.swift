/// A button and what is wrong with it.
public struct ButtonReport: Sendable, Hashable, Codable {
  /// The button's name from the configuration, for example `shutter`.
  public let name: String
  /// Reason codes of what is wrong with it now: `buttonStuck` for one that has been down for longer
  /// than any gesture lasts, `buttonHeldAtStart` for one that was down when it began to be watched,
  /// `buttonChattering` for a contact that opens and closes all the time, or for ten pulses too short
  /// for a press within a minute; empty when it is in order.
  public let faults: [String]
  /// Edges since the service started that the kernel counted and nobody got to see.
  public let lostEdges: Int
  /// Pulses since the service started that were too short for a press, as motors and relays beside
  /// the cable make them.
  public let spikes: Int

  /// Makes a report.
  public init(name: String, faults: [String] = [], lostEdges: Int = 0, spikes: Int = 0) {
    self.spikes = spikes
    self.name = name
    self.faults = faults
    self.lostEdges = lostEdges
  }
}
