package import Settings

extension UploadPolicy: SettingsPart {
  /// Makes the policy that suits servers in the field.
  package init() { self.init(retry: RetryPolicy()) }

  private static let waits: ClosedRange<Duration> = .milliseconds(100) ... .seconds(86_400)

  /// The settings that targets of all kinds have.
  package static let settings: [Setting<UploadPolicy>] = [
    Setting(
      \.parallelDeliveries, "parallel", .integer(parallelRange), only: "not with order: strict",
      "the number of deliveries that run at once"),
    Setting(
      \.order, "order", .words(["oldest-first": .oldestFirst, "strict": .strict]),
      "the order of deliveries; in strict order no picture overtakes another"),
    Setting(
      \.deliveriesPerMinute, "per_minute", .integer(1...6000), default: "no limit",
      "the most deliveries that begin in a minute"),
    Setting(
      \.window, "window", .window, default: "always", "the times at which deliveries begin"),
    Setting(
      \.itemFailuresUntilParked, "park_after", .integer(1...100, unit: "failures"),
      "the number of a picture's own failures after which it is set aside"),
    Setting(
      \.retry.shortest, "retry_minimum", .duration(waits), "the shortest pause after a failure"),
    Setting(
      \.retry.cap, "retry_maximum", .duration(waits), "the longest pause after a failure"),
    Setting(
      \.startJitter, "start_jitter", .duration(.zero ... .seconds(3600)),
      "the longest random wait before the first delivery after a start, when pictures wait; it "
        + "keeps many rigs from calling one server in the same instant"),
  ]

  /// Refuses parallel deliveries in strict order, and pauses in the wrong order.
  package func agree(in section: SettingsSection) {
    if order == .strict, section.has("parallel"), parallelDeliveries > 1 {
      section.note("has no effect with \"order: strict\"", at: "parallel")
    }
    if retry.minimum > retry.cap {
      section.note("must not exceed \"retry_maximum\"", at: "retry_minimum")
    }
  }
}

extension RetryPolicy {
  /// The shortest wait, from which the waits grow.
  fileprivate var shortest: Duration {
    get { minimum }
    set { (base, minimum) = (newValue, newValue) }
  }
}
