import Testing

@testable import Spool

struct CapacityTests {
  /// A picture, 1000 bytes by default, that is to be stored in a spool.
  struct Case: Sendable {
    var bytes: Int64 = 1000
    var kept: Int64 = 0
    var items = 0
    var free: Int64 = 2_000_000
    var files: Int64?
    /// The bytes and items that are too many; `nil` when the picture fits.
    var goes: (bytes: Int64, items: Int)?
  }

  static let capacity = Capacity(
    minimumFreeBytes: 1_000_000, maximumBytes: 5000, maximumItems: 10)

  @Test(arguments: [
    Case(),
    Case(free: 1_000_000 + 1000 + Capacity.overheadBytes),
    Case(free: 1_000_000 + 999 + Capacity.overheadBytes, goes: (1, 0)),
    Case(kept: 4000),
    Case(bytes: 1001, kept: 4000, goes: (1, 0)),
    Case(bytes: 9000, kept: 4000, goes: (8000, 0)),
    Case(items: 9),
    Case(items: 10, goes: (0, 1)),
    Case(items: 15, goes: (0, 6)),
    Case(files: 4),
    Case(files: 3, goes: (0, 2)),
    Case(files: 0, goes: (0, 2)),
    Case(free: 0, goes: (1_000_000 + 1000 + Capacity.overheadBytes, 0)),
  ])
  func `The room for a picture depends on bytes, reserve, limits and files`(scene: Case) {
    let shortage = Self.capacity.shortage(
      bytes: scene.bytes, kept: Tally.Items(count: scene.items, bytes: scene.kept),
      room: FileSystemRoom(freeBytes: scene.free, freeFiles: scene.files))
    #expect(shortage?.bytes == scene.goes?.bytes)
    #expect(shortage?.items == scene.goes?.items)
  }
}
