/// The ID of a server-sent event: the run of the service, a hyphen and the event's number.
///
/// The numbers start over when the service restarts. The run tells a returning listener that its
/// remembered number is obsolete.
struct EventID: Hashable, CustomStringConvertible {
  /// The run of the service.
  let run: String
  /// The event's number in the run.
  let number: UInt64

  init(run: String, number: UInt64) {
    self.run = run
    self.number = number
  }

  /// Reads an ID; `nil` when the text is none.
  init?(_ text: String) {
    let parts = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty, let number = UInt64(parts[1]) else { return nil }
    self.init(run: String(parts[0]), number: number)
  }

  /// Returns a name that no other run has.
  static func makeRun() -> String {
    String(UInt64.random(in: 1...UInt64.max), radix: 36)
  }

  var description: String { "\(run)-\(number)" }
}
