import API
import Capture
import Devices
import Foundation
import TestSupport

@testable import Doctor
@testable import LinuxDevices
@testable import RigConfiguration
@testable import Spool

/// A machine of files in a directory of its own: /sys, /proc, /dev and /etc of a rig in order.
final class FakeMachine: Sendable {
  static let configuration = """
    rig: { id: rig-1 }
    board: linux
    shutter: { line: SHUTTER }
    accelerometer: { device: lis3dh }
    indicators:
      ready: { led: "rig:green:ready" }
      fault: { line: FAULT }
    lamp: { led: "rig:white:lamp" }
    movie: { enabled: true }
    thermal: { zones: [cpu-thermal] }
    spool: { directory: /var/lib/platen }
    targets:
      archive: { kind: webdav, url: "https://pages.example/dav/" }
      drive: { kind: directory, path: /media/drive }
    """

  /// Every file of the machine and its content.
  static let contents: [(path: String, text: String)] = [
    ("/etc/platen/platen.yaml", configuration),
    ("/etc/resolv.conf", "# by hand\nsearch example\nnameserver 192.168.1.1\n"),
    (
      "/proc/self/mounts",
      """
      /dev/root / ext4 rw,relatime 0 0
      /dev/mmcblk0p3 /var/lib ext4 rw,noatime 0 0
      /dev/sda1 /media/drive exfat rw 0 0

      """
    ),
    (
      "/proc/net/route",
      """
      Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT
      eth0\t00000000\t0101A8C0\t0003\t0\t0\t100\t00000000\t0\t0\t0
      eth0\t0001A8C0\t00000000\t0001\t0\t0\t100\t00FFFFFF\t0\t0\t0
      """
    ),
    ("/sys/class/net/lo/type", "772"), ("/sys/class/net/lo/carrier", "1"),
    ("/sys/class/net/eth0/type", "1"), ("/sys/class/net/eth0/carrier", "1"),
    ("/sys/class/net/eth0/operstate", "up"),
    ("/sys/class/leds/rig:green:ready/trigger", "none timer [pattern] mmc0"),
    ("/sys/class/leds/rig:green:ready/brightness", "0"),
    ("/sys/class/leds/rig:white:lamp/trigger", "[none] timer"),
    ("/sys/class/leds/rig:white:lamp/brightness", "0"),
    ("/sys/bus/iio/devices/iio:device0/name", "lis3dh"),
    ("/sys/bus/iio/devices/iio:device0/in_accel_x_raw", "-17"),
    ("/sys/bus/iio/devices/iio:device0/in_accel_y_raw", "4"),
    ("/sys/bus/iio/devices/iio:device0/in_accel_z_raw", "1021"),
    ("/sys/class/video4linux/video0/name", "unicam-image"),
    ("/sys/class/video4linux/video10/name", "bcm2835-codec-decode"),
    ("/sys/class/video4linux/video13/name", "bcm2835-isp-output0"),
    ("/sys/fs/ext4/mmcblk0p3/errors_count", "0"),
    ("/proc/swaps", "Filename\tType\tSize\tUsed\tPriority\n/dev/zram0\tpartition\t1\t0\t100\n"),
    ("/sys/block/zram0/backing_dev", "none\n"),
    ("/sys/class/watchdog/watchdog0/state", "active\n"),
    ("/sys/class/watchdog/watchdog0/timeout", "60\n"),
    ("/dev/media0", ""), ("/dev/media1", ""), ("/dev/video0", ""), ("/dev/video10", ""),
    ("/dev/video13", ""), ("/dev/dma_heap/system", ""),
    ("/media/drive/.platen-target", "drive\n"),
  ]

  private let directory = TemporaryDirectory(on: .memory)

  var root: String { directory.path }
  var files: KernelFiles { KernelFiles(root: root) }

  init() throws {
    for file in Self.contents + Self.deviceTree { try write(file.text, to: file.path) }
  }

  /// Writes a file that all users may read and write.
  func write(_ text: String, to path: String, mode: Int = 0o666) throws {
    try write(Array(text.utf8), to: path, mode: mode)
  }

