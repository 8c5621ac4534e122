import API
import Capture
import Devices

@testable import Doctor
@testable import Spool

/// Faults of the drive and of the spool's index.
extension PlantedFault {
  static let ofStorage: [PlantedFault] = [
    .init(
      name: "disk full", part: .storage, code: "storageFull", digits: "3-1",
      advice: "Connect the network", plant: reason(.storageFull)),
    .init(
      name: "disk full without a service", isServiceRunning: false, part: .storage,
      code: "storageFull", digits: "3-1", advice: "Connect the network",
      plant: { evidence, _ in
        evidence.room = { _ in StorageCheck.Room(freeBytes: 1 << 20, totalBytes: 30 << 30) }
      }),
    .init(
      name: "disk almost full", part: .storage, verdict: .warning, code: "storageAlmostFull",
      advice: "Check that uploads run",
      plant: { evidence, _ in
        evidence.room = { _ in StorageCheck.Room(freeBytes: 300 << 20, totalBytes: 30 << 30) }
      }),
    .init(
      name: "disk stalled", part: .storage, code: "storageStalled", digits: "3-2",
      advice: "Wait a minute", plant: reason(.storageStalled)),
    .init(
      name: "disk failed", part: .storage, code: "storageFailed", digits: "3-3",
      advice: "Copy the pictures away", plant: reason(.storageFailed)),
    .init(
      name: "read-only disk", isServiceRunning: false, part: .storage, code: "storageReadOnly",
      digits: "3-3", advice: "Start the machine anew",
      plant: { _, machine in
        try machine.write(
          "/dev/root / ext4 rw 0 0\n/dev/mmcblk0p3 /var/lib ext4 ro,noatime 0 0",
          to: "/proc/self/mounts")
      }),
    .init(
      name: "errors of the file system", part: .storage, code: "storageErrors",
      advice: "Copy the pictures away",
      plant: { _, machine in
        try machine.write("3", to: "/sys/fs/ext4/mmcblk0p3/errors_count")
        try machine.write("1795219000", to: "/sys/fs/ext4/mmcblk0p3/last_error_time")
      }),
    .init(
      name: "older errors of the file system", part: .storage, verdict: .warning,
      code: "storageErrors", advice: "Copy the pictures away",
      plant: { _, machine in
        try machine.write("3", to: "/sys/fs/ext4/mmcblk0p3/errors_count")
        try machine.write("1795000000", to: "/sys/fs/ext4/mmcblk0p3/last_error_time")
      }),
    .init(
      name: "spool missing", isServiceRunning: false, part: .storage, code: "storageUnusable",
      digits: "3-3", advice: "Check that the spool's drive",
      plant: { evidence, _ in evidence.room = { _ in nil } }),
    .init(
      name: "data partition not mounted", isServiceRunning: false, part: .storage,
      code: "storageUnusable", digits: "3-3", advice: "Check that the spool's drive",
      plant: { _, machine in
        try machine.write(
          "UUID=1 /var/lib/platen ext4 noatime,errors=remount-ro,nofail 0 2\n", to: "/etc/fstab")
      }),
    .init(
      name: "spool in memory", part: .storage, verdict: .warning, code: "storageVolatile",
      advice: "Copy the pictures away",
      plant: { _, machine in
        let overlay =
          "overlayroot / overlay rw,lowerdir=/media/root-ro,upperdir=/media/root-rw/overlay 0 0"
        try machine.write(
          "tmpfs /media/root-rw tmpfs rw 0 0\n\(overlay)\n", to: "/proc/self/mounts")
      }),
    .init(
      name: "swap on the card", part: .storage, verdict: .warning, code: "swapOnCard",
      advice: "Let an administrator",
      plant: { _, machine in
        try machine.write(
          "Filename\tType\tSize\tUsed\tPriority\n/var/lib/swap\tfile\t204796\t0\t-2\n",
          to: "/proc/swaps")
      }),
    .init(
      name: "database corrupt", isServiceRunning: false, part: .index, code: "indexDamaged",
      digits: "3-3", advice: "Restart the service",
      plant: { evidence, _ in
        evidence.index = {
          .inspected(SpoolInspection(index: .damaged("database disk image is malformed")))
        }
      }),
    .init(
      name: "database made anew", part: .index, verdict: .warning, code: "indexRebuilt",
      advice: "Replace the card",
      plant: { evidence, _ in
        let report = SpoolReport(waiting: 1, delivered: 2, quarantined: 0, bytesWaiting: 4)
        evidence.index = { .open(report, brokenIndex: "database disk image is malformed") }
      }),
    .init(
      name: "newer database", isServiceRunning: false, part: .index, code: "indexNewer",
      digits: "3-3", advice: "Install the newer version",
      plant: { evidence, _ in evidence.index = { .inspected(SpoolInspection(index: .newer(9))) } }),
    .init(
      name: "quarantined pictures", part: .index, verdict: .warning, code: "picturesQuarantined",
      advice: "Look at them",
      plant: { evidence, _ in
        let report = SpoolReport(waiting: 1, delivered: 2, quarantined: 3, bytesWaiting: 4)
        evidence.index = { .open(report, brokenIndex: nil) }
      }),
  ]
}
