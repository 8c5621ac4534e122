import ArgumentParser
import Devices
import Foundation
import Platen
import Spool
import Upload

/// Uploads to a server on the loopback interface beside the `curl` command, and a long drain.
struct UploadBenchmark: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "upload",
    abstract: "Uploads to a WebDAV server beside curl for the same files, and a long drain.")

  @Option(help: "A WebDAV collection; board/bench upload starts a server for it.")
  var url: String

  @Option(help: "Pictures that are measured.")
  var pictures = 200

  @Option(help: "Bytes of a picture.")
  var bytes = 800_000

  @Option(help: "Pictures of the drain over which the memory is watched.")
  var drain = 10_000

  @Option(help: "A directory for the spool; its file system is part of what is measured.")
  var directory =
    NSTemporaryDirectory() + "platen-bench-\(ProcessInfo.processInfo.processIdentifier)"

  func run() async throws {
    defer { try? FileManager.default.removeItem(atPath: directory) }
    try FileManager.default.createDirectory(
      atPath: directory, withIntermediateDirectories: true)
    let total = Double(pictures * bytes) / 1e6
    let curl = try curlSeconds()
    print("\(pictures) pictures of \(bytes) bytes to \(url)")
    print("| how | MB a second | multiple of curl's time |")
    print("|---|---|---|")
    print("| one curl, the same files, PUT only | \((total / curl).twoDecimals) | 1.00 |")
    for (name, verification, parallel) in [
      ("hash, PUT, MOVE, receipt; one at a time", Upload.Receipt.Verification.statusOnly, 1),
      ("hash, PUT, read back, MOVE, receipt; one at a time", .readBack, 1),
      ("hash, PUT, read back, MOVE, receipt; two at once", .readBack, 2),
    ] {
      let seconds = try await deliver(
        pictures, bytes, verification: verification, parallel: parallel
      ).seconds
      print("| \(name) | \((total / seconds).twoDecimals) | \((seconds / curl).twoDecimals) |")
    }
    let (seconds, memory) = try await deliver(
      drain, 20_000, verification: .readBack, parallel: 2)
    print("")
    print(
      """
      drain of \(drain) pictures of 20000 bytes: \((Double(drain) / seconds).twoDecimals) a second, \
      memory \(memory.first.twoDecimals) MiB at the start, \(memory.most.twoDecimals) at most, \
      \(memory.last.twoDecimals) at the end (limit 256)
      """)
  }

  /// The time of one `curl` that sends as many files over one connection.
  private func curlSeconds() throws -> Double {
    let files = directory + "/files"
    try FileManager.default.createDirectory(atPath: files, withIntermediateDirectories: true)
    var configuration = ""
    for number in 0..<pictures {
      let path = files + "/\(number).jpg"
      let picture = BenchmarkSpool.picture(bytes: bytes, number: number)
      try Data(picture.bytes).write(to: URL(fileURLWithPath: path))
      configuration += "upload-file = \"\(path)\"\nurl = \"\(url)curl-\(number).jpg\"\n"
    }
    let list = directory + "/curl.conf"
    try configuration.write(toFile: list, atomically: false, encoding: .utf8)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/curl")
    process.arguments = ["-sS", "--fail", "-K", list]
    process.standardOutput = FileHandle.nullDevice
    let clock = SystemMonotonicClock()
    let began = clock.now
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw ValidationError("curl ended with \(process.terminationStatus)")
    }
    return began.duration(to: clock.now).inMilliseconds / 1000
  }

  /// The memory of this process during a drain, in MiB.
  private struct Memory {
    var first: Double
    var most: Double
    var last: Double
  }

  /// Stores pictures and delivers them all.
  private func deliver(
    _ count: Int, _ bytes: Int, verification: Upload.Receipt.Verification, parallel: Int
  ) async throws -> (seconds: Double, memory: Memory) {
    let path = directory + "/spool-\(count)-\(verification.rawValue)-\(parallel)"
    let spool = try await BenchmarkSpool.open(path)
    for number in 0..<count {
      _ = try await spool.store(BenchmarkSpool.picture(bytes: bytes, number: number))
    }
    let target = try WebDAVTarget(WebDAVConfiguration(url: url, verification: verification))
    let uploader = Uploader(
      queue: SpoolDeliveryQueue(spool: spool, target: .primary), target: target,
      policy: UploadPolicy(parallelDeliveries: parallel, startJitter: .zero),
      logger: BenchmarkSpool.logger)
    let clock = SystemMonotonicClock()
    var memory = Memory(
      first: ResidentMemory.mebibytes, most: 0, last: 0)
    let began = clock.now
    let running = Task { await uploader.run() }
    while uploader.status.counters.delivered < count {
      try await clock.sleep(for: .milliseconds(count > 1000 ? 50 : 2))
      memory.most = max(memory.most, ResidentMemory.mebibytes)
    }
    let seconds = began.duration(to: clock.now).inMilliseconds / 1000
    memory.last = ResidentMemory.mebibytes
    running.cancel()
    await running.value
    await spool.close()
    try FileManager.default.removeItem(atPath: path)
    return (seconds, memory)
  }
}
