package import Settings

extension S3Configuration: HTTPTargetKind {
  /// Makes the defaults, without the URL, the bucket and the key.
  package init() {
    self.init(
      url: "", region: "us-east-1", bucket: "",
      credentials: S3Credentials(accessKeyID: "", secretAccessKey: SecretFile(path: "")))
  }

  private static let partByteCounts: ClosedRange<Int64> = minimumPartByteCount...(5 << 30)

  private static let location: [Setting<S3Configuration>] = [
    .url,
    Setting(
      \.bucket, "bucket", .name(3...63, of: .bucket), required: "the bucket's name",
      "the bucket's name"),
    Setting(\.region, "region", .text("a region's name"), "the bucket's region"),
    Setting(
      \.prefix, "prefix", .text("the beginning of all names"), default: "none",
      "the beginning of all names in the bucket, without a slash at its end"),
    Setting(
      \.addressing, "addressing", .word,
      "the place of the bucket's name in requests: the path, or the host's name"),
  ]

  private static let key: [Setting<S3Configuration>] = [
    Setting(
      \.credentials.accessKeyID, "access_key_id", .text("the access key's ID"),
      required: "the access key's ID", "the access key's ID"),
    Setting(
      \.credentials.secretAccessKey, "secret_key_file", .secretFile,
      required: "a file with the secret key, or credential:NAME", "the file with the secret key"),
    Setting(
      \.credentials.sessionToken, "session_token_file", .secretFile,
      "the file with the session token"),
  ]

  private static let content: [Setting<S3Configuration>] = [
    Setting(
      \.partByteCount, "part_size", .bytes(partByteCounts),
      "the length of a part of a large picture"),
    Setting(
      \.checksums, "checksums", .word, "the checksums that are sent for the server to compare"),
  ]

  /// The settings of `kind: s3`.
  package static let settings: [Setting<S3Configuration>] =
    location + key + content + HTTPSettings.settings.map { $0.at(\S3Configuration.http) }

  /// The problem that prevents making a target of these settings.
  ///
  /// The problem is `nil` when there is none, or while the bucket is not known.
  package var problem: TargetProblem? {
    guard !bucket.isEmpty else { return nil }
    do {
      _ = try S3Location(checking: self)
      return nil
    } catch {
      return error
    }
  }

  /// Makes the target; nothing is connected and no secret is read yet.
  package func makeTarget(
    name: String, bandwidth: BandwidthShare?, userAgent: String
  ) throws(DeliveryFailure) -> any UploadTarget {
    try S3Target(equipped(bandwidth, userAgent))
  }
}
