/// The proof that a target holds an item.
package struct Receipt: Sendable, Hashable, Codable {
  /// The way in which the target was found to hold the same bytes.
  package enum Verification: String, Sendable, Hashable, Codable {
    /// The bytes were read back and their SHA-256 was compared.
    case readBack
    /// The target compared the bytes with a checksum that was sent along.
    case checksum
    /// The target's answer was trusted; the file was compared with the item after sending.
    case statusOnly
  }

  /// The object's URL, without credentials.
  package var url: String
  /// The object's name, relative to the target.
  package var remoteName: String
  /// The SHA-256 of the item as 64 lower-case hexadecimal digits.
  package var sha256: String
  /// The way in which the object's content was checked.
  package var verification: Verification
  /// The HTTP status that decided the delivery; `nil` for targets without HTTP.
  package var status: Int?
  /// The object's entity tag, if the target names one.
  package var entityTag: String?
  /// Whether the object existed already, for example after a lost answer.
  package var isDuplicate: Bool
  /// The result of a processing target: a JSON value, 64 KiB at most.
  package var result: String?
  /// The nanoseconds since 1970 by this machine's clock, which may be wrong.
  package var wallNanoseconds: Int64
}
