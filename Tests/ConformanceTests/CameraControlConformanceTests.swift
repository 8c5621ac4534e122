import Devices
import Testing

extension Conformance {
  @Suite struct CameraControlConformanceTests {
    private static let small = StreamConfiguration(
      size: FrameSize(width: 640, height: 480), ringFrameCount: 4, leasedFrameCount: 2)

    /// Controls that each set one value, and the words by which it is refused.
    private static let wishes = modes + image

    private static let modes: [(controls: CameraControls, words: String)] = [
      (
        CameraControls(exposureMode: .continuousAutoExposure),
        "exposure mode \"continuousAutoExposure\""
      ),
      (CameraControls(exposureMode: .locked), "exposure mode \"locked\""),
      (
        CameraControls(exposureMode: .custom(duration: .milliseconds(5), gain: 2)),
        "exposure mode \"custom\""
      ),
      (
        CameraControls(whiteBalanceMode: .continuousAutoWhiteBalance),
        "white-balance mode \"continuousAutoWhiteBalance\""
      ),
      (CameraControls(whiteBalanceMode: .locked), "white-balance mode \"locked\""),
      (
        CameraControls(whiteBalanceMode: .custom(WhiteBalanceGains(red: 2, blue: 1.5))),
        "white-balance mode \"custom\""
      ),
      (CameraControls(focusMode: .continuousAutoFocus), "focus mode \"continuousAutoFocus\""),
      (CameraControls(focusMode: .autoFocus), "focus mode \"autoFocus\""),
      (
        CameraControls(focusMode: .autoFocusAtPoint(FocusPoint(x: 0.25, y: 0))),
        "focus mode \"autoFocusAtPoint\""
      ),
      (CameraControls(focusMode: .locked(lensPosition: nil)), "focus mode \"locked\""),
      (CameraControls(focusMode: .locked(lensPosition: 1)), "focus mode \"locked\""),
      (CameraControls(videoZoomFactor: 1.5), "video zoom"),
      (CameraControls(flickerAvoidance: .hertz50), "flicker avoidance \"50\""),
      (CameraControls(flickerAvoidance: .hertz60), "flicker avoidance \"60\""),
      (CameraControls(noiseReduction: .minimal), "noise reduction \"minimal\""),
      (CameraControls(noiseReduction: .fast), "noise reduction \"fast\""),
      (CameraControls(noiseReduction: .highQuality), "noise reduction \"highQuality\""),
    ]

    private static let image: [(controls: CameraControls, words: String)] =
      ImageControl.allCases.map { control in
        (
          controls: CameraControls(image: [control: 0.5]),
          words: "image control \"\(control.rawValue)\""
        )
      }

    /// Controls that no camera can have.
    private static let nonsense = nonsenseModes + nonsenseImage

    private static let nonsenseModes = [
      CameraControls(exposureMode: .custom(duration: .zero, gain: 1)),
      CameraControls(exposureMode: .custom(duration: .seconds(-1), gain: 1)),
      CameraControls(exposureMode: .custom(duration: .seconds(1_000_000), gain: 1)),
      CameraControls(exposureMode: .custom(duration: .milliseconds(10), gain: 0)),
      CameraControls(exposureMode: .custom(duration: .milliseconds(10), gain: .nan)),
      CameraControls(whiteBalanceMode: .custom(WhiteBalanceGains(red: -1, blue: 1))),
      CameraControls(whiteBalanceMode: .custom(WhiteBalanceGains(red: 1, blue: .infinity))),
      CameraControls(focusMode: .autoFocusAtPoint(FocusPoint(x: 1.5, y: 0))),
      CameraControls(focusMode: .autoFocusAtPoint(FocusPoint(x: 0.5, y: .nan))),
      CameraControls(focusMode: .locked(lensPosition: -1)),
      CameraControls(focusMode: .locked(lensPosition: .nan)),
      CameraControls(videoZoomFactor: 0.5), CameraControls(videoZoomFactor: 0),
      CameraControls(videoZoomFactor: 1e9), CameraControls(videoZoomFactor: .nan),
    ]

    private static let nonsenseImage: [CameraControls] = ImageControl.allCases.flatMap { control in
      [1e9, -1e9, Double.nan].map { CameraControls(image: [control: $0]) }
    }

    @Test(arguments: ConformanceBoard.withAnyControls)
    func `an unsupported control is refused by name`(board: ConformanceBoard) async throws {
      try await board.withCamera { camera in
        for isStreaming in [false, true] {
          if isStreaming { _ = try await camera.start(Self.small) }
          let capabilities = await camera.capabilities
          for (controls, words) in Self.wishes {
            let isThere = capabilities.refusal(of: controls) == nil
            let refusals = [
              await refusal { try await camera.setControls(controls) },
              await refusal { _ = try await camera.resolve(Self.with(controls)) },
            ]
            for refusal in refusals {
              #expect((refusal == nil) == isThere, "\(words), streaming: \(isStreaming)")
              #expect(refusal?.code == (isThere ? nil : .unsupported), "\(words)")
              #expect(refusal?.cause?.contains(words) ?? isThere, "\(refusal?.cause ?? "none")")
            }
          }
          for controls in Self.nonsense {
            let refusal = await refusal { try await camera.setControls(controls) }
            #expect(refusal?.code == .unsupported, "\(controls)")
          }
          try await camera.setControls(CameraControls())
        }
      }
    }

