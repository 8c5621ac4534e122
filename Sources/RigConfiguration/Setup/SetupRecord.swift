import Devices

/// The record of the setup files that were applied, so that none is applied twice.
///
/// A setting that was changed after the setup therefore survives the next start.
struct SetupRecord: Sendable {
  private let file: DurableFile

  /// The record's path.
  var path: String { file.path }

  /// Takes the record beside a configuration file.
  init(directory: String, name: String) {
    file = DurableFile(directory: directory, name: name + ".setup")
  }

  /// Returns whether a content was noted last for a file.
  ///
  /// - Throws: `DeviceError` when the record is there and cannot be read.
  func knows(_ bytes: [UInt8], at path: String) throws(DeviceError) -> Bool {
    try lines().contains(Self.line(bytes, path))
  }

  /// Notes the contents of a file that count as applied, in place of its earlier ones.
  ///
  /// - Throws: `DeviceError` when the record cannot be read or written.
  func note(_ contents: [[UInt8]], at path: String) throws(DeviceError) {
    let others = try lines().filter { !$0.hasSuffix("  " + path) }
    let text = (others + contents.map { Self.line($0, path) }).map { $0 + "\n" }.joined()
    try file.replace(Array(text.utf8), owner: FileOwner(of: file.directory)?.with(0o660))
  }

  /// The lines: the SHA-256 of a content and the path, as `sha256sum` writes them.
  private func lines() throws(DeviceError) -> [String] {
    let bytes = try file.read(followsLink: false) ?? []
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  private static func line(_ bytes: [UInt8], _ path: String) -> String {
    ConfigurationSource.hash(of: bytes) + "  " + path
  }
}
