import Testing

import Transfer

@Suite struct RedactedURLTests {
  @Test(arguments: [
    ("http://host/a/b", "http://host/a/b"),
    ("http://host:8080/a@b/c", "http://b/c"),
    ("http://rig:1234/abc@host/", "http://host/"),
    ("HTTPS://rig:secret@host/", "HTTPS://host/"),
    ("http://rig:a@/b@host/x?y", "http://host/x?…"),
    ("http://host/a@b/c?d@e", "http://host/a@b/c?…"),
    ("http://user:secret@host/a", "http://host/a"),
    ("https://user@host", "https://host"),
    ("user:secret@host/a", "host/a"),
    ("http://user:sec@ret@host/a", "http://host/a"),
    ("http://user:se/cret@host/a", "http://host/a"),
    ("http://user:se?cret@host/a", "http://host/a"),
    ("http://host/a?X-Amz-Signature=secret", "http://host/a?…"),
    ("http://host/a#secret", "http://host/a?…"),
    ("http://host/a\nb", "http://host/a\u{FFFD}b"),
    ("", ""),
  ])
  func `a URL is shown without secrets`(url: String, shown: String) {
    #expect(redactedURL(url) == shown)
  }

  @Test func `an error does not tell the secrets of its URL`() {
    let error = TransferError(
      .couldNotConnect, method: "PUT", url: "http://u:secret@host/x?token=secret",
      problem: "could not connect", cause: "refused")
    #expect(error.description == "\"PUT http://host/x?…\" could not connect: refused")
    #expect(!String(reflecting: error).contains("secret"))
  }

  @Test func `credentials do not show their password`() {
    let credentials = HTTPCredentials(user: "rig", password: "secret")
    var text = "\(credentials) \(String(reflecting: credentials))"
    dump(HTTPRequest(url: "http://host/", credentials: credentials), to: &text)
    #expect(text.contains("rig"))
    #expect(!text.contains("secret"))
  }
}
