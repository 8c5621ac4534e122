import Devices
import Foundation
import Imaging

/// The times and sizes of a run in rows, in the order of the first round.
struct EncodeTable {
  private var names: [String] = []
  private var times: [String: [Double]] = [:]
  private var processorTimes: [String: [Double]] = [:]
  private var byteCounts: [String: Int] = [:]
  private let clock = SystemMonotonicClock()
  private var bareEncoder: BareEncoder?
  private var encoderPool: EncoderPool?
  let encoder: JPEGEncoder
  let photoEncoder: PhotoEncoder

  init() throws {
    encoder = try JPEGEncoder()
    photoEncoder = try PhotoEncoder()
  }

  /// Returns the peer encoder, kept from round to round like the pool.
  mutating func bare(_ format: StreamFormat) -> BareEncoder {
    let encoder = bareEncoder ?? BareEncoder(format)
    bareEncoder = encoder
    return encoder
  }

  /// Returns the encoder pool, kept from round to round.
  mutating func pool(coreCount: Int) -> EncoderPool {
    let pool = encoderPool ?? EncoderPool(coreCount: coreCount)
    encoderPool = pool
    return pool
  }

  /// Discards the times of the first round.
  mutating func forget() {
    times = [:]
    processorTimes = [:]
  }

  /// Runs work that returns a size in bytes, and notes its time.
  mutating func measure(_ name: String, _ work: () throws -> Int) rethrows {
    let (began, processor) = (clock.now, Self.processorTime)
    let byteCount = try work()
    note(
      name, began.duration(to: clock.now).inMilliseconds, Self.processorTime - processor, byteCount)
  }

  /// Runs work that returns a size in bytes, and notes its share of the time.
  mutating func measure(
    _ name: String, dividedBy count: Int, _ work: () async throws -> Int
  ) async rethrows {
    let (began, processor) = (clock.now, Self.processorTime)
    let byteCount = try await work()
    note(
      name, began.duration(to: clock.now).inMilliseconds / Double(count),
      (Self.processorTime - processor) / Double(count), byteCount)
  }

  /// The processor time of all threads of the process, in milliseconds (`clock`).
  private static var processorTime: Double {
    Double(Foundation.clock()) * 1000 / Double(CLOCKS_PER_SEC)
  }

  private mutating func note(
    _ name: String, _ time: Double, _ processorTime: Double, _ byteCount: Int
  ) {
    if byteCounts.updateValue(byteCount, forKey: name) == nil { names.append(name) }
    times[name, default: []].append(time)
    processorTimes[name, default: []].append(processorTime)
  }

  /// Prints the rows as multiples of the first row.
  func print() {
    guard let first = names.first, let bare = times[first]?.median, bare > 0 else { return }
    for name in names {
      let times = times[name] ?? []
      let kilobytes = (byteCounts[name] ?? 0) / 1000
      Swift.print(
        "| \(name) | \(times.median.twoDecimals) | \((times.min() ?? 0).twoDecimals) | "
          + "\((times.median / bare).twoDecimals) | "
          + "\((processorTimes[name] ?? []).median.twoDecimals) | \(kilobytes) |")
    }
  }
}