  /// Makes a file of bytes.
  func write(_ bytes: [UInt8], to path: String, mode: Int = 0o666) throws {
    let url = URL(fileURLWithPath: root + path)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: url)
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: url.path)
  }

  /// Removes a file or a directory.
  func remove(_ path: String) throws {
    try FileManager.default.removeItem(atPath: root + path)
  }

  /// Returns the evidence of a rig in order, with a service or without.
  func evidence(isServiceRunning: Bool) throws -> DoctorEvidence {
    let configuration = try PlatenConfiguration.load(path: root + "/etc/platen/platen.yaml")
    let limits = ThermalLimitsReport(fair: 60, serious: 70, critical: 80, shutdown: 90)
    let thermal = ThermalReport(
      state: "nominal",
      temperatures: [TemperatureReport(zone: "cpu-thermal", celsius: 48.5, limits: limits)],
      firmware: ThrottleReport(now: [], sinceBoot: []))
    let index: SpoolIndexCheck.Evidence =
      isServiceRunning
      ? .open(Self.status(thermal).spool, brokenIndex: nil)
      : .inspected(SpoolInspection(index: .inOrder(waiting: 3, parked: 0, quarantined: 0)))
    return DoctorEvidence(
      path: "/etc/platen/platen.yaml", configuration: configuration,
      status: isServiceRunning ? Self.status(thermal) : nil,
      clock: WallClockReading(
        nanosecondsSinceEpoch: 1_795_219_200_000_000_000, trust: .synchronized, secondsFromGMT: 0),
      files: files, user: ServiceUser(name: "platen", userID: 12_345, groupIDs: [54_321]),
      lines: LineLook(isServiceRunning: isServiceRunning) { _ in
        .success(
          GPIOLineInfo(isUsed: isServiceRunning, consumer: isServiceRunning ? "platen" : nil))
      },
      addresses: { ["lo": ["127.0.0.1"], "eth0": ["192.168.1.20", "fe80::1%eth0"]] },
      room: { _ in StorageCheck.Room(freeBytes: 20 << 30, totalBytes: 30 << 30) },
      recorder: { .version(PlatenVersion.current) },
      flags: { .success(thermal.firmware) }, thermal: { thermal }, index: { index },
      targets: configuration.targets.map { section in
        var target = TargetCheck.Target(section)
        target.directory = target.directory.map { _ in "/media/drive" }
        target.parked = isServiceRunning ? 0 : nil
        return target
      },
      askNameServer: { _ in NameServerProbe.Answer(milliseconds: 12) },
      probe: {
        TargetProbeReport(
          target: $0.target, endpoint: "pages.example:443", addresses: ["192.0.2.1"],
          connectMilliseconds: 31, isSecured: true)
      })
  }

  /// Returns the status of a service in order.
  static func status(_ thermal: ThermalReport, buttonFaults: [String] = []) -> RigStatus {
    RigStatus(
      rig: "rig-1", version: PlatenVersion.current, board: "linux",
      readiness: ReadinessReport(state: "ready"),
      session: SessionReport(
        state: "running", camera: CameraReport(id: "/base/cam", model: "imx708"), framesSeen: 77,
        lastFrameAgeMilliseconds: 31, cameraRole: "main"),
      rotation: RotationReport(
        captureAngle: 0, previewAngle: 0, exifOrientation: 1, accelerometer: "ok",
        acceleration: [0, -9.8, 0]),
      thermal: thermal,
      spool: SpoolReport(waiting: 3, delivered: 5, quarantined: 0, bytesWaiting: 2_400_000),
      targets: [], presses: PressSummary(last: 8, stored: 8, refused: 0, inFlight: 0),
      lights: [
        LightReport(role: "ready", name: "rig:green:ready", state: "ready", shown: "steady"),
        LightReport(role: "fault", name: "FAULT", state: "inOrder", shown: "dark"),
      ],
      buttons: [ButtonReport(name: "shutter", faults: buttonFaults)], uptimeSeconds: 4000)
  }
}
