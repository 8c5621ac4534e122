import Testing

@testable import Transfer

@Suite struct HTTPHeaderTests {
  @Test(arguments: [
    ("Name: value\r\n", "Name", "value"),
    ("Name:value", "Name", "value"),
    ("Name:  a b \t\r\n", "Name", "a b"),
    ("Name:\r\n", "Name", ""),
    ("Date: Sun, 06 Nov 1994 08:49:37 GMT\r\n", "Date", "Sun, 06 Nov 1994 08:49:37 GMT"),
  ])
  func `a header line is read`(line: String, name: String, value: String) {
    #expect(HTTPHeader(line: Array(line.utf8)) == HTTPHeader(name, value))
  }

  @Test(arguments: ["\r\n", "", ": value", "no colon"])
  func `a line that is no header field is refused`(line: String) {
    #expect(HTTPHeader(line: Array(line.utf8)) == nil)
  }

  @Test(arguments: [
    ("X-Ok", "value", true), ("X-Empty", "", true), ("X-Tab", "a\tb", true),
    ("X-Umlaut", "ü", true), ("", "value", false), ("X Space", "value", false),
    ("X:Colon", "value", false), ("X-Break", "a\r\nX-Evil: b", false), ("X-Nul", "a\0b", false),
  ])
  func `only valid header fields may be sent`(name: String, value: String, isGood: Bool) {
    #expect(HTTPHeader(name, value).isWellFormed == isGood)
  }

  @Test func `a header field is found in any case`() {
    let response = HTTPResponse(
      status: 200, headers: [HTTPHeader("etag", "1"), HTTPHeader("ETag", "2")])
    #expect(response["ETAG"] == "1")
    #expect(response["Date"] == nil)
  }
}
