/// The settings of an ``S3Target``.
package struct S3Configuration: Sendable {
  /// The place of the bucket's name in a request.
  package enum Addressing: String, Sendable, Hashable, CaseIterable {
    /// The first part of the path: `https://host/bucket/key`.
    case path
    /// The first label of the host: `https://bucket.host/key`.
    case virtualHost = "virtual-host"
  }

  /// The checksums that are sent along, which a server may ignore.
  package enum Checksums: String, Sendable, Hashable, CaseIterable {
    /// `x-amz-checksum-sha256`, which AWS and SeaweedFS compare.
    case sha256
    /// `Content-MD5`, for servers that know nothing else.
    case md5
    /// Both checksums.
    case sha256AndMD5 = "both"
  }

  /// The smallest part that S3 takes, except for an object's last part: 5 MiB.
  package static let minimumPartByteCount: Int64 = 5 << 20

  /// The service's URL, for example `https://s3.eu-central-1.amazonaws.com`.
  ///
  /// The URL is `http` or `https`, without user, password, query and fragment.
  package var url: String
  /// The region that requests are signed for, for example `eu-central-1`.
  package var region: String
  /// The bucket, which must exist.
  package var bucket: String
  /// The prefix of all keys, with `/` between its parts and not around them; may be empty.
  package var prefix = ""
  /// The place of the bucket's name in a request.
  package var addressing = Addressing.path
  /// The key that requests are signed with.
  package var credentials: S3Credentials
  /// The checksums that are sent along.
  package var checksums = Checksums.sha256
  /// The bytes of each part of a large item; ``minimumPartByteCount`` or more.
  ///
  /// Items of more than 10,000 such parts get larger parts.
  package var partByteCount: Int64 = 8 << 20
  /// The largest item that is sent in one request, in bytes; larger items are sent in parts.
  package var multipartThreshold: Int64 = 16 << 20
  /// The connection settings and timeouts.
  package var http = HTTPSettings()
}

extension S3Configuration.Checksums {
  var includesSHA256: Bool { self != .md5 }
  var includesMD5: Bool { self != .sha256 }
}
