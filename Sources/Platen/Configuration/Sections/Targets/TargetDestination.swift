import Upload

/// The place of a target, by its kind.
package enum TargetDestination: Sendable, Hashable {
  case webDAV(WebDAV)
  case s3(S3)
  case tus(Tus)
  case processing(Processing)
  case directory(Directory)

  /// A WebDAV collection, or an endpoint for `PUT` (`kind: put`).
  ///
  /// | key | value | default |
  /// |---|---|---|
  /// | `url` | an http or https URL that names are relative to | required |
  /// | `user`, `password_file` | by Digest or Basic, as the server asks; a file or `credential:NAME` | none |
  /// | `verify` | `read-back` compares the server's copy, `status` trusts the server's answer | `read-back` |
  /// | `metadata` | whether `<name>.json` is stored beside each picture; `webdav` only | `false` |
  package struct WebDAV: Sendable, Hashable {
    /// The URL without credentials.
    package var url: String
    /// The user's name.
    package var user: String?
    /// The file with the password.
    package var passwordFile: SecretReference?
    /// Whether pictures are read back and compared.
    package var readsBack = true
    /// Whether the metadata are stored as a file beside each picture.
    package var storesMetadata = false
    /// Whether pictures are sent under their final names, without WebDAV's `MOVE`.
    package var isPlainPut = false
  }

  /// A bucket.
  ///
  /// | key | value | default |
  /// |---|---|---|
  /// | `url` | the endpoint, an http or https URL without the bucket | required |
  /// | `bucket` | the bucket's name | required |
  /// | `region` | the region's name | `us-east-1` |
  /// | `prefix` | the common start of all names, without a slash at its end | none |
  /// | `addressing` | `path` or `virtual-host` | `path` |
  /// | `access_key_id` | the key's ID | required |
  /// | `secret_key_file` | a file with the secret key, or `credential:NAME` | required |
  /// | `session_token_file` | the same for a session token | none |
  /// | `part_size` | the length of a part of a large picture, 5 MiB to 5 GiB | `8 MiB` |
  /// | `checksums` | the checksums that the server can compare: `sha256`, `md5` or `both` | `sha256` |
  package struct S3: Sendable, Hashable {
    /// The place of the bucket's name in requests.
    package enum Addressing: String, Sendable, Hashable, CaseIterable {
      /// The first part of the path.
      case path
      /// The first part of the host's name.
      case virtualHost = "virtual-host"
    }

    /// The checksums that are sent along.
    package enum Checksums: String, Sendable, Hashable, CaseIterable {
      /// `x-amz-checksum-sha256`, `Content-MD5`, or both.
      case sha256, md5, both
    }

    /// The endpoint.
    package var url: String
    /// The bucket.
    package var bucket: String
    /// The region.
    package var region: String
    /// The common start of all names.
    package var prefix: String?
    /// The place of the bucket's name in requests.
    package var addressing: Addressing
    /// The key's ID.
    package var accessKeyID: String
    /// The secret key.
    package var secretKeyFile: SecretReference
    /// The session token.
    package var sessionTokenFile: SecretReference?
    /// The length of a part.
    package var partByteCount: Int64
    /// The checksums that are sent along.
    package var checksums: Checksums
  }

  /// An endpoint for resumable uploads.
  ///
  /// | key | value | default |
  /// |---|---|---|
  /// | `url` | the endpoint where uploads are created | required |
  /// | `user`, `password_file` | by Digest or Basic, as the server asks | none |
  /// | `token_file` | a file with a bearer token, or `credential:NAME`, instead of a user | none |
  /// | `naming` | the place of the picture's name: `metadata`, or `path` behind the URL | `metadata` |
  package struct Tus: Sendable, Hashable {
    /// The endpoint.
    package var url: String
    /// The user's name.
    package var user: String?
    /// The file with the password.
    package var passwordFile: SecretReference?
    /// The file with a bearer token.
    package var tokenFile: SecretReference?
    /// Whether uploads are created at the URL of the picture's name instead of the endpoint's.
    package var isNameInPath: Bool
  }

  /// An endpoint that answers with a result.
  ///
  /// | key | value | default |
  /// |---|---|---|
  /// | `url` | the URL that pictures are posted to | required |
  /// | `body` | `raw` or `multipart` | `raw` |
  /// | `token_file` | a file with a bearer token, or `credential:NAME` | none |
  package struct Processing: Sendable, Hashable {
    /// The packing of the picture.
    package enum Body: String, Sendable, Hashable, CaseIterable {
      /// The bare picture, or a file of a form (`multipart/form-data`).
      case raw, multipart
    }

    /// The endpoint.
    package var url: String
    /// The packing of the picture.
    package var body: Body
    /// The file with a bearer token.
    package var tokenFile: SecretReference?
  }

  /// A directory or a removable drive.
  ///
  /// | key | value | default |
  /// |---|---|---|
  /// | `path` | an absolute path; it must hold the file `.platen-target` | required |
  /// | `minimum_free` | space that stays free there | `64 MiB` |
  package struct Directory: Sendable, Hashable {
    /// The path.
    package var path: String
    /// The space that stays free, in bytes.
    package var minimumFreeBytes: Int64
  }
}

