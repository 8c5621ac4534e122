import API
import Devices
import Foundation
import Spool
import TestSupport
import Testing

@testable import Capture
@testable import Service

/// The merged picture of a bracket, from one press to its file.
extension BracketPipelineTests {
  /// The items of a press's pictures, in their order.
  private func items(_ record: PressRecord, _ bench: PipelineBench) async throws -> [ItemRecord] {
    guard case .stored(let photo) = record.outcome else {
      Issue.record("the press was refused: \(String(describing: record.outcome))")
      return []
    }
    let ids = ([photo.itemID] + photo.companionIDs).compactMap { ItemID($0) }
    let items = try await bench.spool.items(ids)
    return ids.compactMap { items[$0] }
  }

  @Test(arguments: ["ev=-2,0,2", "focus=2,5,8"])
  func `the merged picture stands for the bracket`(_ text: String) async throws {
    let counter = LeaseCounter()
    let bench = try await PipelineBench(scratch, cameras: { counter.cameras(of: $0) })
    let settings = PhotoSettings(bracket: try Bracket(text), merge: .only)
    let record = try await storedBracket(bench, settings)
    let item = try #require(try await items(record, bench).first)
    #expect(try await bench.spool.recentItems(limit: 10).count == 1)
    #expect(item.metadata.mergedFrames == 3 && item.metadata.unmerged == nil)
    #expect(item.metadata.bracketIndex == nil && item.metadata.bracketCount == 3)
    #expect(item.metadata.bracketID == item.metadata.imageUniqueID)
    #expect(item.metadata.averagedFrames == nil && item.metadata.exposureBias == nil)
    let report = PressReport(record, bootID: nil)
    #expect(report.mergedFrames == 3 && report.unmerged == nil && report.itemIDs == nil)
    let tags = try Tool.output(
      of: "exiftool",
      ["-n", "-s3", "-CompositeImage", "-CompositeImageCount", "-UserComment", item.path])
    let lines = String(decoding: tags, as: UTF8.self).split(separator: "\n").map(String.init)
    #expect(lines.count == 3 && lines.first == "3", "\(lines)")
    #expect(lines.dropFirst().first?.hasPrefix("3 ") == true, "\(lines)")
    #expect(lines.last?.contains("bracket: 3 merged; group: ") == true, "\(lines)")
    let findings = try Tool.output(
      of: "exiftool", ["-validate", "-warning", "-error", "-s3", item.path])
    #expect(String(decoding: findings, as: UTF8.self).hasPrefix("OK"))
    #expect(counter.leases.out == 0, "all frames are back in the camera")
    await bench.stop()
  }

  @Test func `the merged picture comes before those of its bracket`() async throws {
    let bench = try await PipelineBench(
      scratch,
      change: {
        $0.merge = .add
        $0.formats = [.jpeg, .dng]
        $0.stream.wantsRaw = true
      })
    let record = try await storedBracket(bench)
    let items = try await items(record, bench)
    #expect(items.map(\.metadata.mergedFrames) == [3, nil, nil, nil])
    #expect(items.map(\.metadata.bracketIndex) == [nil, 1, 2, 3])
    #expect(Set(items.map(\.metadata.bracketID)) == [items.first?.metadata.imageUniqueID])
    #expect(items.allSatisfy { $0.metadata.nearDuplicateOf == nil }, "one page, not four alike")
    // Only the frames of the bracket are raw.
    let raw = try await bench.spool.recentItems(limit: 10)
      .filter { $0.metadata.rendition == "dng" }
    #expect(Set(raw.map(\.metadata.bracketIndex)) == [1, 2, 3] && raw.count == 3)
    await bench.stop()
  }

  @Test func `a bracket whose pictures are replaced keeps its raw frames`() async throws {
    let bench = try await PipelineBench(
      scratch,
      change: {
        $0.formats = [.jpeg, .dng]
        $0.stream.wantsRaw = true
      })
    let record = try await storedBracket(
      bench, PhotoSettings(bracket: .standard, merge: .only))
    let merged = try #require(try await items(record, bench).first)
    let all = try await bench.spool.recentItems(limit: 10)
    let raw = all.filter { $0.metadata.rendition == "dng" }
    #expect(all.count == 4 && Set(raw.map(\.metadata.bracketIndex)) == [1, 2, 3])
    #expect(Set(all.map(\.metadata.bracketID)) == [merged.metadata.imageUniqueID])
    await bench.stop()
  }

  static let fallbacks: [(UnmergedReason, BracketMerge)] = [
    (.heat, .only), (.heat, .add), (.memory, .only), (.memory, .add), (.failed, .only),
    (.failed, .add),
  ]

  @Test(arguments: fallbacks)
  func `a bracket that cannot be merged is stored as it is, and says so`(
    reason: UnmergedReason, merge: BracketMerge
  ) async throws {
    let bench = try await PipelineBench(
      scratch, availableMemory: reason == .memory ? 1 << 20 : nil,
      cameras: { cameras -> any CameraSystem in
        reason == .failed ? LonelyBuffer.cameras(of: cameras) : cameras
      })
    if reason == .heat {
      await bench.session.apply(CaptureConstraints(averagesFrames: false))
    }
    let events = bench.session.events.listen(limit: 1024)
    let record = try await storedBracket(
      bench, PhotoSettings(bracket: .standard, merge: merge))
    let items = try await items(record, bench)
    #expect(items.map(\.metadata.bracketIndex) == [1, 2, 3])
    #expect(items.allSatisfy { $0.metadata.unmerged == reason })
    #expect(items.allSatisfy { $0.metadata.mergedFrames == nil })
    let report = PressReport(record, bootID: nil)
    #expect(report.unmerged == Word(reason) && report.mergedFrames == nil)
    #expect(report.itemIDs?.count == 3)
    // Heat is known before the files are announced, and the other reasons are not.
    let announced = reason == .heat ? 3 : merge == .only ? 1 : 4
    var steps: [String] = []
    for await case .progress(let progress) in events
    where progress.uniqueID == record.press.number {
      if case .photoDelivered(let delivery, let count) = progress.step {
        steps.append("\(delivery.kind) \(delivery.index) of \(count)")
      }
      if case .finished = progress.step { break }
    }
    #expect(steps == (1...min(announced, 3)).map { "photo \($0) of \(announced)" })
    await bench.stop()
  }

  @Test func `the kernel's text says how much memory is free`() {
    let text = "MemTotal:        3884376 kB\nMemFree:   90000 kB\nMemAvailable:     512 kB\n"
    #expect(AvailableMemory.bytes(in: text) == 512 << 10)
    #expect(AvailableMemory.bytes(in: "MemTotal: 1 kB\n") == nil)
    #expect(AvailableMemory.read() ?? 0 > 0)
  }
}
