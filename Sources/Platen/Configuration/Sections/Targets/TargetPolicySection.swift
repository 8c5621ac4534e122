package import Upload

/// The times, the rates and the retries of deliveries to a target.
///
/// | key | value | default |
/// |---|---|---|
/// | `parallel` | deliveries that run at once, 1 to 8; not with `order: strict` | 2 |
/// | `order` | `oldest-first`, or `strict`: no picture overtakes another | `oldest-first` |
/// | `per_minute` | the most deliveries that begin in a minute, 1 to 6000 | no limit |
/// | `bandwidth` | the most bytes a second, 1 KiB or more; not for a directory | no limit |
/// | `window` | the time of day in which to deliver, for example `22:00-06:00`, local time | always |
/// | `park_after` | a picture's own failures until it is set aside, 1 to 100 | 8 |
/// | `retry_minimum`, `retry_maximum` | limits of the pause after a failure, 100 ms to 1 day | `1 s`, `5 min` |
package struct TargetPolicySection: Sendable, Hashable {
  /// The order in which pictures are delivered.
  package enum Order: String, Sendable, Hashable, CaseIterable {
    /// Deliveries start in order and may overtake one another.
    case oldestFirst = "oldest-first"
    /// A delivery starts after all earlier ones are completed or set aside.
    case strict
  }

  /// The number of deliveries that run at once.
  package var parallel = 2
  /// The order.
  package var order = Order.oldestFirst
  /// The maximum number of deliveries that begin in a minute.
  package var perMinute: Int?
  /// The maximum rate in bytes a second.
  package var bytesPerSecond: Int64?
  /// The time of day for deliveries.
  package var window: UploadWindow?
  /// The number of a picture's own failures until it is set aside.
  package var parkAfter = 8
  /// The shortest pause after a failure.
  package var retryMinimum = Duration.seconds(1)
  /// The longest pause after a failure.
  package var retryMaximum = Duration.seconds(300)

  init(_ section: ConfigurationMapping) {
    parallel = section.integer("parallel", in: 1...8) ?? parallel
    order = section.word("order", Order.self) ?? order
    if order == .strict, section.has("parallel"), parallel > 1 {
      section.note("has no effect with \"order: strict\"", at: "parallel")
    }
    perMinute = section.integer("per_minute", in: 1...6000)
    bytesPerSecond = section.bytes("bandwidth", in: 1024...(1 << 40))
    window = section.value("window", expected: "times of day like 22:00-06:00", parse: Self.window)
    parkAfter = section.integer("park_after", in: 1...100) ?? parkAfter
    let pauses = Duration.milliseconds(100)...(.seconds(86_400))
    retryMinimum = section.duration("retry_minimum", in: pauses) ?? retryMinimum
    retryMaximum = section.duration("retry_maximum", in: pauses) ?? retryMaximum
    if retryMinimum > retryMaximum {
      section.note("must not exceed \"retry_maximum\"", at: "retry_minimum")
    }
  }

  private static func window(_ text: String) -> UploadWindow? {
    let times = text.split(separator: "-", omittingEmptySubsequences: false).map {
      TimeOfDay(String($0))
    }
    guard times.count == 2, let from = times[0], let until = times[1], from != until else {
      return nil
    }
    return UploadWindow(from: from, until: until)
  }
}