extension TargetDestination {
  /// The target's URL; `nil` for a target without one.
  var url: String? {
    switch self {
    case .webDAV(let target): target.url
    case .s3(let target): target.url
    case .tus(let target): target.url
    case .processing(let target): target.url
    case .directory: nil
    }
  }

  init?(_ section: ConfigurationMapping, kind: TargetSection.Kind) {
    switch kind {
    case .webdav, .put:
      guard let target = Self.webDAV(section, isPlainPut: kind == .put) else { return nil }
      self = .webDAV(target)
    case .s3:
      guard let target = Self.s3(section) else { return nil }
      self = .s3(target)
    case .tus:
      let url = section.targetURL()
      let login = section.login()
      let token = section.secret("token_file")
      let naming = section.word("naming", Naming.self) ?? .metadata
      if token != nil, login != nil { section.note("excludes \"user\"", at: "token_file") }
      guard let url else { return nil }
      section.note(TusConfiguration(url: url).problem)
      self = .tus(
        Tus(
          url: url, user: login?.user, passwordFile: login?.password, tokenFile: token,
          isNameInPath: naming == .path))
    case .processing:
      let url = section.targetURL()
      let body = section.word("body", Processing.Body.self) ?? .raw
      let token = section.secret("token_file")
      guard let url else { return nil }
      section.note(ProcessingConfiguration(url: url).problem)
      self = .processing(Processing(url: url, body: body, tokenFile: token))
    case .directory:
      section.require("path", "an absolute path")
      let path = section.path("path")
      let free = section.bytes("minimum_free", in: 0...(1 << 50)) ?? 64 << 20
      guard let path else { return nil }
      self = .directory(Directory(path: path, minimumFreeBytes: free))
    }
  }

  private static func webDAV(_ section: ConfigurationMapping, isPlainPut: Bool) -> WebDAV? {
    let url = section.targetURL()
    let login = section.login()
    let verify = section.word("verify", Verification.self) ?? .readBack
    let storesMetadata = isPlainPut ? false : section.boolean("metadata") ?? false
    guard let url else { return nil }
    section.note(WebDAVConfiguration(url: url).problem)
    return WebDAV(
      url: url, user: login?.user, passwordFile: login?.password,
      readsBack: verify == .readBack, storesMetadata: storesMetadata, isPlainPut: isPlainPut)
  }

  private enum Naming: String, CaseIterable {
    case metadata, path
  }

  private enum Verification: String, CaseIterable {
    case readBack = "read-back"
    case status
  }

  private static func s3(_ section: ConfigurationMapping) -> S3? {
    let url = section.targetURL()
    for (key, expected) in [
      ("bucket", "the bucket's name"), ("access_key_id", "the access key's ID"),
      ("secret_key_file", "a file with the secret key, or credential:NAME"),
    ] {
      section.require(key, expected)
    }
    let bucket = section.value("bucket", expected: "3 to 63 of a-z 0-9 . -") { text in
      (3...63).contains(text.utf8.count) && text.utf8.allSatisfy(isBucketByte) ? text : nil
    }
    let region = section.text("region", expected: "a region's name") ?? "us-east-1"
    let prefix = section.text("prefix", expected: "the beginning of all names")
    let addressing = section.word("addressing", S3.Addressing.self) ?? .path
    let accessKeyID = section.text("access_key_id", expected: "the access key's ID")
    let secret = section.secret("secret_key_file")
    let token = section.secret("session_token_file")
    let partByteCount = section.bytes("part_size", in: (5 << 20)...(5 << 30)) ?? 8 << 20
    let checksums = section.word("checksums", S3.Checksums.self) ?? .sha256
    guard let url, let bucket, let accessKeyID, let secret else { return nil }
    section.note(
      S3Configuration(
        endpoint: url, region: region, bucket: bucket, prefix: prefix ?? "",
        addressing: addressing == .path ? .path : .virtualHost,
        // The check does not read the secret.
        credentials: S3Credentials(
          accessKeyID: .text(accessKeyID), secretAccessKey: SecretFile(path: "/"))
      ).problem)
    return S3(
      url: url, bucket: bucket, region: region, prefix: prefix, addressing: addressing,
      accessKeyID: accessKeyID, secretKeyFile: secret, sessionTokenFile: token,
      partByteCount: partByteCount, checksums: checksums)
  }

  private static func isBucketByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
      UInt8(ascii: "."), UInt8(ascii: "-"):
      true
    default: false
    }
  }
}
