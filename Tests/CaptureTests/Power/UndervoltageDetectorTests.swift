import Capture
import Devices
import TestSupport
import Testing

@Suite struct UndervoltageDetectorTests {
  /// Readings one second apart, and the seconds at which undervoltage begins and ends.
  ///
  /// A reading is `u` for undervoltage, `-` for none, or `?` for unreadable.
  static let courses: [(String, [String])] = [
    ("----", []), ("u-u-u-", []), ("uu", ["1 begins"]), ("u?u", ["2 begins"]),
    ("uu---------", ["1 begins"]), ("uu----------", ["1 begins", "11 ends"]),
    ("uu-----u---------", ["1 begins"]), ("uu-----u----------", ["1 begins", "17 ends"]),
    ("uu??????????", ["1 begins", "11 ends"]),
    ("uu----------u-----", ["1 begins", "11 ends"]),
    ("uu----------uu", ["1 begins", "11 ends", "13 begins"]), ("????", []),
  ]

  @Test(arguments: courses)
  func `flicker is no change`(_ readings: String, _ expected: [String]) {
    var detector = UndervoltageDetector()
    var seen: [String] = []
    for (second, reading) in readings.enumerated() {
      let flags: ThrottleFlags? = reading == "?" ? nil : reading == "u" ? .undervoltage : []
      let now = MonotonicInstant(nanoseconds: Int64(second) * 1_000_000_000)
      if let change = detector.update(flags, at: now) { seen.append("\(second) \(change)") }
    }
    #expect(seen == expected)
  }

  /// Begins and ends alternate, ends come after the quiet time, and each undervoltage ends.
  @Test(arguments: 0..<20 as Range<UInt64>)
  func `every undervoltage ends`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var detector = UndervoltageDetector()
    var now = MonotonicInstant(nanoseconds: 0)
    var last: UndervoltageDetector.Change?
    var lastSeen = now
    for _ in 0..<1000 {
      let flags: ThrottleFlags? =
        switch Int.random(in: 0..<8, using: &random) {
        case 0: nil
        case 1, 2: [.undervoltage, .throttled]
        default: Int.random(in: 0..<4, using: &random) == 0 ? .undervoltage : .frequencyCapped
        }
      if flags?.contains(.undervoltage) == true { lastSeen = now }
      if let change = detector.update(flags, at: now) {
        #expect(change != last ?? .ends, "seed \(seed): twice the same")
        if change == .ends {
          #expect(lastSeen.duration(to: now) >= .seconds(10), "seed \(seed): ended too soon")
        }
        last = change
      }
      #expect(detector.isUndervoltage == (last == .begins), "seed \(seed)")
      now = now.advanced(by: .milliseconds(Int.random(in: 100...5000, using: &random)))
    }
    _ = detector.update([], at: now.advanced(by: .seconds(10)))
    #expect(!detector.isUndervoltage, "seed \(seed): it did not end")
  }
}
