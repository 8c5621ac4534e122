import Devices
import TestSupport
import Testing

@testable import Capture

private let format = StreamFormat(
  size: FrameSize(width: 64, height: 36), pixelFormat: .yuv420, bytesPerRow: 64,
  colorSpace: .jpeg)

/// The frames that are leased besides the chosen one for the prioritization *quality*.
@Suite struct NeighborLeaseTests {
  /// A photo output with four frames, of which a press at 310 ms takes the third.
  private struct Bench {
    var output: PhotoOutput
    let counter = LeaseCount()
    private let configuration: CaptureSessionConfiguration

    init(leases: Int) {
      configuration = CaptureSessionConfiguration(
        camera: .first,
        stream: StreamConfiguration(size: format.size, frameRate: 10, ringFrameCount: 4))
      output = PhotoOutput(configuration)
      _ = output.take(
        .began(ringFrameCount: 4, maximumCapturesInFlight: 3, leasedFrameCount: leases),
        now: instant(0))
      for (id, time) in [(1, 100), (2, 200), (3, 300), (4, 390)] as [(UInt64, Int64)] {
        let frame = FrameInfo(id: id, sequence: id, timestamp: instant(time))
        _ = output.frameArrived(frame, now: instant(time))
      }
    }

    mutating func admit(
      _ number: Int64, _ wanted: PhotoSettings, _ stream: ResolvedStreamConfiguration? = nil,
      isHot: Bool = false
    ) {
      _ = output.admit(
        Press(number: number, source: .api, time: instant(310)), readiness: .ready, wanted: wanted,
        session: configuration.settings, stream: stream, isHot: isHot)
    }

    /// Finds and leases the frame of a press with its neighbors, as the session does.
    mutating func photo(of number: Int64) throws -> CapturedPhoto {
      let reply = output.findFrame(
        for: .press(number), at: instant(310), deadline: instant(600), now: instant(400))
      let selection = try #require(reply.leases.first)
      let actions = lease(selection)
      return try #require(actions.compactMap(\.photo).first)
    }

    mutating func lease(
      _ selection: FrameSelection, isKeptForAverage: Bool = false
    ) -> [PhotoOutput.Action] {
      var chosen = ChosenFrame(
        selection: selection, lease: counter.lease(selection.frame, format),
        camera: CameraDescription(id: "cam", model: "imx708"), captureAngle: 0,
        isAsConfigured: true)
      let neighbors = output.neighbors(of: selection, isKeptForAverage: isKeptForAverage)
      chosen.singleFrame = neighbors.reason
      chosen.neighbors = neighbors.frames.map { counter.lease($0, format) }
      return output.leased(chosen, now: instant(400))
    }
  }

  private func quality(allowsFastCapture: Bool = true) -> PhotoSettings {
    PhotoSettings(prioritization: .quality, allowsFastCapture: allowsFastCapture)
  }

  static let leases: [(Int, [UInt64])] = [(8, [4, 2, 1]), (7, [4, 2, 1]), (6, [4, 2]), (5, [4])]

  @Test(arguments: leases)
  func `neighbors leave a free lease and those of two more captures`(
    leases: Int, expected: [UInt64]
  ) throws {
    var bench = Bench(leases: leases)
    bench.admit(1, quality())
    let photo = try bench.photo(of: 1)
    #expect(photo.frame.info.id == 3)
    #expect(photo.neighbors.map(\.info.id) == expected)
    #expect(photo.singleFrame == nil)
  }

  @Test func `a camera without a lease to spare gives the frame alone`() throws {
    var bench = Bench(leases: 2)
    bench.admit(1, quality())
    let photo = try bench.photo(of: 1)
    #expect(photo.neighbors.isEmpty && photo.singleFrame == .memory)
  }

  @Test(arguments: [1, 2])
  func `a damaged frame gives way to the nearest other one, if there is a lease for that`(
    leases: Int
  ) throws {
    var bench = Bench(leases: leases)
    bench.admit(1, PhotoSettings())
    let reply = bench.output.findFrame(
      for: .press(1), at: instant(310), deadline: instant(600), now: instant(400))
    let selection = try #require(reply.leases.first)
    let spare = bench.output.spare(for: selection)
    #expect(spare?.frame.id == (leases == 1 ? nil : 4))
    #expect(spare?.error == (leases == 1 ? nil : .milliseconds(80)))
    let photo = try #require(bench.lease(spare ?? selection).compactMap(\.photo).first)
    #expect(photo.frame.info.id == (leases == 1 ? 3 : 4))
    #expect(bench.output.neighborCounts.isEmpty)
  }

