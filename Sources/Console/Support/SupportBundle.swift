import API
import Devices
import Digests
import Foundation

/// A collection of all facts for remote support, without secrets and pictures.
///
/// The manifest names every unavailable part with the reason, such as a stopped service or a
/// missing permission.
package struct SupportBundle: Sendable {
  /// The bundle's name without an extension: letters, digits, hyphens and underscores.
  package let name: String
  /// The files in the order of their names, including the manifest.
  package let files: [(name: String, bytes: [UInt8])]
  /// The list of the available and the missing parts.
  package let manifest: SupportManifest

  /// Collects a bundle within some seconds, or a minute or two if the service hangs.
  ///
  /// - Parameters:
  ///   - configuration: the path of the configuration file, for a rig without its service.
  ///   - onPart: a function called before each part with its number, the total and its name.
  package static func collect(
    from client: RigClient, configuration: String,
    onPart: (_ number: Int, _ count: Int, _ name: String) -> Void
  ) async throws -> SupportBundle {
    let local = Result { () throws(LocalProgram.Failure) in try LocalService() }
    let source = SupportSource(
      client, configuration: configuration, local: local, clock: SystemMonotonicClock())
    return try await collect(SupportPart.all, from: source, time: Date(), onPart: onPart)
  }

  static func collect(
    _ parts: [SupportPart], from source: SupportSource, time: Date,
    onPart: (_ number: Int, _ count: Int, _ name: String) -> Void
  ) async throws -> SupportBundle {
    var files: [(name: String, bytes: [UInt8])] = []
    var entries: [SupportManifest.Part] = []
    var missing: [SupportManifest.Missing] = []
    var rig = ProcessInfo.processInfo.hostName
    for (index, part) in parts.enumerated() {
      try Task.checkCancellation()
      onPart(index, parts.count, part.name)
      do throws(Unavailable) {
        let bytes = try await part.read(source)
        if part.name == "status.json",
          let status = try? APICoding.decode(RigStatus.self, from: bytes)
        {
          rig = status.rig
        }
        let (text, cut) = part.prepared(bytes)
        files.append((part.name, text))
        entries.append(
          SupportManifest.Part(
            name: part.name, bytes: text.count, sha256: Digest.value(.sha256, of: text).hexadecimal,
            cutBytes: cut > 0 ? cut : nil))
      } catch {
        missing.append(
          SupportManifest.Missing(name: part.name, reason: Redaction.redacting(error.reason)))
      }
    }
    let manifest = SupportManifest(
      rig: rig, made: time.formatted(.iso8601), redacted: Redaction.mark,
      parts: entries.sorted { $0.name < $1.name }, missing: missing.sorted { $0.name < $1.name })
    let text = try APICoding.encode(manifest, isPretty: true) + [UInt8(ascii: "\n")]
    return SupportBundle(
      name: name(rig: rig, time: time),
      files: (files + [("manifest.json", text)]).sorted { $0.name < $1.name }, manifest: manifest)
  }

  /// Returns a name that is valid on any file system and in any command line.
  static func name(rig: String, time: Date) -> String {
    let rig = rig.unicodeScalars.prefix(40).map { scalar in
      let isPlain = scalar.isASCII && (scalar.properties.isAlphabetic || scalar == "-")
      return isPlain || ("0"..."9").contains(scalar) ? Character(scalar) : "_"
    }
    let stamp = time.formatted(
      .iso8601.year().month().day().dateSeparator(.omitted).time(includingFractionalSeconds: false)
        .timeSeparator(.omitted))
    return "platen-support-\(String(rig))-\(stamp.replacing(":", with: ""))Z"
  }
}
