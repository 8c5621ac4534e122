/// The swap space of the machine, and the place of each part.
///
/// Sources: proc_swaps(5); `backing_dev` in Documentation/admin-guide/blockdev/zram.rst.
struct SwapSpace {
  let files: KernelFiles
  let mounts: MountTable

  /// The files and partitions with swap space on an SD card or eMMC.
  ///
  /// Compressed memory (zram) may have a file to which the kernel moves unused pages;
  /// `/proc/swaps` does not list that file.
  var onCard: [String] {
    let areas = (files.read("/proc/swaps") ?? "").split(separator: "\n").dropFirst()
      .compactMap { line in line.split { $0 == " " || $0 == "\t" }.first }
      .map { MountTable.unescaped(String($0)) }
    let backing = files.names(in: "/sys/block").filter { $0.hasPrefix("zram") }.compactMap {
      files.read("/sys/block/\($0)/backing_dev")
    }
    return (areas + backing).map(place(of:)).filter(isOnCard)
  }

  /// Returns the file behind a loop device; any other path is returned as it is.
  private func place(of path: String) -> String {
    guard path.hasPrefix("/dev/loop") else { return path }
    return files.read("/sys/block/\(path.dropFirst(5))/loop/backing_file") ?? path
  }

  private func isOnCard(_ path: String) -> Bool {
    let card = "/dev/mmcblk"
    if path.hasPrefix("/dev/") { return path.hasPrefix(card) }
    return path.hasPrefix("/") && mounts.mount(of: path)?.device.hasPrefix(card) == true
  }
}
