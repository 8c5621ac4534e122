/// The local times of day in which deliveries may begin, for example at night when the uplink of a
/// library is free.
///
/// A window that ends before it begins crosses midnight; one that ends when it begins lasts the
/// whole day. Its days are those on which it begins.
///
/// With a wall clock that nobody vouches for, the window counts as open. A rig without a time
/// source may never learn the time; its pictures would stay until the disk is full, while a window
/// only spares somebody's bandwidth.
public struct UploadWindow: Sendable, Hashable, Codable, CustomStringConvertible {
  /// When the window opens.
  public var from: TimeOfDay
  /// When it closes.
  public var until: TimeOfDay
  /// The days on which it opens.
  public var days: Set<LocalTime.Weekday>

  /// Makes a window; every day unless days are named.
  public init(
    from: TimeOfDay, until: TimeOfDay,
    days: Set<LocalTime.Weekday> = Set(LocalTime.Weekday.allCases)
  ) {
    precondition(!days.isEmpty, "a window that never opens keeps every picture on the rig")
    self.from = from
    self.until = until
    self.days = days
  }

  /// How long it is until the window opens; `nil` while it is open.
  public func opens(after time: LocalTime) -> Duration? {
    let second = time.secondOfDay
    let start = from.minute * 60
    let end = until.minute * 60 > start ? until.minute * 60 : until.minute * 60 + 86_400
    // It may be open since today or since yesterday.
    if days.contains(time.weekday), (start..<end).contains(second) { return nil }
    if days.contains(time.weekday.advanced(by: -1)), (start..<end).contains(second + 86_400) {
      return nil
    }
    let day = (0...7).first { day in
      days.contains(time.weekday.advanced(by: day)) && day * 86_400 + start > second
    }
    return .seconds((day ?? 0) * 86_400 + start - second)
  }

  /// The window as `22:00-06:00`, with its days when they are not all.
  public var description: String {
    let names = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
    let some = LocalTime.Weekday.allCases.filter { days.contains($0) }.map { names[$0.rawValue] }
    return "\(from)-\(until)" + (some.count == 7 ? "" : " " + some.joined(separator: ","))
  }
}

extension LocalTime.Weekday {
  /// The day so many days later, or earlier.
  fileprivate func advanced(by days: Int) -> Self {
    Self(rawValue: ((rawValue + days) % 7 + 7) % 7) ?? self
  }
}
