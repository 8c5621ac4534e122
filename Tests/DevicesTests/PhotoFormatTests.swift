import Devices
import Testing

@Suite struct PhotoFormatTests {
  @Test func `formats are read from their words`() throws {
    #expect(try PhotoFormat.formats(["jpeg"]) == [.jpeg])
    #expect(try PhotoFormat.formats(["dng", "jpeg"]) == [.jpeg, .dng])
  }

  @Test(
    arguments: [
      (["jpeg", "tiff"], "The value \"tiff\" of \"formats\" is unknown; there are: jpeg, dng."),
      (["dng"], "The value of \"formats\" must have jpeg; a photo always has that file."),
      ([], "The value of \"formats\" must have jpeg; a photo always has that file."),
    ] as [([String], String)])
  func `other formats are refused`(words: [String], sentence: String) {
    let error = #expect(throws: InvalidValue.self) { try PhotoFormat.formats(words) }
    #expect(error?.description == sentence)
  }
}
