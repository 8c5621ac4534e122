import Settings

/// The local times of day at which deliveries may begin.
///
/// An example is the night, when a library's uplink is free.
///
/// A window whose end is before its beginning crosses midnight; a window with equal times lasts the
/// whole day. The days of a window are the days on which it begins.
///
/// The window counts as open while the wall clock is not known to be right. A rig without a time
/// source may never learn the time, and its pictures would stay until the disk is full. A window
/// only spares bandwidth.
package struct UploadWindow: Sendable, Hashable, Codable, CustomStringConvertible {
  /// The time at which the window opens.
  package var from: TimeOfDay
  /// The time at which the window closes.
  package var until: TimeOfDay
  /// The days on which the window opens.
  package var days: Set<LocalTime.Weekday>

  /// Makes a window for every day, or for the given days.
  package init(
    from: TimeOfDay, until: TimeOfDay,
    days: Set<LocalTime.Weekday> = Set(LocalTime.Weekday.allCases)
  ) {
    precondition(!days.isEmpty, "a window that never opens keeps every picture on the rig")
    self.from = from
    self.until = until
    self.days = days
  }

  /// Returns the time until the window opens; `nil` while it is open.
  package func opens(after time: LocalTime) -> Duration? {
    let second = time.secondOfDay
    let start = from.minute * 60
    let end = until.minute * 60 > start ? until.minute * 60 : until.minute * 60 + 86_400
    // The window may have opened today or yesterday.
    if days.contains(time.weekday), (start..<end).contains(second) { return nil }
    if days.contains(time.weekday.advanced(by: -1)), (start..<end).contains(second + 86_400) {
      return nil
    }
    let day = (0...7).first { day in
      days.contains(time.weekday.advanced(by: day)) && day * 86_400 + start > second
    }
    return .seconds((day ?? 0) * 86_400 + start - second)
  }

  /// The window as `22:00-06:00`, with its days unless it opens on all days.
  package var description: String {
    let names = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
    let some = LocalTime.Weekday.allCases.filter { days.contains($0) }.map { names[$0.rawValue] }
    return "\(from)-\(until)" + (some.count == 7 ? "" : " " + some.joined(separator: ","))
  }
}

extension LocalTime.Weekday {
  /// Returns the day so many days later, or earlier for a negative number.
  fileprivate func advanced(by days: Int) -> Self {
    Self(rawValue: ((rawValue + days) % 7 + 7) % 7) ?? self
  }
}

extension SettingForm<UploadWindow> {
  /// The form of a window that opens on all days: `22:00-06:00`.
  static var window: SettingForm {
    SettingForm(
      "times of day", range: "such as 22:00-06:00, local time",
      expected: "times of day like 22:00-06:00",
      parse: { text in
        let times = text.split(separator: "-", omittingEmptySubsequences: false).map {
          TimeOfDay(String($0))
        }
        guard times.count == 2, let from = times[0], let until = times[1], from != until else {
          return nil
        }
        return UploadWindow(from: from, until: until)
      })
  }
}
