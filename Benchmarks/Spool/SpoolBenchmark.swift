import ArgumentParser
import Devices
import Foundation
import Spool

/// The benchmark of durable enqueues beside the bare system calls, and with a growing history.
struct SpoolBenchmark: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "spool",
    abstract: "Durable enqueues beside bare write, fsync, rename and fsync of the directory.")

  @Option(help: "Pictures that are measured.")
  var pictures = 200

  @Option(help: "Bytes of a picture.")
  var bytes = 800_000

  @Option(help: "Delivered pictures in the history, comma-separated.")
  var histories = "1000,100000,1000000"

  @Option(help: "Waiting pictures at a start, comma-separated, for example 100000,1000000.")
  var waiting = ""

  @Option(help: "A directory for the spool; its file system is part of what is measured.")
  var directory =
    NSTemporaryDirectory() + "platen-bench-\(ProcessInfo.processInfo.processIdentifier)"

  func run() async throws {
    defer { try? FileManager.default.removeItem(atPath: directory) }
    try FileManager.default.createDirectory(
      atPath: directory, withIntermediateDirectories: true)
    try await enqueues()
    try await history()
    if !waiting.isEmpty { try await start() }
  }

  /// Starts with a long queue, on a file system that permits that many links, such as tmpfs.
  private func start() async throws {
    print("")
    print("| waiting | start ms | memory MiB | claim ms |")
    print("|---|---|---|---|")
    let clock = SystemMonotonicClock()
    for count in waiting.split(separator: ",").compactMap({ Int($0) }) {
      let path = directory + "/waiting-\(count)"
      try await HistoryFiller(directory: path, isWaiting: true).fill(count)
      let before = ResidentMemory.mebibytes
      let began = clock.now
      let spool = try await BenchmarkSpool.open(path)
      let opened = clock.now
      guard try await spool.nextDelivery() != nil else { break }
      let figures = [
        began.duration(to: opened).inMilliseconds, ResidentMemory.mebibytes - before,
        opened.duration(to: clock.now).inMilliseconds,
      ].map(\.twoDecimals)
      print("| \(count) | \(figures.joined(separator: " | ")) |")
      await spool.close()
      try FileManager.default.removeItem(atPath: path)
    }
  }

  /// Alternates between the spool and the bare calls, so that both see the same disk.
  private func enqueues() async throws {
    let clock = SystemMonotonicClock()
    // A spool makes its directories once in its life, and the bare calls already have theirs.
    for number in 0..<256 {
      try FileManager.default.createDirectory(
        atPath: directory + String(format: "/enqueue/items/%02x", number),
        withIntermediateDirectories: true)
    }
    let spool = try await BenchmarkSpool.open(directory + "/enqueue")
    let bare = try BareStore(directory: directory + "/bare")
    var spoolTimes: [Double] = []
    var bareTimes: [Double] = []
    for number in 0..<(pictures + 10) {
      let picture = BenchmarkSpool.picture(bytes: bytes, number: number)
      let began = clock.now
      _ = try await spool.store(picture)
      let middle = clock.now
      try bare.store(picture.bytes, number: number)
      // The first pictures warm up.
      guard number >= 10 else { continue }
      spoolTimes.append(began.duration(to: middle).inMilliseconds)
      bareTimes.append(middle.duration(to: clock.now).inMilliseconds)
    }
    await spool.close()
    let ratio = spoolTimes.median / bareTimes.median
    print("\(pictures) pictures of \(bytes) bytes")
    print("| step | median ms | a second | multiple of the bare calls |")
    print("|---|---|---|---|")
    print(row("spool: image, sidecar, row", spoolTimes.median, ratio))
    print(row("bare write, fsync, rename, fsync of the directory", bareTimes.median, 1))
  }

  private func row(_ name: String, _ milliseconds: Double, _ ratio: Double) -> String {
    let rate = milliseconds > 0 ? 1000 / milliseconds : 0
    return "| \(name) | \(milliseconds.twoDecimals) | \(rate.twoDecimals) | \(ratio.twoDecimals) |"
  }

  private func history() async throws {
    print("")
    print("| delivered in history | enqueue ms | claim ms | start ms | memory MiB | database MB |")
    print("|---|---|---|---|---|---|")
    let clock = SystemMonotonicClock()
    for count in histories.split(separator: ",").compactMap({ Int($0) }) {
      let path = directory + "/history-\(count)"
      try await HistoryFiller(directory: path).fill(count)
      // The pending writes of the filling must not count for the spool.
      sync()
      let began = clock.now
      let spool = try await BenchmarkSpool.open(path)
      let start = began.duration(to: clock.now).inMilliseconds
      var enqueues: [Double] = []
      var claims: [Double] = []
      for number in 0..<100 {
        let picture = BenchmarkSpool.picture(bytes: 50_000, number: number)
        let before = clock.now
        _ = try await spool.store(picture)
        let between = clock.now
        guard let delivery = try await spool.nextDelivery() else { break }
        enqueues.append(before.duration(to: between).inMilliseconds)
        claims.append(between.duration(to: clock.now).inMilliseconds)
        try await spool.complete(delivery.id, receipt: BenchmarkSpool.receipt(delivery))
      }
      let memory = ResidentMemory.mebibytes
      await spool.close()
      let attributes = try FileManager.default.attributesOfItem(atPath: path + "/queue.db")
      let size = (attributes[.size] as? NSNumber)?.doubleValue ?? 0
      let figures = [enqueues.median, claims.median, start, memory, size / 1e6].map(\.twoDecimals)
      print("| \(count) | \(figures.joined(separator: " | ")) |")
      try FileManager.default.removeItem(atPath: path)
    }
  }
}

/// The minimum of system calls for durability.
struct BareStore {
  let directory: String
  private let descriptor: Int32

  init(directory: String) throws {
    self.directory = directory
    try FileManager.default.createDirectory(
      atPath: directory, withIntermediateDirectories: true)
    descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
  }

  func store(_ bytes: [UInt8], number: Int) throws {
    let part = directory + "/.\(number).part"
    let file = open(part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o640)
    guard file >= 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    defer { close(file) }
    guard write(file, bytes, bytes.count) == bytes.count, fsync(file) == 0,
      rename(part, directory + "/\(number).jpg") == 0, fsync(descriptor) == 0
    else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
  }
}
