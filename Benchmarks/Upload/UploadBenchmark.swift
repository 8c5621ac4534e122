import ArgumentParser
import Devices
import Foundation
import Platen
import Spool
import Upload

/// The benchmark of uploads over the loopback interface beside `curl`, and of a long drain.
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
    try makeFiles()
    let total = Double(pictures * bytes) / 1e6
    print("\(pictures) pictures of \(bytes) bytes to \(url)")
    print("| how | MB a second | multiple of curl's time beside it |")
    print("|---|---|---|")
    for (name, verification, parallel) in [
      ("hash, PUT, MOVE, receipt; one at a time", Upload.Receipt.Verification.statusOnly, 1),
      ("hash, PUT, read back, MOVE, receipt; one at a time", .readBack, 1),
      ("hash, PUT, read back, MOVE, receipt; two at once", .readBack, 2),
    ] {
      // The peer runs before and after, so that neither has the warmer server.
      let before = try curlSeconds()
      let seconds = try await deliver(pictures, verification: verification, parallel: parallel) {
        try [UInt8](Data(contentsOf: URL(fileURLWithPath: file($0))))
      }.seconds
      let curl = (before + (try curlSeconds())) / 2
      print(row("one curl, the same files, PUT only", total / curl, 1))
      print(row(name, total / seconds, seconds / curl))
    }
    let (seconds, memory) = try await deliver(drain, verification: .readBack, parallel: 2) {
      BenchmarkSpool.picture(bytes: 20_000, number: $0).bytes
    }
    print("")
    print(
      """
      drain of \(drain) pictures of 20000 bytes: \((Double(drain) / seconds).twoDecimals) a second, \
      memory \(memory.first.twoDecimals) MiB at the start, \(memory.most.twoDecimals) at most, \
      \(memory.last.twoDecimals) at the end (limit 256)
      """)
  }

  private func row(_ name: String, _ rate: Double, _ multiple: Double) -> String {
    "| \(name) | \(rate.twoDecimals) | \(multiple.twoDecimals) |"
  }

  private func file(_ number: Int) -> String { directory + "/files/\(number).jpg" }

  /// Makes the pictures for all ways of sending, and curl's list of them.
  private func makeFiles() throws {
    try FileManager.default.createDirectory(
      atPath: directory + "/files", withIntermediateDirectories: true)
    var list = ""
    for number in 0..<pictures {
      let picture = BenchmarkSpool.picture(bytes: bytes, number: number)
      try Data(picture.bytes).write(to: URL(fileURLWithPath: file(number)))
      list += "upload-file = \"\(file(number))\"\nurl = \"\(url)curl-\(number).jpg\"\n"
    }
    try list.write(toFile: directory + "/curl.conf", atomically: false, encoding: .utf8)
  }

  /// Returns the time of one `curl` that sends the files over one connection.
  private func curlSeconds() throws -> Double {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/curl")
    process.arguments = ["-sS", "--fail", "-K", directory + "/curl.conf"]
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
    _ count: Int, verification: Upload.Receipt.Verification, parallel: Int,
    picture: (Int) throws -> [UInt8]
  ) async throws -> (seconds: Double, memory: Memory) {
    let path = directory + "/spool-\(count)-\(verification.rawValue)-\(parallel)"
    let spool = try await BenchmarkSpool.open(path)
    for number in 0..<count {
      _ = try await spool.store(BenchmarkSpool.item(try picture(number), number: number))
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
      guard uploader.status.counters.failures == 0 else {
        throw ValidationError("a delivery failed: \(uploader.status.activity)")
      }
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
