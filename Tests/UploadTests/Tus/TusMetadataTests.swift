import Testing

@testable import Upload

@Suite struct TusMetadataTests {
  @Test func `an item's metadata is written sorted by name`() {
    let delivery = PendingDelivery(
      id: "0001-1-a", path: "/x", byteCount: 3, sha256: "00ff", remoteName: "2026/ü.jpg",
      contentType: "image/jpeg",
      metadata: ["boot": "3", "empty": "", "a,b": "x", "": "y", "filename": "theirs"])
    #expect(
      TusMetadata.make(delivery) == """
        boot Mw==,empty,filename w7wuanBn,filetype aW1hZ2UvanBlZw==,item MDAwMS0xLWE=,\
        relativePath MjAyNi/DvC5qcGc=,sha256 MDBmZg==
        """)
  }
}
