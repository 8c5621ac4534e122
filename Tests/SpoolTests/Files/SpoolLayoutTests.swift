import Testing

@testable import Spool

struct SpoolLayoutTests {
  static let id = ItemID(boot: 1, sequence: 2, random: 0xff)

  @Test(arguments: [
    ("\(id).jpg", SpoolLayout.Name.image(id, fileExtension: "jpg")),
    ("\(id).json", .sidecar(id)),
    (".\(id).jpg.part", .part),
    (".\(id).json.part", .part),
    ("\(id).jpg.part", .foreign), (".\(id).jpg", .foreign), ("\(id)", .foreign),
    ("\(id).", .foreign), ("\(id).JPG", .foreign), ("\(id).part", .foreign),
    ("x\(id).jpg", .foreign), (".part", .foreign), ("..", .foreign), ("", .foreign),
    (".\(id).part", .foreign), ("2-\(id).jpg", .foreign),
  ])
  func `Names in a shard are distinguished by kind`(text: String, name: SpoolLayout.Name) {
    #expect(SpoolLayout.name(text, in: "ff") == name)
  }

  @Test func `A name in another shard is not the spool's`() {
    #expect(SpoolLayout.name("\(Self.id).jpg", in: "fe") == .foreign)
  }

  @Test func `Paths of an item are made from its ID`() {
    let layout = SpoolLayout(root: "/r")
    #expect(layout.image(Self.id, "jpg") == "/r/items/ff/\(Self.id).jpg")
    #expect(layout.sidecar(Self.id) == "/r/items/ff/\(Self.id).json")
    #expect(layout.part(Self.id, "jpg") == "/r/items/ff/.\(Self.id).jpg.part")
    #expect(SpoolLayout.shards.count == 256)
    #expect(SpoolLayout.shards.contains(Self.id.shard))
  }
}
