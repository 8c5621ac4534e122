import Capture
import Devices

/// The form in which a history outlasts the service.
extension ThermalHistory {
  /// A history as a file has it, with the moment by which its times are found again.
  struct Kept: Sendable, Hashable, Codable {
    /// The moment of the writing.
    let written: BootMoment
    /// The names of the zones, in the order of a row's last values.
    let zones: [String]
    /// The samples, the oldest first.
    ///
    /// A row has the beginning in minutes since the boot, the state's place and the bits of the flags.
    /// The tenths of a degree of each zone follow, or `nil`.
    let rows: [[Int?]]
  }

  /// Returns the history for the next run of the service.
  func kept(at moment: BootMoment) -> Kept {
    let zones = Set(samples.flatMap(\.celsius.keys)).sorted()
    return Kept(
      written: moment, zones: zones,
      rows: samples.map { sample in
        let time = sample.start.nanoseconds / Self.period.wholeNanoseconds
        let state = ThermalState.allCases.firstIndex(of: sample.state)
        let facts: [Int?] = [Int(time), state, Int(sample.flags.rawValue)]
        return facts
          + zones.map { zone in
            sample.celsius[zone].flatMap { Int(exactly: ($0 * 10).rounded()) }
          }
      })
  }

  /// Takes the history of an earlier run, as far as it is of the last day.
  ///
  /// The clock of another boot is related to this one by the wall clock, if both boots knew it.
  ///
  /// - Returns: `false` while the wall clock of this boot is not known yet, to try again.
  /// - Complexity: O(samples · zones).
  mutating func restore(_ kept: Kept, at now: BootMoment) -> Bool {
    guard let shift = kept.written.shift(to: now) else {
      return kept.written.wallNanoseconds == nil || now.wallNanoseconds != nil
    }
    let end = MonotonicInstant(nanoseconds: now.monotonicNanoseconds)
    var all = Dictionary(samples.map { ($0.start, $0) }) { $1 }
    for row in kept.rows {
      guard let sample = Sample(row, zones: kept.zones, shift: shift), sample.start <= end,
        sample.start > end.advanced(by: .zero - Self.span)
      else { continue }
      all[sample.start, default: sample].formUnion(sample)
    }
    samples = all.values.sorted { $0.start < $1.start }
    return true
  }
}

extension ThermalHistory.Sample {
  /// The minutes of a row that can be told in nanoseconds, some 250 years to each side.
  private static let minutes = -(1 << 27)...(1 << 27)

  /// Reads a row.
  ///
  /// - Parameter shift: the nanoseconds from the row's clock to the present one.
  /// - Returns: `nil` for a row that is none.
  fileprivate init?(_ row: [Int?], zones: [String], shift: Int64) {
    guard row.count == 3 + zones.count, let minute = row[0], Self.minutes.contains(minute),
      let place = row[1], ThermalState.allCases.indices.contains(place),
      let flags = row[2].flatMap({ UInt32(exactly: $0) })
    else { return nil }
    let period = ThermalHistory.period.wholeNanoseconds
    let (time, isTooLarge) = (Int64(minute) * period).addingReportingOverflow(shift)
    guard !isTooLarge else { return nil }
    let rest = time % period
    let start = rest < 0 ? time - rest - period : time - rest
    let celsius = zip(zones, row.dropFirst(3)).compactMap { zone, tenths in
      tenths.map { (zone, Double($0) / 10) }
    }
    self.init(
      start: MonotonicInstant(nanoseconds: start),
      celsius: Dictionary(celsius, uniquingKeysWith: max), state: ThermalState.allCases[place],
      flags: ThrottleFlags(rawValue: flags))
  }

  /// Takes the worst of another sample of the same minute.
  fileprivate mutating func formUnion(_ other: Self) {
    celsius.merge(other.celsius, uniquingKeysWith: max)
    state = max(state, other.state)
    flags.formUnion(other.flags)
  }
}

extension BootMoment {
  /// Returns the nanoseconds from this moment's monotonic clock to that of another moment.
  ///
  /// - Returns: `nil` for another boot, if one of the wall clocks is not known.
  fileprivate func shift(to other: BootMoment) -> Int64? {
    if let bootID, bootID == other.bootID { return 0 }
    guard let own = wallMinusMonotonic, let others = other.wallMinusMonotonic else { return nil }
    let (shift, isTooLarge) = own.subtractingReportingOverflow(others)
    return isTooLarge ? nil : shift
  }

  private var wallMinusMonotonic: Int64? {
    guard let wallNanoseconds else { return nil }
    let (difference, isTooLarge) = wallNanoseconds.subtractingReportingOverflow(
      monotonicNanoseconds)
    return isTooLarge ? nil : difference
  }
}
