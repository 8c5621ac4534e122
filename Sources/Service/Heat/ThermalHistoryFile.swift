import Foundation
import Logging

/// The file of the heat of the last day; a day of four zones has some 60 KiB.
///
/// Without the file, the day begins anew. A damaged file is renamed to `heat.json.broken`.
struct ThermalHistoryFile {
  private let file: KeptFile

  init(directory: String, logger: Logger) {
    file = KeptFile(
      directory: directory, name: "heat.json", content: "the temperatures of the last day",
      logger: logger)
  }

  /// Reads the history; returns `nil` without a usable one.
  func read() async -> ThermalHistory.Kept? {
    guard let bytes = await file.read() else { return nil }
    let kept = try? JSONDecoder().decode(ThermalHistory.Kept.self, from: Data(bytes))
    if kept == nil { await file.putAside() }
    return kept
  }

  /// Replaces the history.
  func write(_ kept: ThermalHistory.Kept) async {
    guard let bytes = try? JSONEncoder().encode(kept) else { return }
    _ = await file.write(Array(bytes))
  }
}
