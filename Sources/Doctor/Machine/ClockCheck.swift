import API
import Devices
import Foundation
import Spool

/// The check of the wall clock's trustworthiness.
struct ClockCheck: DoctorCheck {
  /// The years in which a rig with this software can run.
  static let plausibleYears = 2025...2099

  let part = DoctorPart.clock
  let reading: WallClockReading
  /// Whether `systemd-timesyncd` reports that it has set the clock.
  let isSetByTimesyncd: Bool

  func findings() async -> [DoctorReport.Finding] {
    let time = ISO8601Time.text(nanoseconds: reading.nanosecondsSinceEpoch)
    guard reading.isPlausible else {
      return [fault(.clockImplausible, "the clock says \(time), which cannot be")]
    }
    switch reading.trust {
    case .synchronized: return [ok("\(time), synchronized")]
    case .estimated where isSetByTimesyncd:
      return [ok("\(time), set by timesyncd in this boot, not disciplined by the kernel now")]
    case .estimated, .unknown:
      return [
        warning(
          .clockUnsynchronized, "\(time), but no time source has set the clock since the start")
      ]
    }
  }
}

extension WallClockReading {
  /// Whether the year is possible.
  var isPlausible: Bool {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    let date = Date(timeIntervalSince1970: Double(nanosecondsSinceEpoch) / 1e9)
    return ClockCheck.plausibleYears.contains(calendar.component(.year, from: date))
  }
}
