import Digests
import Transfer

/// The capabilities that a server names in its answer to `OPTIONS`.
struct TusCapabilities: Hashable {
  /// The version of the protocol that we speak.
  static let version = "1.0.0"

  /// The names of the extensions, in lower case.
  var extensions: Set<String>
  /// The largest upload in bytes; `nil` when the server sets no limit.
  var maximumByteCount: Int64?
  /// The algorithm for checksums; `nil` when the server supports none that we know.
  var checksum: Digest.Algorithm?

  /// The capabilities of a server that names none: only `creation`, which every server needs.
  static let untold = TusCapabilities(extensions: ["creation"])

  private init(extensions: Set<String>) { self.extensions = extensions }

  /// Reads an answer; returns `nil` unless it comes from a server of our version.
  init?(_ response: HTTPResponse) {
    guard response.status == 200 || response.status == 204,
      let versions = response["Tus-Version"] ?? response["Tus-Resumable"],
      Self.words(versions).contains(Self.version)
    else { return nil }
    extensions = Set(Self.words(response["Tus-Extension"] ?? "").map { $0.lowercased() })
    maximumByteCount = response["Tus-Max-Size"].flatMap { Int64($0) }.flatMap { $0 > 0 ? $0 : nil }
    let algorithms = Set(
      Self.words(response["Tus-Checksum-Algorithm"] ?? "").map { $0.lowercased() })
    // Every server with the extension must know SHA-1; SHA-256 is preferred.
    checksum =
      extensions.contains("checksum")
      ? [.sha256, .sha1].first { algorithms.contains($0.rawValue) } : nil
  }

  private static func words(_ value: String) -> [String] {
    value.split { $0 == "," || $0 == " " || $0 == "\t" }.map(String.init)
  }
}
