import Testing

@testable import Upload

@Suite struct S3LocationTests {
  private func configuration(
    _ endpoint: String, bucket: String = "pages", prefix: String = "",
    _ addressing: S3Configuration.Addressing = .path
  ) -> S3Configuration {
    S3Configuration(
      url: endpoint, region: "eu-central-1", bucket: bucket, prefix: prefix,
      addressing: addressing,
      credentials: S3Credentials(
        accessKeyID: "AKID", secretAccessKey: SecretFile(path: "/nonexistent")))
  }

  struct Place: Sendable {
    var endpoint: String
    var prefix = ""
    var addressing = S3Configuration.Addressing.path
    var host: String
    var url: String
  }

  @Test(arguments: [
    Place(
      endpoint: "https://s3.eu-central-1.amazonaws.com", host: "s3.eu-central-1.amazonaws.com",
      url: "https://s3.eu-central-1.amazonaws.com/pages/a%20b/%C3%BC%2B.jpg"),
    Place(
      endpoint: "HTTPS://S3.Example:443/", prefix: "rigs/7", host: "s3.example",
      url: "https://s3.example/pages/rigs/7/a%20b/%C3%BC%2B.jpg"),
    Place(
      endpoint: "http://127.0.0.1:8333/storage", host: "127.0.0.1:8333",
      url: "http://127.0.0.1:8333/storage/pages/a%20b/%C3%BC%2B.jpg"),
    Place(
      endpoint: "https://s3.example:9000", prefix: "in", addressing: .virtualHost,
      host: "pages.s3.example:9000", url: "https://pages.s3.example:9000/in/a%20b/%C3%BC%2B.jpg"),
  ])
  func `an object has a path and a URL`(place: Place) throws {
    let location = try S3Location(
      configuration(place.endpoint, prefix: place.prefix, place.addressing))
    let key = try #require(location.key(ofName: "a b/ü+.jpg"))
    #expect(location.hostField == place.host)
    #expect(location.url(key) == place.url)
    #expect(key.text == (place.prefix.isEmpty ? "" : place.prefix + "/") + "a b/ü+.jpg")
  }

  @Test func `the bucket itself has a place too`() throws {
    #expect(
      try S3Location(configuration("http://h/s")).url(nil) == "http://h/s/pages/")
    #expect(
      try S3Location(configuration("http://h", .virtualHost)).url(nil) == "http://pages.h/")
  }

  @Test(arguments: [
    ("ftp://host", "pages", ""), ("host", "pages", ""), ("https://", "pages", ""),
    ("https://host/?a", "pages", ""), ("https://host/a b", "pages", ""),
    ("https://host/a%20b", "pages", ""), ("https://host", "ab", ""), ("https://host", "a/b", ""),
    ("https://host", "pages", "/x"), ("https://host", "pages", "a/../b"),
    ("https://rig:secret@host", "pages", ""),
  ])
  func `an unusable configuration is reported without secrets`(
    endpoint: String, bucket: String, prefix: String
  ) {
    let failure = #expect(throws: DeliveryFailure.self) {
      try S3Location(configuration(endpoint, bucket: bucket, prefix: prefix))
    }
    #expect(failure?.code == .blocked)
    #expect(failure?.text.contains("secret") == false)
  }

  @Test func `a bucket with dots has no certificate as a host`() {
    #expect(throws: DeliveryFailure.self) {
      try S3Location(configuration("https://host", bucket: "my.pages", .virtualHost))
    }
    #expect(throws: Never.self) {
      try S3Location(configuration("http://host", bucket: "my.pages", .virtualHost))
    }
    #expect(throws: Never.self) {
      try S3Location(configuration("https://host", bucket: "my.pages", .path))
    }
  }

  @Test func `a key has a limit`() throws {
    let location = try S3Location(configuration("https://host", prefix: "p"))
    let part = String(repeating: "x", count: 200)
    let long = [part, part, part, part, part].joined(separator: "/")
    #expect(location.key(ofName: long + "/" + String(repeating: "y", count: 17)) != nil)
    #expect(location.key(ofName: long + "/" + String(repeating: "y", count: 18)) == nil)
    #expect(location.key(ofName: "../x") == nil)
    #expect(location.key(ofName: "") == nil)
  }
}
