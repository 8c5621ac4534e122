import Testing

@testable import Doctor

@Suite struct StorageCheckTests {
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
    let table = MountTable(
      """
      /dev/root / ext4 ro,relatime 0 0
      /dev/a /var/lib ext4 rw,errors=remount-ro 0 0
      /dev/b /srv/my\\040spool ext4 ro 0 0
      /dev/c /mnt/twice ext4 rw 0 0
      /dev/d /mnt/twice ext4 ro 0 0
      nonsense
      """)
    let mount = try #require(table.mount(of: directory))
    #expect(mount.point == point)
    #expect(mount.isReadOnly == isReadOnly)
  }

  @Test func `a list that a person wrote is read, too`() {
    let table = MountTable("# /dev/x /data ext4 rw 0 2\nUUID=1\t/data\text4 noatime,ro\t0 2\n")
    #expect(
      table.mounts == [
        MountTable.Mount(
          device: "UUID=1", point: "/data", type: "ext4", options: ["noatime", "ro"])
      ])
  }

  /// The lists of swap space and of zram's files, and what of it is on the card.
  static let swaps: [(String, String, [String])] = [
    ("/dev/zram0", "none", []), ("/dev/sda2", "none", []), ("/swap/file", "none", []),
    ("/dev/mmcblk0p4", "none", ["/dev/mmcblk0p4"]), ("/var/swap", "none", ["/var/swap"]),
    ("/dev/zram0", "/dev/loop0", ["/var/swap"]), ("/dev/zram0", "/dev/sda3", []),
  ]

  @Test(arguments: swaps)
  func `swap space on the card is found, also behind compressed memory`(
    _ area: String, _ backing: String, _ onCard: [String]
  ) throws {
    let machine = try FakeMachine()
    try machine.write(
      "Filename\tType\tSize\tUsed\tPriority\n\(area) file 204796 0 -2\n", to: "/proc/swaps")
    try machine.write(backing + "\n", to: "/sys/block/zram0/backing_dev")
    try machine.write("/var/swap\n", to: "/sys/block/loop0/loop/backing_file")
    let mounts = MountTable("/dev/mmcblk0p2 / ext4 rw 0 0\n/dev/sda1 /swap ext4 rw 0 0\n")
    #expect(SwapSpace(files: machine.files, mounts: mounts).onCard == onCard)
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
