import Testing

@testable import Spool

struct CapacityTests {
  @Test(arguments: [
    // bytes, waiting, free, files, fits
    (Int64(1000), Int64(0), Int64(2_000_000), Int64?.none, true),
    (1000, 0, 1_000_000 + 1000 + Capacity.overheadBytes, nil, true),
    (1000, 0, 1_000_000 + 999 + Capacity.overheadBytes, nil, false),
    (1000, 4000, 2_000_000, nil, true),
    (1001, 4000, 2_000_000, nil, false),
    (1000, 0, 2_000_000, 4, true),
    (1000, 0, 2_000_000, 3, false),
    (1000, 0, 0, nil, false),
  ])
  func `Room is for bytes, reserve, limit and files`(
    bytes: Int64, waiting: Int64, free: Int64, freeFiles: Int64?, fits: Bool
  ) {
    let capacity = Capacity(minimumFreeBytes: 1_000_000, maximumBytes: 5000)
    let room = FileSystemRoom(freeBytes: free, freeFiles: freeFiles)
    #expect((capacity.refusal(bytes: bytes, waiting: waiting, room: room) == nil) == fits)
  }
}
