import Testing

@testable import Platen

@Suite struct StorageCheckTests {
  private func check(_ directory: String, _ machine: FakeMachine) -> StorageCheck {
    StorageCheck(
      directory: directory, minimumFreeBytes: 1 << 28, reasons: [], files: machine.files, now: 0,
      room: { _ in nil })
  }

  /// A directory, and the mount that it is in.
  static let mounts: [(String, String, Bool)] = [
    ("/var/lib/platen", "/var/lib", false), ("/var/library", "/", true),
    ("/var/lib", "/var/lib", false), ("/srv/my spool/x", "/srv/my spool", true),
    ("/mnt/twice/spool", "/mnt/twice", true),
  ]

  @Test(arguments: mounts)
  func `the deepest and last mount counts`(
    _ directory: String, _ point: String, _ isReadOnly: Bool
  ) throws {
    let machine = try FakeMachine()
    try machine.write(
      """
      /dev/root / ext4 ro,relatime 0 0
      /dev/a /var/lib ext4 rw,errors=remount-ro 0 0
      /dev/b /srv/my\\040spool ext4 ro 0 0
      /dev/c /mnt/twice ext4 rw 0 0
      /dev/d /mnt/twice ext4 ro 0 0
      nonsense
      """, to: "/proc/self/mounts")
    let mount = try #require(check(directory, machine).mount)
    #expect(mount.point == point)
    #expect(mount.isReadOnly == isReadOnly)
  }

  /// Some file systems report all ones for an unknown number.
  @Test(
    arguments: [
      (0, 4096, 0), (10, 4096, 40_960), (.max, 4096, .max), (.max, 1, .max), (1 << 52, 4096, .max),
    ] as [(UInt, UInt, Int64)])
  func `any number of blocks is converted to bytes`(
    _ blocks: UInt, _ blockBytes: UInt, _ bytes: Int64
  ) {
    #expect(StorageCheck.Room.bytes(blocks, blockBytes) == bytes)
  }

  @Test func `the room is read from the kernel`() {
    let room = StorageCheck.Room.of("/proc")
    #expect(room != nil)
    #expect(StorageCheck.Room.of("/nonexistent") == nil)
  }
}