  @Test(arguments: [QualityPrioritization.speed, .balanced])
  func `other prioritizations are the frame alone`(_ other: QualityPrioritization) throws {
    var bench = Bench(leases: 6)
    bench.admit(1, PhotoSettings(prioritization: other))
    let photo = try bench.photo(of: 1)
    #expect(photo.neighbors.isEmpty && photo.singleFrame == nil)
    #expect(bench.counter.leases == 1)
  }

  @Test func `heat and a camera's compression are said before the frame is chosen`() throws {
    var hot = Bench(leases: 6)
    hot.admit(1, quality(), isHot: true)
    let heated = try hot.photo(of: 1)
    #expect(heated.settings.singleFrame == .heat && heated.singleFrame == .heat)
    #expect(heated.neighbors.isEmpty && hot.counter.leases == 1)

    var jpeg = format
    jpeg.pixelFormat = .mjpeg
    let stream = ResolvedStreamConfiguration(
      format: jpeg, bufferCount: 8, leasedFrameCount: 6, frameDuration: nil,
      readoutDuration: .zero, adjustments: [])
    var compressed = Bench(leases: 6)
    compressed.admit(1, quality(), stream)
    let passedOn = try compressed.photo(of: 1)
    #expect(passedOn.settings.singleFrame == .compressed && passedOn.neighbors.isEmpty)

    let bracket = PhotoSettings(prioritization: .quality, bracket: .standard)
    #expect(SingleFrameReason(bracket, nil, isHot: true) == .bracket)
  }

  @Test func `the frames of a picture in progress are not free`() throws {
    var bench = Bench(leases: 8)
    bench.admit(1, quality())
    let first = try bench.photo(of: 1)
    #expect(first.neighbors.count == 3)
    bench.admit(2, quality(allowsFastCapture: false))
    let second = try bench.photo(of: 2)
    #expect(second.neighbors.map(\.info.id) == [4], "one lease is left for the third press")
    _ = bench.output.finish(1, .refused(.storageFull), now: instant(500))
    bench.admit(3, quality(allowsFastCapture: false))
    let third = try bench.photo(of: 3)
    #expect(third.neighbors.count == 3, "the second press has two frames")
  }

  @Test func `a fast series takes the frame alone`() throws {
    var bench = Bench(leases: 12)
    bench.admit(1, quality())
    _ = try bench.photo(of: 1)
    bench.admit(2, quality())
    let second = try bench.photo(of: 2)
    #expect(second.settings.isFastCapture && second.settings.prioritization == .balanced)
    #expect(second.neighbors.isEmpty && second.singleFrame == nil)
  }

  @Test(arguments: [QualityPrioritization.quality, .balanced])
  func `an anticipated frame has its neighbors ready`(_ wanted: QualityPrioritization) throws {
    var bench = Bench(leases: 8)
    let begun = bench.output.anticipate(
      at: instant(310), deadline: instant(600), now: instant(400))
    guard let (anticipation, reply) = begun, let selection = reply.leases.first else {
      Issue.record("there is a frame to keep")
      return
    }
    _ = bench.lease(selection, isKeptForAverage: true)
    #expect(bench.counter.leases == 4)
    bench.admit(1, PhotoSettings(prioritization: wanted))
    let actions = bench.output.give(anticipation, to: 1, now: instant(500))
    let photo = try #require(actions.compactMap(\.photo).first)
    #expect(photo.neighbors.count == (wanted == .quality ? 3 : 0))
    #expect(bench.counter.leases == (wanted == .quality ? 4 : 1), "unused frames are returned")
  }

  @Test func `a session of quality asks for the frames of an average`() {
    var configuration = CaptureSessionConfiguration(
      camera: .first, stream: StreamConfiguration(size: format.size, ringFrameCount: 5))
    configuration.maximumCapturesInFlight = 2
    func leases(_ prioritization: QualityPrioritization) -> Int {
      configuration.settings.prioritization = prioritization
      return configuration.stream(
        for: configuration.settings, of: CameraDescription(id: "cam", model: "imx708"),
        controls: CameraControls()
      ).leasedFrameCount
    }
    let (speed, balanced, quality) = (leases(.speed), leases(.balanced), leases(.quality))
    #expect(speed == 3 && balanced == 3 && quality == 7)
    configuration.stream.ringFrameCount = 20
    #expect(leases(.quality) == 8, "the camera has room for 28 frames")
  }
}

extension PhotoOutput.Action {
  fileprivate var photo: CapturedPhoto? {
    if case .process(let photo) = self { photo } else { nil }
  }
}