    @Test(arguments: ConformanceBoard.withAnyControls)
    func `a start with unsupported controls is refused and others work`(
      board: ConformanceBoard
    ) async throws {
      try await board.withCamera { camera in
        let capabilities = await camera.capabilities
        for (controls, words) in Self.wishes {
          let configuration = Self.with(controls)
          if capabilities.refusal(of: controls) == nil {
            let stream = try await camera.start(configuration)
            _ = try await camera.firstLease(of: stream)
          } else {
            let refusal = await refusal { _ = try await camera.start(configuration) }
            #expect(refusal?.code == .unsupported)
            #expect(refusal?.cause?.contains(words) == true, "\(refusal?.cause ?? "none")")
          }
        }
        let stream = try await camera.start(Self.small)
        _ = try await camera.firstLease(of: stream)
      }
    }

    @Test(arguments: ConformanceBoard.withAnyControls)
    func `refused controls do not change a stream`(board: ConformanceBoard) async throws {
      try await board.withCamera { camera in
        let stream = try await camera.start(Self.small)
        let capabilities = await camera.capabilities
        // A control that the camera may have, together with one that it lacks.
        let controls = CameraControls(
          exposureMode: .custom(duration: .milliseconds(5), gain: 2), videoZoomFactor: 1e9)
        #expect(capabilities.refusal(of: controls) != nil)
        let refusal = await refusal { try await camera.setControls(controls) }
        #expect(refusal?.code == .unsupported)
        var count = 0
        for await frame in stream.events.frames {
          #expect(frame.exposureState != .locked)
          count += 1
          if count == 12 { break }
        }
        #expect(count == 12)
      }
    }

    @Test(arguments: ConformanceBoard.withAnyControls)
    func `a fixed exposure holds from the first frame and can be changed`(
      board: ConformanceBoard
    ) async throws {
      try await board.withCamera { camera in
        let first = CameraControls(
          exposureMode: .custom(duration: .milliseconds(5), gain: 2),
          whiteBalanceMode: .custom(WhiteBalanceGains(red: 2, blue: 1.5)))
        let second = CameraControls(exposureMode: .custom(duration: .milliseconds(8), gain: 4))
        let capabilities = await camera.capabilities
        guard capabilities.refusal(of: first) == nil else {
          // A camera without these controls can only refuse them.
          let refusal = await refusal { try await camera.setControls(second) }
          #expect(refusal?.code == .unsupported)
          return
        }
        // Controls that were set before the start hold for it, too.
        try await camera.setControls(first)
        let stream = try await camera.start(Self.small)
        var count = 0
        var isSecond = false
        // A machine that was held up has frames of seconds from before the change.
        var (changed, laterCount) = (MonotonicInstant?.none, 0)
        for await frame in stream.events.frames {
          count += 1
          if let changed, frame.timestamp > changed { laterCount += 1 }
          let duration = try #require(frame.exposureDuration)
          let gain = try #require(frame.analogueGain)
          if count <= 3 {
            #expect(abs(duration.inMilliseconds - 5) < 0.1 && abs(gain - 2) < 0.05)
            #expect(frame.whiteBalanceGains.map { abs($0.red - 2) < 0.05 } ?? true)
          }
          if count == 3 {
            try await camera.setControls(second)
            changed = SystemMonotonicClock().now
          }
          isSecond = abs(duration.inMilliseconds - 8) < 0.1 && abs(gain - 4) < 0.05
          if isSecond || laterCount > 40 { break }
        }
        #expect(isSecond, "no frame with the second exposure among \(count)")
      }
    }

    /// Checks that no controls of a row are skipped, on which brackets depend.
    @Test(arguments: ConformanceBoard.withAnyControls)
    func `exposures that are set in a row come on frames of their own, in order`(
      board: ConformanceBoard
    ) async throws {
      try await board.withCamera { camera in
        let durations = [2, 4, 8]
        func controls(_ milliseconds: Int) -> CameraControls {
          CameraControls(exposureMode: .custom(duration: .milliseconds(milliseconds), gain: 2))
        }
        // A camera without the control is another test's.
        guard await camera.capabilities.refusal(of: controls(2)) == nil else { return }
        let stream = try await camera.start(Self.small)
        var seen: [Int] = []
        var count = 0
        for await frame in stream.events.frames {
          // A busy machine may miss a frame of the row, which is set again then.
          if count.isMultiple(of: 40) {
            seen = []
            for duration in durations { try await camera.setControls(controls(duration)) }
          }
          count += 1
          let exposed = try #require(frame.exposureDuration).inMilliseconds
          let gain = try #require(frame.analogueGain)
          let shown = durations.first { abs(exposed * gain / Double($0 * 2) - 1) < 0.02 }
          if let shown, frame.exposureState == .locked, seen.last != shown,
            !seen.isEmpty || shown == durations.first
          {
            seen.append(shown)
          }
          if seen == durations || count >= 800 { break }
        }
        #expect(seen == durations, "after \(count) frames")
      }
    }

    private static func with(_ controls: CameraControls) -> StreamConfiguration {
      var configuration = small
      configuration.controls = controls
      return configuration
    }

    private func refusal(_ body: () async throws -> Void) async -> DeviceError? {
      do { try await body() } catch { return error as? DeviceError }
      return nil
    }
  }
}
