import Testing

@testable import Imaging

@Suite struct NearDuplicatesTests {
  private func hash(ones: Int) -> PerceptualHash { PerceptualHash(bits: (1 << ones) - 1) }

  @Test func `the nearest picture within the threshold is found`() {
    var pictures = NearDuplicates(.init(threshold: 3, window: 10))
    #expect(pictures.match(for: hash(ones: 0)) == nil)
    pictures.add(hash(ones: 4), id: "four")
    #expect(pictures.match(for: hash(ones: 0)) == nil)
    pictures.add(hash(ones: 3), id: "three")
    #expect(
      pictures.match(for: hash(ones: 0)) == NearDuplicates.Match(id: "three", distance: 3))
    pictures.add(hash(ones: 10), id: "ten")
    #expect(pictures.match(for: hash(ones: 4)) == NearDuplicates.Match(id: "four", distance: 0))
    pictures.add(hash(ones: 4), id: "four again")
    #expect(pictures.match(for: hash(ones: 4))?.id == "four again", "the newest of equals")
  }

  @Test func `a full window forgets the oldest picture`() {
    var pictures = NearDuplicates(.init(threshold: 0, window: 2))
    for ones in 0..<3 { pictures.add(hash(ones: ones), id: "\(ones)") }
    #expect((0..<3).map { pictures.match(for: hash(ones: $0))?.id } == [nil, "1", "2"])
  }

  @Test func `an empty window finds no match`() {
    var pictures = NearDuplicates(.init(threshold: 64, window: 0))
    pictures.add(hash(ones: 0), id: "0")
    #expect(pictures.match(for: hash(ones: 0)) == nil)
  }
}
