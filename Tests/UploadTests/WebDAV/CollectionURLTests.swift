import Testing

@testable import Upload

@Suite struct CollectionURLTests {
  @Test(arguments: [
    ("http://host", "http://host/x"), ("http://host:8080/a/b/", "http://host:8080/a/b/x"),
    ("HTTPS://Host//a//b", "https://Host/a/b/x"), ("http://[::1]:80/", "http://[::1]:80/x"),
    ("http://host/a%20b", "http://host/a%20b/x"),
  ])
  func `the URLs of objects are made below a base URL`(base: String, url: String) {
    #expect(CollectionURL(base)?.url(["x"]) == url)
  }

  @Test(arguments: [
    "", "host", "ftp://host", "http://", "http:///a", "http://:80", "http://u:p@host",
    "http://host/?q", "http://host/#f", "http://host/a b", "http://host/ü", "http://host/../b",
    "http://host/\r\nX: y",
  ])
  func `text that is no collection's URL is refused`(base: String) {
    #expect(CollectionURL(base) == nil)
  }

  @Test func `names are percent-encoded`() {
    let url = CollectionURL("http://h/")?.url(["a b", "100%", "ü?#", "a-b_c.~d"])
    #expect(url == "http://h/a%20b/100%25/%C3%BC%3F%23/a-b_c.~d")
  }

  @Test func `collections are named innermost first`() {
    #expect(
      CollectionURL("http://h/base")?.collections(above: ["a", "b", "x"])
        == ["http://h/base/a/b/", "http://h/base/a/", "http://h/base/"])
    #expect(CollectionURL("http://h")?.collections(above: ["x"]) == [])
  }

  @Test(arguments: [
    ("page.jpg", true), ("2026/11/page.jpg", true), ("..jpg", true), ("", false), ("/a", false),
    ("a/", false), ("a//b", false), ("../a", false), ("a/./b", false), ("a\\b", false),
    ("a\nb", false), (String(repeating: "x", count: 249), false),
    (String(repeating: "x/", count: 1100) + "x", false),
  ])
  func `names are split into parts and unsafe names are refused`(name: String, isGood: Bool) {
    #expect((CollectionURL.parts(ofName: name) != nil) == isGood)
  }
}
