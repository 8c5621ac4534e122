import RigConfiguration
import Settings
import Spool
import Testing
import Transfer
import Upload

@Suite struct TargetSectionTests {
  private func parse(_ targets: String) throws(ConfigurationErrors) -> [TargetSection] {
    try PlatenConfiguration.parse(afterMinimum: "targets:\n" + targets).targets
  }

  private func issue(_ target: String) -> ConfigurationIssue? {
    do {
      _ = try parse("  t: { \(target) }")
      return nil
    } catch {
      return error.issues.first
    }
  }

  @Test func `a WebDAV target has defaults`() throws {
    let target = try #require(try parse("  server: { kind: webdav, url: https://h/a }").first)
    #expect(target.name == "server")
    #expect(target.policy == UploadPolicy())
    let webDAV = try #require(target.destination as? WebDAVConfiguration)
    #expect(webDAV.url == "https://h/a")
    #expect(webDAV.verification == .readBack)
    #expect(webDAV.commit == .move)
    #expect(webDAV.credentials == nil)
    #expect(webDAV.http.stallTimeout == .seconds(30))
  }

  @Test func `every key of a bucket is read`() throws {
    let target = try #require(
      try parse(
        """
          archive:
            kind: s3
            url: https://s3.example
            bucket: pages
            region: eu-central-1
            prefix: rigs/a
            addressing: virtual-host
            access_key_id: AKIA123
            secret_key_file: credential:s3
            session_token_file: /run/token
            part_size: 16 MiB
            checksums: both
            pinned_keys: [AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=]
            client_certificate: /etc/platen/rig.pem
            client_key: /etc/platen/rig.key
            parallel: 4
            per_minute: 60
            bandwidth: 512 KiB
            window: 22:00-06:30
            park_after: 3
            start_jitter: 30 s
            deferred: both
        """
      ).first)
    let s3 = try #require(target.destination as? S3Configuration)
    #expect(s3.bucket == "pages")
    #expect(s3.addressing == .virtualHost)
    #expect(s3.credentials.secretAccessKey.path == "/run/credentials/platend.service/s3")
    #expect(s3.credentials.sessionToken?.path == "/run/token")
    #expect(s3.partByteCount == 16 << 20)
    #expect(s3.checksums == .sha256AndMD5)
    #expect(s3.http.security.pinnedPublicKeys.count == 1)
    #expect(s3.http.security.clientKeyFile == "/etc/platen/rig.key")
    #expect(s3.http.bytesPerSecond == 512 << 10)
    #expect(target.policy.window?.description == "22:00-06:30")
    #expect(target.policy.deliveriesPerMinute == 60)
    #expect(target.policy.itemFailuresUntilParked == 3)
    #expect(target.policy.startJitter == .seconds(30))
    #expect(target.proxies == .both)
  }

  @Test func `the other kinds of targets are read`() throws {
    let targets = try parse(
      """
        a: { kind: put, url: http://h/, verify: status }
        b: { kind: tus, url: http://h/files/, token_file: /t }
        c: { kind: processing, url: http://h/ocr, body: multipart }
        d: { kind: directory, path: /media/stick, minimum_free: 1 GiB }
        e:
          kind: sftp
          url: sftp://nas:2222/~/in
          user: rig
          private_key_file: /k
          host_key: \(fingerprint)
      """)
    #expect(targets.map(\.name) == ["a", "b", "c", "d", "e"])
    #expect(targets.map(\.kind) == ["put", "tus", "processing", "directory", "sftp"])
    let put = try #require(targets[0].destination as? WebDAVConfiguration)
    #expect(put.commit == .put)
    #expect(put.verification == .statusOnly)
    let tus = try #require(targets[1].destination as? TusConfiguration)
    #expect(tus.authorization == .bearer(SecretFile(path: "/t")))
    let processing = try #require(targets[2].destination as? ProcessingConfiguration)
    #expect(processing.form == .multipart)
    let directory = try #require(targets[3].destination as? DirectoryConfiguration)
    #expect(directory.reserveBytes == 1 << 30)
    let sftp = try #require(targets[4].destination as? SFTPConfiguration)
    #expect(sftp.url == "sftp://nas:2222/~/in")
    #expect(sftp.user == "rig")
    #expect(sftp.proof == .privateKey(SecretFile(path: "/k")))
    #expect(sftp.hostKey == .fingerprint(String(repeating: "A", count: 43)))
  }

  private let fingerprint = "SHA256:" + String(repeating: "A", count: 43)

  @Test(arguments: [
    ("bucket", "3 to 63 of a-z 0-9 . -; s3"),
    ("token_file", "an absolute path, or credential:NAME; tus and processing"),
    ("user", "without a colon; webdav, put, tus and sftp"),
    (
      "url",
      "webdav, put, s3, tus and processing: http or https, without user and password; "
        + "sftp: sftp://HOST:PORT/DIRECTORY, or /~/DIRECTORY below the user's home"
    ),
    ("verify", "read-back, status; webdav and put"),
    ("order", "oldest-first, strict"),
  ])
  func `a key is explained once, with the kinds that have it`(_ key: String, _ range: String) {
    let found = TargetSection.keys.filter { $0.path == key }
    #expect(found.map(\.range) == [range])
  }

  struct Bad: Sendable, CustomTestStringConvertible {
    let target: String
    let key: String
    let fragment: String
    var testDescription: String { target }

    init(_ target: String, _ key: String, _ fragment: String) {
      self.target = target
      self.key = "targets.t" + (key.isEmpty ? "" : "." + key)
      self.fragment = fragment
    }
  }

  static let bad: [Bad] = [
    Bad("kind: ftp", "kind", "one of webdav"),
    Bad("url: http://h/", "kind", "missing"),
    Bad("kind: webdav, url: ftp://a/b", "url", "http"),
    Bad("kind: webdav, url: http://u:p@h/", "url", "credentials"),
    Bad("kind: webdav, url: http://h/, user: me", "user", "both or none"),
    Bad("kind: webdav, url: http://h/, bucket: b", "bucket", "unknown key"),
    Bad("kind: put, url: http://h/, metadata: true", "metadata", "unknown key"),
    Bad("kind: s3, url: http://h/, access_key_id: a, secret_key_file: /s", "bucket", "missing"),
    Bad(
      "kind: s3, url: http://h/, bucket: B_, access_key_id: a, secret_key_file: /s", "bucket",
      "3 to 63"),
    Bad(
      "kind: s3, url: http://h/, bucket: abc, access_key_id: a, secret_key_file: hunter2",
      "secret_key_file", "credential:NAME"),
    nas("url: http://h/d, user: a, password_file: /p", "url", "an sftp URL"),
    nas("url: sftp://h, user: a, password_file: /p", "url", "a directory"),
    nas("url: 'sftp://me:secret@h/d', user: a, password_file: /p", "url", "credentials"),
    nas("url: sftp://h/d, private_key_file: /k", "user", "missing"),
    nas("url: sftp://h/d, user: a", "private_key_file", "password_file"),
    nas(
      "url: sftp://h/d, user: a, private_key_file: /k, password_file: /p", "password_file",
      "goes without"),
    nas("url: sftp://h/d, user: a, password_file: /p, ca_file: /c", "ca_file", "unknown key"),
    Bad(
      "kind: sftp, url: sftp://h/d, user: a, password_file: /p", "host_key", "\"known_hosts\""),
    Bad(
      "kind: sftp, url: sftp://h/d, user: a, password_file: /p, host_key: 'MD5:aa'", "host_key",
      "43 characters"),
    Bad("kind: directory, path: stick", "path", "absolute"),
    Bad("kind: directory, path: /s, ca_file: /c", "ca_file", "unknown key"),
    Bad("kind: tus, url: http://h/, parallel: 9", "parallel", "from 1 to 8"),
    Bad("kind: tus, url: http://h/, window: '22-6'", "window", "22:00-06:00"),
    Bad("kind: tus, url: http://h/, window: '24:00-06:00'", "window", "22:00-06:00"),
    Bad("kind: tus, url: https://h/, pinned_keys: [abc]", "pinned_keys[0]", "44 characters"),
    Bad("kind: tus, url: https://h/, client_key: /k", "client_key", "client_certificate"),
    Bad("kind: tus, url: http://h/, retry_minimum: 1 h", "retry_minimum", "retry_maximum"),
    Bad("kind: tus, url: http://h/, start_jitter: 2 h", "start_jitter", "0 s to 1 h"),
    Bad("kind: tus, url: http://h/, bandwidth: 10 B", "bandwidth", "1 KiB"),
    Bad("kind: tus, url: http://h/, order: strict, parallel: 2", "parallel", "no effect"),
    Bad("kind: directory, path: /s, bandwidth: 1 MiB", "bandwidth", "no effect"),
  ]

  /// Targets that would be refused at the start of the service.
  static let unusable: [Bad] =
    ["webdav", "put", "tus", "processing"].flatMap { kind in
      [
        "'http://h/a?b'", "'http://h/a#b'", "'http://h/a b'", "http://h:65536/", "http://h:0/",
        "'http://h:x/'", "'http://:80/'",
      ].map { Bad("kind: \(kind), url: \($0)", "url", "cannot be used") }
    } + [
      bucket("url: 'https://h/?x'", "url"), bucket("url: https://h:99999", "url"),
      bucket("url: https://h, prefix: a//b", "prefix"),
      bucket("url: https://h, prefix: a/", "prefix"),
      bucket("url: https://h, prefix: a/../b", "prefix"),
      bucket("url: https://h, addressing: virtual-host", "bucket"),
    ]

  private static func nas(_ target: String, _ key: String, _ fragment: String) -> Bad {
    Bad("kind: sftp, known_hosts: /h, " + target, key, fragment)
  }

  private static func bucket(_ target: String, _ key: String) -> Bad {
    Bad(
      "kind: s3, bucket: a.b.c, access_key_id: a, secret_key_file: /s, " + target, key,
      "cannot be used")
  }

  static let withoutTLS: [Bad] =
    ["http://h/", "HTTP://h/"].flatMap { url in
      [
        ("ca_file", "/c"), ("client_certificate", "/c"),
        ("pinned_keys", "[AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=]"),
      ].map { Bad("kind: put, url: '\(url)', \($0): \($1)", $0, "needs https") }
    }

  @Test func `a scheme may be in capitals`() throws {
    #expect(throws: Never.self) { try parse("  t: { kind: put, url: 'HTTPS://h/', ca_file: /c }") }
  }

  @Test(arguments: [
    "HTTPS://rig:secret@host/", "ftp://rig:secret@host", "rig:secret@host", "http:rig:secret@host/",
  ])
  func `a password in a URL is not printed`(url: String) throws {
    let found = try #require(issue("kind: webdav, url: '\(url)'"))
    #expect(found.key == "targets.t.url")
    #expect(found.problem.contains("credentials"))
    #expect(!"\(found)".contains("secret"))
  }

  /// A secret in place of its file's name is not repeated to callers that may have files checked.
  @Test(arguments: [
    ("kind: webdav, url: http://h/, user: me, password_file: hunter2", "password_file"),
    ("kind: put, url: http://h/, user: a, password_file: 'credential:a/hunter2'", "password_file"),
    ("kind: tus, url: http://h/, token_file: hunter2", "token_file"),
    (
      "kind: s3, url: http://h/, bucket: abc, access_key_id: a, secret_key_file: \"hunter2\\n\"",
      "secret_key_file"
    ),
    ("kind: put, url: https://h/, ca_file: hunter2", "ca_file"),
    ("kind: put, url: https://h/, client_certificate: /c, client_key: hunter2", "client_key"),
    (
      "kind: put, url: https://h/, client_certificate: /c, client_key: \"hunter2\\n\"", "client_key"
    ),
  ])
  func `a secret in place of its file is not printed`(_ target: String, _ key: String) throws {
    let found = try #require(issue(target))
    #expect(found.key == "targets.t." + key)
    #expect(found.problem.hasPrefix("expected an absolute path"))
    #expect(found.problem.hasSuffix(", found text"))
    #expect(!"\(found)".contains("hunter2"))
  }

  @Test(arguments: bad + unusable + withoutTLS)
  func `mistakes are refused`(_ example: Bad) throws {
    let found = try #require(issue(example.target))
    #expect(found.line == 5)
    #expect(found.key == example.key)
    #expect(found.problem.contains(example.fragment), "\(found)")
  }

  @Test(arguments: ["A", "'a b'", "'../x'", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"])
  func `a target needs a name`(_ name: String) {
    #expect(throws: ConfigurationErrors.self) {
      try parse("  \(name): { kind: webdav, url: http://h/ }")
    }
  }
}
