import ArgumentParser
import Devices
import Foundation
import Imaging

/// The benchmark of the encoder beside bare libjpeg-turbo on the same frames.
///
/// The benchmark measures one picture with several threads, several pictures at once, and smaller
/// copies.
struct EncodeBenchmark: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "encode",
    abstract: "Encoding of 1080p and 12 MP frames beside bare libjpeg-turbo in turns.")

  @Option(help: "Rounds that are measured; each does everything once.")
  var rounds = 30

  @Option(help: "JPEG quality, 1 to 100.")
  var quality = 90

  @Option(help: "Threads for one picture, besides 1 and 2.")
  var stripes = ProcessInfo.processInfo.activeProcessorCount

  @Option(help: "Sizes, WIDTHxHEIGHT.")
  var sizes = ["1920x1080", "4056x3040"]

  func run() async throws {
    print(
      "YUV 4:2:0, quality \(quality), \(ProcessInfo.processInfo.activeProcessorCount) cores, "
        + "\(rounds) rounds in turns; the peer has the same integer transform")
    for size in sizes {
      let sides = size.split(separator: "x").compactMap { Int($0) }
      guard sides.count == 2, sides.allSatisfy({ (16...10_000).contains($0) }) else {
        throw ValidationError("\"\(size)\" is no size; WIDTHxHEIGHT, 16 to 10000 each")
      }
      let frame = BenchmarkFrame(width: sides[0], height: sides[1])
      print("\n\(size)\n| what | median ms | best ms | multiple of bare | processor ms | kB |")
      print("|---|---|---|---|---|---|")
      var table = try EncodeTable()
      for round in 0...rounds {
        try await measure(frame, into: &table)
        // The first round touches the memory.
        if round == 0 { table.forget() }
      }
      table.print()
    }
  }

  private func measure(_ frame: BenchmarkFrame, into table: inout EncodeTable) async throws {
    let encoder = table.encoder
    let bare = table.bare(frame.format)
    try frame.bytes.withUnsafeBytes { bytes in
      table.measure("bare libjpeg-turbo") { bare.encode(bytes, quality: quality) }
      for count in Set([1, 2, stripes]).sorted() {
        try table.measure("ours, \(count) thread\(count == 1 ? "" : "s")") {
          try encoder.encode(
            bytes: bytes, format: frame.format, quality: quality, stripeCount: count
          ).count
        }
      }
      let document = Rendition.document.size(of: frame.format.size)
      try table.measure("copy for the document, 1 thread") {
        try ScaledFrame(of: bytes, format: frame.format, size: document).bytes.count
      }
      try table.measure("copy for the document, 2 threads") {
        try ScaledFrame(of: bytes, format: frame.format, size: document, threadCount: 2)
          .bytes.count
      }
      let photo = table.photoEncoder
      try table.measure("full, document and thumbnail with EXIF, \(stripes) threads") {
        try photo.encode(
          bytes: bytes, format: frame.format, exif: Self.exif, renditions: renditions,
          stripeCount: stripes
        ).reduce(0) { $0 + $1.bytes.count }
      }
    }
    // The number of simultaneous pictures is the number of cores; the time is for one of them.
    let pool = table.pool(coreCount: stripes)
    let count = stripes
    let full = RenditionSettings(rendition: .full, quality: .quality(quality))
    try await table.measure("\(count) pictures at once, for each", dividedBy: count) {
      try await withThrowingTaskGroup(of: Int.self) { group in
        for _ in 0..<count {
          group.addTask {
            try await pool.perform { encoder, _ in
              try frame.bytes.withUnsafeBytes { bytes in
                try encoder.encode(
                  bytes: bytes, format: frame.format, exif: Self.exif,
                  renditions: [full]
                )[0].bytes.count
              }
            }
          }
        }
        return try await group.reduce(0) { max($0, $1) }
      }
    }
  }

  private var renditions: [RenditionSettings] {
    [
      RenditionSettings(rendition: .full, quality: .quality(quality), embedsThumbnail: true),
      RenditionSettings(rendition: .document, quality: .quality(quality)),
      RenditionSettings(rendition: .thumbnail, quality: .quality(quality)),
    ]
  }

  private static let exif = EXIFMetadata(
    orientation: .up, make: "Platen", model: "Bench", software: "Platen",
    captured: WallClockTime(nanosecondsSince1970: 0), clockIsSynchronized: false,
    imageUniqueID: String(repeating: "0", count: 32), rigID: "bench", pressNumber: 1)
}
