package import Devices

/// A button and its faults.
package struct ButtonReport: Sendable, Hashable, Codable {
  /// The button's name from the configuration, for example `shutter`.
  package let name: String
  /// The reason codes of the button's present faults; empty when the button is in order.
  ///
  /// - `buttonUnreadable`: the button's line cannot be read, so that presses are not seen.
  /// - `buttonStuck`: the button has been down for longer than any gesture lasts.
  /// - `buttonHeldAtStart`: the button was down when the service began to watch it.
  /// - `buttonChattering`: the contact opens and closes all the time, or made ten pulses too short
  ///   for a press within a minute.
  package let faults: [Word<InterruptionReason>]
  /// The edges since the service's start that the kernel counted and the service never saw.
  package let lostEdges: Int
  /// The pulses since the service's start that were too short for a press.
  ///
  /// Motors and relays beside the cable make such pulses.
  package let spikes: Int

  package init(
    name: String, faults: [Word<InterruptionReason>] = [], lostEdges: Int = 0, spikes: Int = 0
  ) {
    self.spikes = spikes
    self.name = name
    self.faults = faults
    self.lostEdges = lostEdges
  }
}
