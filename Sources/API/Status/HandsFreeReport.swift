/// The countdown to a picture without a press.
package struct HandsFreeReport: Sendable, Hashable, Codable {
  /// The seconds until the picture, rounded up; `nil` when none is counted down any more.
  package let secondsLeft: Int?

  package init(secondsLeft: Int? = nil) { self.secondsLeft = secondsLeft }
}
