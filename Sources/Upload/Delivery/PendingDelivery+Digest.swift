import Digests

extension PendingDelivery {
  /// The item's SHA-256 in Base64, as HTTP fields have it.
  var sha256Base64: String { ByteText.base64([UInt8](hexadecimal: sha256) ?? []) }
}
