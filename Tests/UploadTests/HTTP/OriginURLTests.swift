import Testing

@testable import Upload

@Suite struct OriginURLTests {
  @Test(arguments: [
    ("http://host", "http://host/", "host", "/"),
    ("HTTP://Host:80/a?b=c", "http://host/a?b=c", "host", "/a"),
    ("https://host:443/", "https://host/", "host", "/"),
    ("https://host:8443/a/", "https://host:8443/a/", "host:8443", "/a/"),
    ("http://[::1]:81/x", "http://[::1]:81/x", "[::1]:81", "/x"),
    ("http://[::1]", "http://[::1]/", "[::1]", "/"),
    ("http://host?x", "http://host/?x", "host", "/"),
  ])
  func `a URL is split into its parts`(text: String, whole: String, field: String, path: String)
    throws
  {
    let url = try #require(OriginURL(text))
    #expect(url.text == whole)
    #expect(url.hostField == field)
    #expect(url.path == path)
  }

  @Test(arguments: [
    "", "host", "ftp://host/", "http://", "http:///x", "http://:80/", "http://host:/",
    "http://host:0/", "http://host:65536/", "http://host:8o/", "http://user@host/",
    "http://host/a#b", "http://host/a b", "http://host/ü", "http://host/a\\b", "http://host/\r\n",
  ])
  func `text that is no URL is refused`(text: String) {
    #expect(OriginURL(text) == nil)
  }

  @Test(arguments: [
    ("/x/y?z", "http://host:81/x/y?z"), ("http://HOST:81/x", "http://host:81/x"),
    ("//host:81/x", "http://host:81/x"), ("y", "http://host:81/a/y"),
    ("?q=1", "http://host:81/a/b?q=1"), ("/x/a:b", "http://host:81/x/a:b"),
  ])
  func `a reference within the origin is followed`(reference: String, whole: String) throws {
    let url = try #require(OriginURL("http://host:81/a/b?c"))
    #expect(url.sameOrigin(reference)?.text == whole)
  }

  /// The server does not know that a proxy in front of it ends TLS.
  @Test(
    arguments: [
      ("https://host/f/", "http://host/f/1", "https://host/f/1"),
      ("https://host:8443/f/", "http://host:8443/f/1", "https://host:8443/f/1"),
      ("https://host:8443/f/", "http://host/f/1", "https://host:8443/f/1"),
      ("https://host/f/", "http://other/f/1", nil), ("https://host/f/", "http://host:81/f/1", nil),
      ("http://host/f/", "https://host/f/1", nil), ("https://host/f/", "https://host:81/f/1", nil),
    ] as [(String, String, String?)])
  func `TLS is kept for a server behind a proxy`(own: String, reference: String, whole: String?)
    throws
  {
    #expect(try #require(OriginURL(own)).sameOrigin(reference)?.text == whole)
  }

  @Test(arguments: [
    "", "http://host/x", "https://host:81/x", "http://other:81/x", "//other/x", "ftp://host:81/x",
    "javascript:alert(1)", "http://host:81@other/x", "/a b", "/x/../y", "../x", "/x\r\nHost: y",
    "http://host:81.other/x", "\\\\other\\x", "//host:81:82/x",
  ])
  func `other references are not followed`(reference: String) throws {
    let url = try #require(OriginURL("http://host:81/a/b?c"))
    #expect(url.sameOrigin(reference) == nil)
  }
}
