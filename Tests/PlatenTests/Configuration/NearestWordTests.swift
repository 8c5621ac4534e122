import Testing

@testable import Platen

struct NearestWordTests {
  @Test(
    "The distance counts changed letters, a swap once",
    arguments: [
      ("", "", 0), ("a", "", 1), ("size", "sise", 1), ("size", "sizes", 1), ("size", "szie", 1),
      ("kitten", "sitting", 3), ("ab", "ba", 1), ("camera", "camrea", 1),
    ])
  func distance(_ first: String, _ second: String, _ distance: Int) {
    #expect(NearestWord.distance(first, second) == distance)
    #expect(NearestWord.distance(second, first) == distance)
  }

  @Test(
    "Only near words are guessed",
    arguments: [
      ("sise", "size"), ("frame-rate", "frame_rate"), ("pixelformats", "pixel_formats"),
      ("pixel", "pixel_formats"), ("zzz", nil), ("", nil), ("i", "id"),
      (String(repeating: "size", count: 100_000), nil),
    ] as [(String, String?)])
  func nearest(_ word: String, _ wanted: String?) {
    #expect(NearestWord.of(word, in: ["id", "size", "frame_rate", "pixel_formats"]) == wanted)
  }
}
