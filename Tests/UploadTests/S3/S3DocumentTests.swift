import Testing

@testable import Upload

@Suite struct S3DocumentTests {
  private func document(_ text: String) -> S3Document.Element? {
    S3Document(Array(text.utf8))?.root
  }

  @Test func `an error is read`() throws {
    let error = try #require(
      document(
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <Error><Code>NoSuchUpload</Code><Message>a &lt;b&gt; &#233;&amp;</Message><Key/></Error>
        """))
    #expect(error.name == "Error")
    #expect(error["Code"] == "NoSuchUpload")
    #expect(error["Message"] == "a <b> é&")
    #expect(error["Key"] == "")
    #expect(error["Region"] == nil)
  }

  @Test func `a list of parts is read`() throws {
    let page = try #require(
      S3PartPage(
        document(
          """
          <ListPartsResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">
            <IsTruncated>true</IsTruncated>
            <Part><PartNumber>1</PartNumber><ETag>&quot;aB&quot;</ETag><Size>5242880</Size></Part>
            <Part><PartNumber>3</PartNumber><ETag>"c"</ETag><Size>7</Size>
              <ChecksumSHA256>x=</ChecksumSHA256></Part>
          </ListPartsResult>
          """)))
    #expect(page.isTruncated)
    #expect(
      page.parts == [
        S3StoredPart(number: 1, entityTag: "\"aB\"", byteCount: 5_242_880, sha256: nil),
        S3StoredPart(number: 3, entityTag: "\"c\"", byteCount: 7, sha256: "x="),
      ])
    #expect(page.parts[0].bareEntityTag == "ab")
  }

  @Test(arguments: [
    "", "hello", "<html><body>Please log in", "<Error><Code>x</Code>", "{\"a\": 1}",
    "<?xml version=\"1.0\"?><!DOCTYPE a [<!ENTITY b \"c\">]><a>&b;</a>",
    "<a><b><c><d><e><f><g><h><i>deep</i></h></g></f></e></d></c></b></a>",
  ])
  func `a document that is no answer of S3 is refused`(text: String) {
    #expect(document(text) == nil)
  }

  @Test func `an XML bomb costs nothing`() {
    var text = "<?xml version=\"1.0\"?><!DOCTYPE a [<!ENTITY l0 \"lol\">"
    for level in 1...9 {
      let references = String(repeating: "&l\(level - 1);", count: 10)
      text += "<!ENTITY l\(level) \"\(references)\">"
    }
    #expect(document(text + "]><a>&l9;</a>") == nil)
    #expect(document("<a>" + String(repeating: "<b/>", count: 5000) + "</a>") == nil)
    #expect(document("<a>" + String(repeating: "x", count: 70_000) + "</a>") == nil)
    #expect(document("<a>" + String(repeating: "<b/>", count: 4000) + "</a>") != nil)
  }

  @Test func `an external entity is not fetched`() throws {
    let proxy = try FaultProxy()
    #expect(
      document(
        "<!DOCTYPE a [<!ENTITY b SYSTEM \"\(proxy.url)\">]><a>&b;</a>") == nil)
    #expect(document("<?xml version='1.0'?><!doctype a SYSTEM '\(proxy.url)'><a/>") == nil)
    #expect(proxy.requests.isEmpty)
  }
}
