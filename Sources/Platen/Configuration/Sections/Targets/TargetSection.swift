import Spool

/// A target of the section `targets`: a destination of pictures, by its name.
///
/// The name is 1 to 32 of `a-z 0-9 - _`; deliveries are remembered under it. All kinds but
/// `directory` also have the keys of ``TargetConnectionSection``. All kinds have the keys of
/// ``TargetPolicySection``. The value of `kind` determines the other keys:
///
/// | `kind` | meaning | its keys |
/// |---|---|---|
/// | `webdav` | a WebDAV collection, RFC 4918 | ``TargetDestination/WebDAV`` |
/// | `put` | HTTP `PUT` without WebDAV | ``TargetDestination/WebDAV`` |
/// | `s3` | a bucket of Amazon S3 or of a compatible server | ``TargetDestination/S3`` |
/// | `tus` | an endpoint for resumable uploads, tus 1.0 | ``TargetDestination/Tus`` |
/// | `processing` | an endpoint that answers with a result | ``TargetDestination/Processing`` |
/// | `directory` | a directory or a removable drive | ``TargetDestination/Directory`` |
package struct TargetSection: Sendable, Hashable {
  /// The spelling of the kinds.
  package enum Kind: String, Sendable, Hashable, CaseIterable {
    /// The kinds of the table above.
    case webdav, put, s3, tus, processing, directory
  }

  /// The target's name.
  package var name: String
  /// The target's kind.
  package var kind: Kind
  /// The target's place.
  package var destination: TargetDestination
  /// The connection's settings.
  package var connection: TargetConnectionSection
  /// The times, the rates and the retries of deliveries.
  package var policy: TargetPolicySection

  init?(_ section: ConfigurationMapping, name: String) {
    section.require("kind", "one of \(Kind.allCases.map(\.rawValue).joined(separator: ", "))")
    let kind = section.word("kind", Kind.self)
    let policy = TargetPolicySection(section)
    guard let kind else { return nil }
    let connection =
      kind == .directory ? TargetConnectionSection() : TargetConnectionSection(section)
    let destination = TargetDestination(section, kind: kind)
    if kind == .directory, section.has("bandwidth") {
      section.note("has no effect with \"kind: directory\"", at: "bandwidth")
    }
    if let url = destination?.url, !url.lowercased().hasPrefix("https:") {
      for key in TargetConnectionSection.keysOfTLS where section.has(key) {
        section.note("needs https, and \"url\" is without", at: key)
      }
    }
    section.refuseUnknownKeys()
    guard let destination else { return nil }
    self.name = name
    self.kind = kind
    self.destination = destination
    self.connection = connection
    self.policy = policy
  }

  /// Reads all targets, in the order of the file.
  static func read(_ section: ConfigurationMapping) -> [TargetSection] {
    let targets = section.keys.compactMap { name -> TargetSection? in
      guard isValidName(name) else {
        section.note("is no target's name; expected 1 to 32 of a-z 0-9 - _", at: name)
        return nil
      }
      return section.section(name).flatMap { TargetSection($0, name: name) }
    }
    section.refuseUnknownKeys()
    return targets
  }

  private static func isValidName(_ name: String) -> Bool {
    (1...32).contains(name.utf8.count) && name != TargetID.unassigned.rawValue
      && name.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
          UInt8(ascii: "-"), UInt8(ascii: "_"):
          true
        default: false
        }
      }
  }
}
