/// The keys of the targets.
extension ConfigurationKey {
  private static let secret = "an absolute path, or credential:NAME"

  static let ofTargets: [ConfigurationKey] =
    [
      .init("targets", "section", default: "pictures stay in the spool", "where pictures go"),
      .init("targets.NAME", "section", "a name is 1 to 32 of a-z 0-9 - _", "a target"),
      .init(
        "targets.NAME.kind", "word", "webdav, put, s3, tus, processing, directory",
        default: "required", "what the target is"),
      .init(
        "targets.NAME.url", "URL", "http or https, without user and password",
        default: "required, but of a directory", "where the target is"),
      .init("targets.NAME.user", "text", "without a colon", "the user; goes with password_file"),
      .init("targets.NAME.password_file", "secret", secret, "the file with the password"),
      .init(
        "targets.NAME.verify", "word", "read-back, status; webdav and put",
        default: "read-back", "whether pictures are read back"),
      .init(
        "targets.NAME.metadata", "true or false", "webdav", default: "false",
        "whether NAME.json is stored beside each picture"),
      .init("targets.NAME.bucket", "text", "3 to 63 of a-z 0-9 . -; s3", "the bucket"),
      .init("targets.NAME.region", "text", "s3", default: "us-east-1", "the bucket's region"),
      .init("targets.NAME.prefix", "text", "s3", "what all names begin with"),
      .init(
        "targets.NAME.addressing", "word", "path, virtual-host; s3", default: "path",
        "how the bucket is named in requests"),
      .init("targets.NAME.access_key_id", "text", "s3", "the access key's ID"),
      .init("targets.NAME.secret_key_file", "secret", secret, "the file with the secret key"),
      .init(
        "targets.NAME.session_token_file", "secret", secret, "the file with the session token"),
      .init(
        "targets.NAME.part_size", "bytes", "5 MiB to 5 GiB; s3", default: "8 MiB",
        "the length of a part of a large picture"),
      .init(
        "targets.NAME.checksums", "word", "sha256, md5, both; s3", default: "sha256",
        "what the server compares"),
      .init(
        "targets.NAME.token_file", "secret", "\(secret); tus and processing",
        "the file with the bearer token"),
      .init(
        "targets.NAME.naming", "word", "metadata, path; tus", default: "metadata",
        "how the server learns the name"),
      .init(
        "targets.NAME.body", "word", "raw, multipart; processing", default: "raw",
        "how the picture is posted"),
      .init(
        "targets.NAME.path", "path", "directory", default: "required of a directory",
        "the directory"),
      .init(
        "targets.NAME.minimum_free", "bytes", "directory", default: "64 MiB",
        "space that is left free there"),
    ] + ofPolicy + ofConnection

  private static let ofPolicy: [ConfigurationKey] = [
    .init(
      "targets.NAME.parallel", "whole number", "1 to 8; not with order: strict", default: "2",
      "deliveries that run at once"),
    .init(
      "targets.NAME.order", "word", "oldest-first, strict", default: "oldest-first",
      "the order of deliveries"),
    .init(
      "targets.NAME.per_minute", "whole number", "1 to 6000", default: "no limit",
      "the most deliveries that begin in a minute"),
    .init(
      "targets.NAME.bandwidth", "bytes", "1 KiB or more a second; not of a directory",
      default: "no limit", "the most bytes a second"),
    .init(
      "targets.NAME.window", "times of day", "such as 22:00-06:00, local time",
      default: "always", "when deliveries begin"),
    .init(
      "targets.NAME.park_after", "whole number", "1 to 100 failures", default: "8",
      "when a picture is set aside"),
    .init(
      "targets.NAME.retry_minimum", "duration", "100 ms to 24 h", default: "1 s",
      "the shortest pause after a failure"),
    .init(
      "targets.NAME.retry_maximum", "duration", "100 ms to 24 h", default: "5 min",
      "the longest pause after a failure"),
  ]

  private static let ofConnection: [ConfigurationKey] = [
    .init(
      "targets.NAME.ca_file", "path", "with https", default: "the system's",
      "certificates that are trusted"),
    .init(
      "targets.NAME.pinned_keys", "list", "SHA-256 in Base64; with https",
      "public keys of which the server must have one"),
    .init(
      "targets.NAME.client_certificate", "path", "with https", "our own certificate"),
    .init("targets.NAME.client_key", "path", "with https", "the key of our own certificate"),
    .init(
      "targets.NAME.connect_timeout", "duration", "1 s to 5 min", default: "10 s",
      "how long to wait for a connection"),
    .init(
      "targets.NAME.stall_timeout", "duration", "1 s to 10 min", default: "30 s",
      "how long no byte may move"),
    .init(
      "targets.NAME.answer_timeout", "duration", "1 s to 1 h", default: "60 s",
      "how long a request may take beside its bytes"),
    .init(
      "targets.NAME.minimum_rate", "bytes", "1 B or more a second", default: "4 KiB",
      "the slowest transfer that is borne"),
  ]
}
