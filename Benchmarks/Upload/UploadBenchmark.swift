import ArgumentParser
import Devices
import Foundation
import Service
import Spool
import Upload

/// The benchmark of uploads beside `curl`, and of a long drain.
struct UploadBenchmark: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "upload",
    abstract: "Uploads to a WebDAV server beside curl for the same files, and a long drain.")

  @Option(help: "A WebDAV collection; board/bench upload starts a server for it.")
  var url: String

  @Option(help: "The server's log, with lines of connection and user agent; counts requests.")
  var log: String?

  @Option(help: "Pictures that are measured.")
  var pictures = 200

  @Option(help: "Bytes of a picture.")
  var bytes = 800_000

  @Option(help: "How often each way is measured, in turns with curl.")
  var rounds = 1

  @Option(help: "Pictures of the drain over which the memory is watched; 0 for no drain.")
  var drain = 10_000

  @Option(help: "A directory for the spool; its file system is part of what is measured.")
  var directory =
    NSTemporaryDirectory() + "platen-bench-\(ProcessInfo.processInfo.processIdentifier)"

  func validate() throws {
    guard pictures > 0, bytes > 0, rounds > 0, drain >= 0 else {
      throw ValidationError("the numbers of pictures, bytes and rounds are above 0")
    }
  }

  func run() async throws {
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let files = try makeFiles()
    let plain = try CurlPeer([.put], files: files, url: url, list: directory + "/plain.conf")
    print("\(pictures) pictures of \(bytes) bytes to \(url), in \(rounds) rounds")
    print(
      """
      | sequence | ms a picture | multiple of curl, PUT only | multiple of curl, the same requests \
      | requests a picture | connections | readings of a picture |
      """)
    print("|---|---|---|---|---|---|---|")
    for way in UploadWay.all {
      let figures = try await measure(way, plain, files)
      print("| \(way.name) | \(figures.cells(pictures: pictures, bytes: bytes)) |")
    }
    if drain > 0 { try await watchDrain() }
  }

  /// Makes the pictures for all ways of sending; returns their paths.
  private func makeFiles() throws -> [String] {
    try FileManager.default.createDirectory(
      atPath: directory + "/files", withIntermediateDirectories: true)
    return try (0..<pictures).map { number in
      let path = directory + "/files/\(number).jpg"
      let picture = BenchmarkSpool.picture(bytes: bytes, number: number)
      try Data(picture.bytes).write(to: URL(fileURLWithPath: path))
      return path
    }
  }

  /// Measures a way in turns with the peers, which run before and after each round.
  private func measure(
    _ way: UploadWay, _ plain: CurlPeer, _ files: [String]
  ) async throws -> UploadFigures {
    let same = try CurlPeer(way.requests, files: files, url: url, list: directory + "/same.conf")
    let requests = RequestLog(path: log)
    let earlier = try requests.connections().count
    var figures = UploadFigures()
    var before = (plain: try plain.seconds(), same: try same.seconds())
    for _ in 0..<rounds {
      let spool = try await filledSpool(pictures) {
        try [UInt8](Data(contentsOf: URL(fileURLWithPath: files[$0])))
      }
      let read = FileReading.byteCount
      let seconds = try await deliver(pictures, from: spool, way, pause: .milliseconds(2))
      if let sum = figures.bytesRead, let read, let now = FileReading.byteCount {
        figures.bytesRead = sum + now - read
      } else {
        figures.bytesRead = nil
      }
      try await remove(spool)
      let after = (plain: try plain.seconds(), same: try same.seconds())
      figures.seconds.append(seconds)
      figures.toPlain.append(2 * seconds / (before.plain + after.plain))
      figures.toSame.append(2 * seconds / (before.same + after.same))
      before = after
    }
    // The server has logged our requests before it took curl's.
    figures.connections = Array(try requests.connections().dropFirst(earlier))
    return figures
  }

  /// Delivers many small pictures and prints the rate and the memory.
  private func watchDrain() async throws {
    let spool = try await filledSpool(drain) {
      BenchmarkSpool.picture(bytes: 20_000, number: $0).bytes
    }
    let first = ResidentMemory.mebibytes
    var most = first
    let way = UploadWay(verification: .readBack, parallel: 2)
    let seconds = try await deliver(drain, from: spool, way, pause: .milliseconds(50)) {
      most = max(most, ResidentMemory.mebibytes)
    }
    let last = ResidentMemory.mebibytes
    try await remove(spool)
    print("")
    print(
      """
      drain of \(drain) pictures of 20000 bytes: \((Double(drain) / seconds).twoDecimals) a second, \
      memory \(first.twoDecimals) MiB at the start, \(most.twoDecimals) at most, \
      \(last.twoDecimals) at the end (limit 256)
      """)
  }

  private var spoolDirectory: String { directory + "/spool" }

  /// Opens a spool and stores pictures in it.
  private func filledSpool(_ count: Int, picture: (Int) throws -> [UInt8]) async throws -> Spool {
    let spool = try await BenchmarkSpool.open(spoolDirectory)
    for number in 0..<count {
      _ = try await spool.store(BenchmarkSpool.item(try picture(number), number: number))
    }
    return spool
  }

  private func remove(_ spool: Spool) async throws {
    await spool.close()
    try FileManager.default.removeItem(atPath: spoolDirectory)
  }

  /// Delivers all pictures of a spool, and returns the time in seconds.
  ///
  /// - Parameters:
  ///   - pause: the time between two looks at the progress.
  ///   - look: is called at each look.
  private func deliver(
    _ count: Int, from spool: Spool, _ way: UploadWay, pause: Duration, look: () -> Void = {}
  ) async throws -> Double {
    var configuration = WebDAVConfiguration()
    configuration.url = url
    configuration.verification = way.verification
    let target = try WebDAVTarget(configuration)
    let uploader = Uploader(
      queue: SpoolDeliveryQueue(spool: spool, target: .primary), target: target,
      policy: UploadPolicy(parallelDeliveries: way.parallel, startJitter: .zero),
      logger: BenchmarkSpool.logger)
    let clock = SystemMonotonicClock()
    let began = clock.now
    let running = Task { await uploader.run() }
    while uploader.status.counters.delivered < count {
      guard uploader.status.counters.failures == 0 else {
        throw ValidationError("a delivery failed: \(uploader.status.activity)")
      }
      try await clock.sleep(for: pause)
      look()
    }
    let seconds = began.duration(to: clock.now).inMilliseconds / 1000
    running.cancel()
    await running.value
    return seconds
  }
}
