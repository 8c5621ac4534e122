import Devices
import TestSupport
import Testing

@testable import Capture

@Suite struct CaptureProgressTests {
  private let instant = MonotonicInstant(nanoseconds: 7)
  private let photo = StoredPhoto(itemID: "a", path: "/a", byteCount: 1, sha256: "")

  private func settings(_ count: Int) -> ResolvedPhotoSettings {
    ResolvedPhotoSettings(
      uniqueID: 1, photoDimensions: FrameSize(width: 4, height: 3), prioritization: .balanced,
      isFastCapture: false,
      expectedDeliveries: (0..<count).map { PhotoDelivery.Kind(rawValue: "kind\($0)") })
  }

  private func rank(_ step: CaptureProgress.Step) -> Int {
    switch step {
    case .settingsResolved: 1
    case .exposureBegan: 2
    case .exposureEnded: 3
    case .photoDelivered: 4
    case .finished: 5
    }
  }

  @Test func `a whole capture passes`() {
    var machine = CaptureProgressMachine(uniqueID: 1)
    let steps: [CaptureProgress.Step] = [
      .settingsResolved(settings(2)), .exposureBegan(at: instant), .exposureEnded(at: instant),
      .photoDelivered(PhotoDelivery(kind: .photo, index: 1, photo: photo), count: 2),
      .photoDelivered(PhotoDelivery(kind: .photo, index: 2, photo: photo), count: 2),
      .finished(.stored(photo)),
    ]
    for step in steps {
      #expect(machine.take(step) == CaptureProgress(uniqueID: 1, step: step))
    }
    let late = machine.take(.finished(.refused(.storageFull)))
    #expect(late == nil)
  }

  @Test func `a refusal may come at any step`() {
    for count in 0...3 {
      var machine = CaptureProgressMachine(uniqueID: 1)
      let before: [CaptureProgress.Step] = [
        .settingsResolved(settings(1)), .exposureBegan(at: instant), .exposureEnded(at: instant),
      ]
      for step in before.prefix(count) { _ = machine.take(step) }
      let end = machine.take(.finished(.refused(.noFrameInTime)))
      #expect(end != nil)
    }
  }

  /// The steps that come out ascend and end once, for any reported steps.
  @Test(arguments: 0..<30 as Range<UInt64>)
  func `steps ascend and end once`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<50 {
      var machine = CaptureProgressMachine(uniqueID: 1)
      let expected = Int.random(in: 1...3, using: &random)
      let all: [CaptureProgress.Step] = [
        .settingsResolved(settings(expected)), .exposureBegan(at: instant),
        .exposureEnded(at: instant),
        .photoDelivered(PhotoDelivery(kind: .photo, index: 1, photo: photo), count: expected),
        .finished(.stored(photo)),
      ]
      var ranks: [Int] = []
      for _ in 0..<40 {
        let step = all.randomElement(using: &random) ?? all[0]
        if let progress = machine.take(step) { ranks.append(rank(progress.step)) }
      }
      #expect(ranks == ranks.sorted(), "seed \(seed)")
      #expect(ranks.count { $0 == 4 } <= expected, "seed \(seed)")
      #expect(ranks.count { $0 == 5 } <= 1, "seed \(seed)")
      #expect(Set(ranks).count == ranks.count - max(0, ranks.count { $0 == 4 } - 1))
    }
  }
}

@Suite struct FastCapturePrioritizerTests {
  @Test func `quality falls before presses are refused`() {
    var prioritizer = FastCapturePrioritizer(maximumCapturesInFlight: 4)
    let given = (0..<4).map { prioritizer.resolve(.quality, capturesInFlight: $0) }
    #expect(given == [.quality, .quality, .balanced, .speed])
  }

  @Test func `three places have one for each step`() {
    var prioritizer = FastCapturePrioritizer(maximumCapturesInFlight: 3)
    let given = (0..<3).map { prioritizer.resolve(.quality, capturesInFlight: $0) }
    #expect(given == [.quality, .balanced, .speed])
  }

  @Test func `quality rises one step after three calm captures`() {
    var prioritizer = FastCapturePrioritizer(maximumCapturesInFlight: 4)
    _ = prioritizer.resolve(.quality, capturesInFlight: 3)
    let given = (0..<7).map { _ in prioritizer.resolve(.quality, capturesInFlight: 0) }
    #expect(
      given == [.speed, .speed, .balanced, .balanced, .balanced, .quality, .quality])
  }

  @Test func `a single place is never full`() {
    var prioritizer = FastCapturePrioritizer(maximumCapturesInFlight: 1)
    let given = prioritizer.resolve(.quality, capturesInFlight: 0)
    #expect(given == .quality)
  }

  @Test func `the lowered quality can be turned off`() {
    var prioritizer = FastCapturePrioritizer(maximumCapturesInFlight: 3, isEnabled: false)
    let given = prioritizer.resolve(.quality, capturesInFlight: 2)
    #expect(given == .quality)
  }

  /// The quality is never better than the requested one; the last place always gets `speed`.
  @Test(arguments: 0..<20 as Range<UInt64>)
  func `the quality is never better than requested`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let maximum = Int.random(in: 2...6, using: &random)
    var prioritizer = FastCapturePrioritizer(maximumCapturesInFlight: maximum)
    for _ in 0..<300 {
      let inFlight = Int.random(in: 0..<maximum, using: &random)
      let wanted = QualityPrioritization.allCases.randomElement(using: &random) ?? .balanced
      let given = prioritizer.resolve(wanted, capturesInFlight: inFlight)
      #expect(given <= wanted, "seed \(seed)")
      if inFlight == maximum - 1 { #expect(given == .speed, "seed \(seed)") }
    }
  }
}
