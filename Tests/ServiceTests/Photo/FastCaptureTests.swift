import Capture
import Devices
import RigConfiguration
import SimulatedDevices
import Spool
import Testing

@testable import Service

/// Presses that come faster than the rig stores: from the press to the size of the file.
@Suite(.timeLimit(.minutes(10))) struct FastCaptureTests {
  private let scratch = ScratchSpool()

  /// Presses once, and then once for each place while no photo moves on.
  private func burst(
    _ image: ImageSection
  ) async throws -> (items: [ItemRecord], resolved: [ResolvedPhotoSettings]) {
    let bench = try await PipelineBench(scratch, image: image)
    let events = bench.session.events.listen(limit: 1024)
    var numbers = [try await bench.press()]
    var items = [try #require(try await bench.stored(numbers[0]))]
    bench.hold()
    for _ in 0..<3 { numbers.append(try await bench.press()) }
    // The photos go on in turn: each starts from the result of the earlier one.
    for number in numbers.dropFirst() {
      bench.letGo(number)
      items.append(try #require(try await bench.stored(number)))
    }
    var resolved: [ResolvedPhotoSettings] = []
    for await case .progress(let progress) in events {
      if case .settingsResolved(let settings) = progress.step { resolved.append(settings) }
      if resolved.count == numbers.count { break }
    }
    await bench.stop()
    return (items, resolved)
  }

  @Test func `files use less of their byte budget before presses are refused`() async throws {
    let budget = 20_480...122_880
    let (items, resolved) = try await burst(
      try ImageSection.read("minimum_bytes: 20 KiB, maximum_bytes: 120 KiB"))
    #expect(resolved.map(\.prioritization) == [.balanced, .balanced, .speed, .speed])
    #expect(resolved.map(\.isFastCapture) == [false, false, true, true])
    #expect(items.map(\.metadata.prioritization) == [.balanced, .balanced, .speed, .speed])
    let sizes = items.map { Int($0.byteCount) }
    #expect(sizes.allSatisfy { budget.contains($0) }, "\(sizes)")
    #expect(sizes[1] > 70_000, "the test wants pictures in the upper half: \(sizes)")
    #expect(sizes[2...].allSatisfy { $0 <= 70_000 }, "\(sizes)")
    let qualities = items.compactMap(\.metadata.jpegQuality)
    #expect(qualities[2] < qualities[1], "\(qualities)")
  }

  @Test func `each step is reached with three places`() async throws {
    let (items, resolved) = try await burst(try ImageSection.read("prioritization: quality"))
    #expect(resolved.map(\.prioritization) == [.quality, .quality, .balanced, .speed])
    #expect(items.compactMap(\.metadata.jpegQuality) == [95, 95, 90, 75])
  }

  @Test func `a quality that cannot be lower is not reported as lowered`() async throws {
    let (items, resolved) = try await burst(try ImageSection.read("quality: 45"))
    #expect(resolved.map(\.isFastCapture) == [false, false, false, false])
    #expect(resolved.map(\.prioritization) == Array(repeating: .balanced, count: 4))
    #expect(items.compactMap(\.metadata.jpegQuality) == [45, 45, 45, 45])
  }
}
