import Devices
import Digests
import Glibc

/// The name under which an item is delivered: `<rig>/<yyyy>/<mm>/<dd>/<id>-<sha16>.<extension>`.
///
/// The name is made once, when the item is stored, so that a repeated delivery meets its own
/// earlier one. The date is in UTC, as far as it was known then.
enum RemoteName {
  static func make(
    rigID: String, wallNanoseconds: Int64, id: ItemID, sha256: [UInt8], fileExtension: String
  ) -> String {
    // Whole days since 1970 are rounded down, also for earlier dates.
    let day = Int((Double(wallNanoseconds) / 86_400e9).rounded(.down))
    var seconds = time_t(day) * 86_400
    var date = tm()
    gmtime_r(&seconds, &date)
    let digits = sha256.prefix(8).hexadecimal
    return "\(rigID)/\(padded(Int(date.tm_year) + 1900, 4))/\(padded(Int(date.tm_mon) + 1, 2))/"
      + "\(padded(Int(date.tm_mday), 2))/\(id)-\(digits).\(fileExtension)"
  }

  static func isValidRigID(_ text: String) -> Bool {
    (1...64).contains(text.utf8.count) && text.utf8.first != UInt8(ascii: ".")
      && text.utf8.allSatisfy { $0.isASCIIAlphanumeric || "._-".utf8.contains($0) }
  }

  static func isValidFileExtension(_ text: String) -> Bool {
    (1...8).contains(text.utf8.count) && text != "json" && text != "part"
      && text.utf8.allSatisfy {
        switch $0 {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: false
        }
      }
  }

  private static func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
  }
}
