import Foundation
import GRDB
import Testing

@testable import Spool

struct ItemIndexTests {
  @Test func `An adopted item whose sequence number is taken gets the next one`() throws {
    let directory = TestDirectory()
    let index = try ItemIndex(path: directory.path + "/queue.db", files: KernelFileSystem())
    let metadata = NewItem.sample(1).metadata
    let ids = [(5, 1), (5, 2), (3, 3)].map {
      ItemID(boot: 1, sequence: Int64($0.0), random: UInt64($0.1))
    }
    try index.commit(.adopt(3)) { database in
      for id in ids {
        try ItemRow(
          id: id, fileExtension: "jpg", bytes: id.sequence,
          sha256: [UInt8](repeating: UInt8(id.random), count: 32), remoteName: "r/\(id)",
          metadata: metadata
        ).insert(database, targets: [.primary])
      }
    }
    #expect(try index.lastNumbers().sequence == 6)
    var order: [ItemID] = []
    while let next = try index.nextPending(
      target: .primary, isPassedOver: { order.contains($0) }
    ).next {
      order.append(next.row.id)
    }
    #expect(order == [ids[2], ids[0], ids[1]])
    try index.close()
  }

  @Test func `A done delivery without a receipt cannot be written`() throws {
    let directory = TestDirectory()
    let index = try ItemIndex(path: directory.path + "/queue.db", files: KernelFileSystem())
    let id = ItemID(boot: 1, sequence: 1, random: 1)
    #expect(throws: SpoolError.self) {
      try index.commit(.done(id)) { database in
        try ItemRow(
          id: id, fileExtension: "jpg", bytes: 1, sha256: [UInt8](repeating: 0, count: 32),
          remoteName: "r", metadata: NewItem.sample(1).metadata
        ).insert(database, targets: [.primary])
        try database.execute(sql: "UPDATE delivery SET state = 'done'")
      }
    }
    #expect(try index.row(id) == nil)
    try index.close()
  }
}
