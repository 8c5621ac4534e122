/// Where and how an ``S3Target`` delivers.
public struct S3Configuration: Sendable {
  /// How the bucket is named in a request.
  public enum Addressing: String, Sendable, Hashable {
    /// As the first part of the path: `https://host/bucket/key`.
    case path
    /// As the first label of the host: `https://bucket.host/key`.
    case virtualHost
  }

  /// Which checksums are sent along; what a server does with them is its own affair.
  public enum Checksums: String, Sendable, Hashable {
    /// `x-amz-checksum-sha256`, which AWS and SeaweedFS compare.
    case sha256
    /// `Content-MD5`, for servers that know nothing else.
    case md5
    /// Both.
    case sha256AndMD5
  }

  /// The smallest part that S3 takes, except for an object's last: 5 MiB.
  public static let minimumPartByteCount: Int64 = 5 << 20

  /// The service's URL, for example `https://s3.eu-central-1.amazonaws.com`: `http` or `https`,
  /// without user, password, query and fragment.
  public var endpoint: String
  /// The region that requests are signed for, for example `eu-central-1`.
  public var region: String
  /// The bucket; it must exist.
  public var bucket: String
  /// What the keys of all items begin with, `/` between its parts and none around them; may be
  /// empty.
  public var prefix: String
  /// How the bucket is named in a request.
  public var addressing: Addressing
  /// The key that requests are signed with.
  public var credentials: S3Credentials
  /// Which checksums are sent along.
  public var checksums: Checksums
  /// The bytes of each part of a large item; ``minimumPartByteCount`` or more.
  ///
  /// Items of more than 10 000 such parts get larger ones.
  public var partByteCount: Int64
  /// The largest item that is sent in one request, in bytes; larger ones are sent in parts.
  public var multipartThreshold: Int64
  /// Connections and times.
  public var http: HTTPSettings

  /// Makes a configuration.
  public init(
    endpoint: String, region: String, bucket: String, prefix: String = "",
    addressing: Addressing = .virtualHost, credentials: S3Credentials,
    checksums: Checksums = .sha256, partByteCount: Int64 = 8 << 20,
    multipartThreshold: Int64 = 16 << 20, http: HTTPSettings = HTTPSettings()
  ) {
    self.endpoint = endpoint
    self.region = region
    self.bucket = bucket
    self.prefix = prefix
    self.addressing = addressing
    self.credentials = credentials
    self.checksums = checksums
    self.partByteCount = partByteCount
    self.multipartThreshold = multipartThreshold
    self.http = http
  }
}

extension S3Configuration.Checksums {
  var includesSHA256: Bool { self != .md5 }
  var includesMD5: Bool { self != .sha256 }
}
