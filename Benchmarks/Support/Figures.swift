import Devices
import Foundation
import Logging
import Spool

extension Double {
  /// The number with two decimals.
  var twoDecimals: String { String(format: "%.2f", self) }
}

extension [Double] {
  /// The middle of the sorted values; 0 without values.
  var median: Double {
    let sorted = sorted()
    return isEmpty ? 0 : sorted[count / 2]
  }
}

extension [Double] {
  /// Returns the value that a share of the values does not exceed (nearest rank); 0 without values.
  ///
  /// - Parameter share: 0...1.
  func percentile(_ share: Double) -> Double {
    let sorted = sorted()
    guard let last = sorted.last else { return 0 }
    let rank = Int((Double(count) * share).rounded(.up)) - 1
    return rank < count ? sorted[Swift.max(0, rank)] : last
  }

  /// The median, 95th percentile and greatest value as cells of a table.
  var distribution: String {
    "\(median.twoDecimals) | \(percentile(0.95).twoDecimals) | \(percentile(1).twoDecimals)"
  }
}

/// The memory of the process, from `/proc/self/status`.
enum ResidentMemory {
  /// The current resident memory, in MiB (`VmRSS`).
  static var mebibytes: Double { mebibytes(of: "VmRSS:") }

  /// The greatest resident memory since ``forgetPeak()``, in MiB (`VmHWM`).
  static var peakMebibytes: Double { mebibytes(of: "VmHWM:") }

  /// Sets the peak to the current memory (`/proc/self/clear_refs`).
  static func forgetPeak() {
    FileHandle(forWritingAtPath: "/proc/self/clear_refs")?.write(Data("5".utf8))
  }

  private static func mebibytes(of field: String) -> Double {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix(field) }
    let kibibytes = line?.split(whereSeparator: \.isWhitespace).dropFirst().first
    return (kibibytes.flatMap { Double($0) } ?? 0) / 1024
  }
}

/// A spool that is filled with pictures for a benchmark.
struct BenchmarkSpool {
  static let logger = Logger(label: "bench") { _ in SwiftLogNoOpLogHandler() }

  /// Opens a spool whose history is never pruned.
  static func open(_ directory: String) async throws -> Spool {
    try await Spool.open(
      SpoolConfiguration(
        directory: directory, rigID: "bench", minimumFreeBytes: 1 << 20, historyItems: 10_000_000),
      logger: logger)
  }

  /// Returns the receipt that a server would give for a delivery.
  static func receipt(_ delivery: Delivery) -> Receipt {
    Receipt(
      url: "http://server/\(delivery.remoteName)", remoteName: delivery.remoteName,
      sha256: delivery.sha256, httpStatus: 201, wallNanoseconds: 0)
  }

  /// Returns a picture of random bytes, so that no two are equal.
  static func picture(bytes count: Int, number: Int) -> NewItem {
    var bytes = [UInt8](repeating: 0, count: count)
    bytes.withUnsafeMutableBytes { buffer in
      for index in stride(from: 0, to: buffer.count - 8, by: 8) {
        buffer.storeBytes(of: UInt64.random(in: 0 ... .max), toByteOffset: index, as: UInt64.self)
      }
    }
    return item(bytes, number: number)
  }

  /// Returns a picture of the given bytes.
  static func item(_ bytes: [UInt8], number: Int) -> NewItem {
    NewItem(
      bytes: bytes,
      metadata: ItemMetadata(
        rigID: "bench", pressNumber: Int64(number),
        captured: CaptureTime(
          bootID: nil, monotonicNanoseconds: nil, wallNanoseconds: nil, wallTrust: .unknown)))
  }
}
