import ArgumentParser
import Foundation
import Logging
import Spool

/// The referee, which answers each case with a line that lists the violations.
///
/// The cases come from standard input, a JSON object on each line.
struct CrashReferee: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "referee", abstract: "Runs the real start on what a power cut left, and judges.")

  /// A disk state after a power cut, and the promises until then.
  struct Case: Codable {
    /// The spool's directory.
    var directory: String
    /// The SHA-256 of each stored picture by its ID, except those done before the index was lost.
    var stored: [String: String]
    /// The pictures that the server has.
    var received: Set<String>
    /// The pictures whose receipts were committed.
    var done: Set<String>
    /// The pictures that were set aside and not requested again.
    var parked: Set<String>
    /// The pictures that are proxies with a source, unless their final picture is there.
    var proxies: Set<String>
    /// The SHA-256 of the final picture that was replacing a proxy, by the picture's ID.
    var finals: [String: String]
    /// The press of each stored picture, by the picture's ID.
    var presses: [String: Int64]
    /// The length and the press of each open recording, by its ID, up to the end of a fragment.
    var recordings: [String: Recording]
    /// The reason of each press that the ledger has as refused, by the press's number.
    var refused: [String: String]
    /// The number below which all press numbers had been reserved.
    var numbersBelow: Int64
  }

  /// The bytes that a recorder had forced to the disk.
  struct Recording: Codable {
    var bytes: Int64
    var press: Int64
  }

  /// The referee's verdict on a case.
  struct Verdict: Codable {
    /// The violations, a sentence each; empty when there are none.
    var violations: [String]
    /// The number of pictures that the start had to adopt.
    var adopted: Int
    /// Whether the index had to be rebuilt.
    var isRebuilt: Bool
  }

  func run() async throws {
    let decoder = JSONDecoder()
    let encoder = JSONEncoder()
    while let line = readLine() {
      let found = try decoder.decode(Case.self, from: Data(line.utf8))
      var verdict: Verdict
      do {
        verdict = try await judge(found)
      } catch {
        verdict = Verdict(violations: ["the start failed: \(error)"], adopted: 0, isRebuilt: false)
      }
      FileHandle.standardOutput.write(try encoder.encode(verdict) + Data("\n".utf8))
    }
  }

  private func judge(_ found: Case) async throws -> Verdict {
    let configuration = SpoolConfiguration(
      directory: found.directory, rigID: "crash", minimumFreeBytes: 0)
    let logger = Logger(label: "crash") { _ in SwiftLogNoOpLogHandler() }
    let spool = try await Spool.open(configuration, logger: logger)
    await spool.finishAdoption()
    let recovery = spool.recovery
    let items = try await spool.recentItems(limit: 10_000)
    let presses = try await spool.presses(PressQuery(limit: 10_000))
    await spool.close()

    let again = try await Spool.open(configuration, logger: logger)
    await again.finishAdoption()
    var violations = check(items, found) + check(presses, items, found)
    violations += checkRecordings(items, found)
    if !again.recovery.isClean { violations.append("a second start found \(again.recovery)") }
    if try await again.recentItems(limit: 10_000) != items {
      violations.append("a second start changed the items")
    }
    if try await again.presses(PressQuery(limit: 10_000)) != presses {
      violations.append("a second start changed the presses")
    }
    violations += try await checkQueue(again, found)
    violations += await checkProxies(again, items, found)
    let numbers = try await again.reservePressNumbers(count: 1)
    if numbers.lowerBound < found.numbersBelow {
      violations.append("press number \(numbers.lowerBound) is given out again")
    }
    await again.close()
    return Verdict(
      violations: violations, adopted: recovery.adopted,
      isRebuilt: recovery.rebuiltIndex || recovery.brokenIndex != nil)
  }

  /// Checks that every promise is kept, and that no picture is done without having been received.
  private func check(_ items: [ItemRecord], _ found: Case) -> [String] {
    var violations: [String] = []
    let known = Dictionary(items.map { ($0.id.description, $0) }, uniquingKeysWith: { $1 })
    for (id, sha256) in found.stored {
      guard let item = known[id] else {
        violations.append("stored \(id) has no row")
        continue
      }
      if item.sha256 != sha256, item.sha256 != found.finals[id] {
        violations.append("stored \(id) has another SHA-256")
      }
      switch item.state {
      case .delivered, .purged: break
      case .quarantined: violations.append("stored \(id) is in the quarantine")
      case .evicted: violations.append("stored \(id) was given up")
      case .stored, .delivering, .parked:
        if found.done.contains(id) { violations.append("done \(id) waits again") }
        if found.parked.contains(id), item.state != .parked {
          violations.append("parked \(id) waits again")
        }
      }
    }
    for item in items where [.delivered, .purged].contains(item.state) {
      // A picture that came twice is done with the receipt of the first.
      let id = (item.duplicateOf ?? item.id).description
      if !found.received.contains(id), !found.received.contains(item.id.description) {
        violations.append("\(id) is done without a receipt")
      }
    }
    return violations
  }

  /// Checks that every recording is there as far as it was forced to the disk, and plays.
  private func checkRecordings(_ items: [ItemRecord], _ found: Case) -> [String] {
    var violations: [String] = []
    let known = Dictionary(items.map { ($0.id.description, $0) }, uniquingKeysWith: { $1 })
    for (id, recording) in found.recordings {
      guard let item = known[id] else {
        violations.append("recording \(id) has no row")
        continue
      }
      if item.byteCount < recording.bytes {
        violations.append("of \(recording.bytes) bytes of \(id), \(item.byteCount) are kept")
      }
      if [.quarantined, .evicted].contains(item.state) {
        violations.append("recording \(id) is \(item.state)")
      }
    }
    for item in items where item.metadata.isRecording && [.stored, .parked].contains(item.state) {
      let whole = (1...CrashRecorder.fragments).map {
        CrashRecorder.movie($0, press: item.metadata.pressNumber ?? 0)
      }
      let bytes = FileManager.default.contents(atPath: item.path).map { Array($0) }
      if !whole.contains(bytes ?? []) {
        violations.append("recording \(item.id) is no movie of whole fragments")
      }
    }
    return violations
  }

  /// Checks that every press has one entry with one outcome, as promised.
  private func check(
    _ presses: [PressEntry], _ items: [ItemRecord], _ found: Case
  ) -> [String] {
    var violations: [String] = []
    let numbers = presses.map(\.number)
    if Set(numbers).count != numbers.count { violations.append("a press has two entries") }
    let known = Dictionary(presses.map { ($0.number, $0) }, uniquingKeysWith: { $1 })
    for (id, number) in found.presses where found.stored[id] != nil {
      if known[number]?.items.map(\.description) != [id] {
        violations.append("stored \(id) is not the picture of press \(number)")
      }
    }
    for (number, reason) in found.refused {
      if known[Int64(number) ?? 0]?.outcome != .refused(reason) {
        violations.append(
          "refused press \(number) is \(String(describing: known[Int64(number) ?? 0]))")
      }
    }
    let pictured = Set(items.compactMap(\.metadata.pressNumber))
    for press in presses {
      switch press.outcome {
      case .stored: break
      case .refused(let reason):
        if pictured.contains(press.number) {
          violations.append("press \(press.number) is refused, \(reason), and has a picture")
        }
      case nil: violations.append("press \(press.number) has no outcome")
      }
    }
    for number in pictured where known[number] == nil {
      violations.append("the picture of press \(number) has no entry")
    }
    return violations
  }

  /// Checks that every proxy has its source or its final picture.
  private func checkProxies(
    _ spool: Spool, _ items: [ItemRecord], _ found: Case
  ) async -> [String] {
    var violations: [String] = []
    for item in items {
      let id = item.id.description
      if item.metadata.isProxy {
        let source = try? await spool.beginFinal(of: item.id)
        if source == nil { violations.append("proxy \(id) has no source") }
      } else if found.proxies.contains(id), item.sha256 != found.finals[id] {
        violations.append("proxy \(id) has neither its source nor its final picture")
      }
    }
    return violations
  }

  /// Checks that every waiting picture has an intact file.
  private func checkQueue(_ spool: Spool, _ found: Case) async throws -> [String] {
    var violations: [String] = []
    while let delivery = try await spool.nextDelivery() {
      if case .quarantined(let reason) = try await spool.verifyForDelivery(delivery.id) {
        violations.append("queued \(delivery.id) is \(reason)")
      }
    }
    return violations
  }
}
