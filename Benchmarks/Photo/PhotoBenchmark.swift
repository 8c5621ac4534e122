import ArgumentParser
import Devices
import Foundation
import Imaging

/// The benchmark of merged frames, deferred pictures and raw colors beside their limits.
struct PhotoBenchmark: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "photo",
    abstract: "Merging of frames, deferred pictures, colors of raw files: all beside their limits.")

  @Option(help: "Rounds that are measured.")
  var rounds = 5

  @Option(help: "Threads for one picture.")
  var threads = min(2, ProcessInfo.processInfo.activeProcessorCount)

  @Option(help: "A directory for a spool; its file system is part of what is measured.")
  var directory =
    NSTemporaryDirectory() + "platen-bench-\(ProcessInfo.processInfo.processIdentifier)"

  func validate() throws {
    guard (1...1000).contains(rounds), (1...64).contains(threads) else {
      throw ValidationError("--rounds must be from 1 to 1000, and --threads from 1 to 64.")
    }
  }

  /// A row of the table.
  private struct Row {
    var name: String
    var frames: [NoisyFrame]
    /// Whether the noise is compared with the page's.
    var isCompared = true
    var merge: ([UnsafeRawBufferPointer], StreamFormat) throws -> MergedFrame
  }

  func run() async throws {
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let page = BenchmarkFrame(width: 4056, height: 3040)
    let rows = table(page)
    print("YUV 4:2:0, \(page.format.size), \(threads.counted("thread")), \(rounds) rounds")
    print("| what | median s | multiple of 1.5 s | MiB beyond frames | multiple of 64 MiB | dB |")
    print("|---|---|---|---|---|---|")
    // The frames of all rows live until the end, so that only merging changes the memory.
    let resident = ResidentMemory.mebibytes
    for row in rows { try measure(row, page, beyond: resident) }
    try await DeferredBenchmark(
      page: page, threadCount: threads, rounds: rounds, directory: directory
    ).run()
    let differences = try await ChartDevelopment.differences()
    let worst = differences.max() ?? 0
    print("\nDNG file of a chart of colors, developed by \(ChartDevelopment.program)")
    print("| patches | median ΔE2000 | largest ΔE2000 | multiple of 2 |")
    print("|---|---|---|---|")
    print(
      "| \(differences.count) | \(differences.median.twoDecimals) | \(worst.twoDecimals) | "
        + "\((worst / 2).twoDecimals) |")
  }

  private func table(_ page: BenchmarkFrame) -> [Row] {
    let count = threads
    let average = Row(
      name: "average of 5 frames", frames: (1...5).map { NoisyFrame(page, seed: $0) },
      merge: { try FrameAveraging.average($0, format: $1, threadCount: count) })
    var moving = average
    moving.name = "average of 5 frames, moving hand"
    moving.frames = (0..<5).map { NoisyFrame(page, seed: $0 + 11, handAt: $0) }
    let fusion = Row(
      name: "fusion of 3 exposures",
      frames: [0.25, 0.5, 1].map { NoisyFrame(page, seed: Int($0 * 100), gain: $0) },
      isCompared: false,
      merge: { try ExposureFusion.fuse($0, format: $1, threadCount: count) })
    let stack = Row(
      name: "stack of 3 focus distances", frames: Array(average.frames.prefix(3)),
      isCompared: false,
      merge: { try FocusStacking.stack($0, format: $1, threadCount: count) })
    return [average, moving, fusion, stack]
  }

  private func measure(_ row: Row, _ page: BenchmarkFrame, beyond resident: Double) throws {
    let clock = SystemMonotonicClock()
    let frames = row.frames.map { UnsafeRawBufferPointer($0.bytes) }
    var seconds: [Double] = []
    var decibels = "-"
    ResidentMemory.forgetPeak()
    for round in 0...rounds {
      let began = clock.now
      let merged = try row.merge(frames, page.format)
      let passed = began.duration(to: clock.now).inMilliseconds / 1000
      // The first round touches the memory.
      if round > 0 { seconds.append(passed) }
      if round == 0, row.isCompared {
        let left = merged.bytes.withUnsafeBytes { NoisyFrame.meanSquare($0, page) }
        decibels = (10 * log10(NoisyFrame.meanSquare(frames[0], page) / left)).twoDecimals
      }
    }
    let beyond = ResidentMemory.peakMebibytes - resident
    print(
      "| \(row.name) | \(seconds.median.twoDecimals) | "
        + "\((seconds.median / 1.5).twoDecimals) | \(beyond.twoDecimals) | "
        + "\((beyond / 64).twoDecimals) | \(decibels) |")
  }
}
