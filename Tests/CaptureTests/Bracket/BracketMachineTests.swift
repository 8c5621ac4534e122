import Devices
import TestSupport
import Testing

@testable import Capture

/// The course of a bracket on a camera of a few lines: controls land late, and frames are lost.
@Suite struct BracketMachineTests {
  /// A camera that applies one set of controls to each frame, some frames late.
  struct Camera {
    let session: CameraControls
    /// The frames from a request to the frame with its controls.
    var delay: Int
    private var waiting: [CameraControls] = []
    private var pipeline: [(due: Int, controls: CameraControls)] = []
    private var current: CameraControls
    private(set) var frameCount = 0

    init(_ session: CameraControls, delay: Int) {
      self.session = session
      self.delay = delay
      current = session
    }

    mutating func set(_ controls: CameraControls) { waiting.append(controls) }

    /// Exposes the next frame.
    mutating func expose() -> FrameInfo {
      frameCount += 1
      if !waiting.isEmpty { pipeline.append((frameCount + delay, waiting.removeFirst())) }
      while let next = pipeline.first, next.due <= frameCount {
        current = next.controls
        pipeline.removeFirst()
      }
      var frame = BracketPlanTests.frame(UInt64(frameCount))
      if case .custom(let duration, let gain)? = current.exposureMode {
        frame.exposureDuration = duration
        frame.analogueGain = gain
      }
      if case .locked(let position?)? = current.focusMode { frame.lensPosition = position }
      return frame
    }
  }

  /// A machine with its camera, and what came of them.
  struct Bench {
    var machine: BracketMachine
    var camera: Camera
    private(set) var chosen: [Int: FrameInfo] = [:]
    private(set) var isComplete = false
    private(set) var refusal: BracketRefusal?
    private(set) var restoreCount = 0
    private(set) var isEnded = false
    /// The lamps that were asked for, in order.
    private(set) var lights: [String?] = []
    /// The frames since a lamp, or none, was asked for last.
    private(set) var framesInLight = 0
    /// Whether the lamps go dark when none is asked for.
    var goesDark = true
    /// The frame with which the last step was chosen.
    private(set) var completedAt = 0

    init(
      _ text: String, delay: Int = 2, pressedAt time: Int64 = 0,
      camera description: BracketCamera = BracketPlanTests.camera
    ) throws {
      machine = BracketMachine(
        try Bracket(text), on: description, pressTime: MonotonicInstant(nanoseconds: time),
        settlingLimit: .zero)
      camera = Camera(description.controls, delay: delay)
    }

    /// Exposes a frame and gives it to the machine, unless it is lost.
    mutating func step(
      isLost: Bool = false, isFree: Bool = true, loses: (Int) -> Bool = { _ in false }
    ) {
      let frame = camera.expose()
      if isLost { return }
      framesInLight += 1
      let isInLight = lights.last.map { framesInLight > camera.delay && ($0 != nil || goesDark) }
      for action in machine.frame(
        frame, isFree: isFree, isInLight: isInLight ?? false, now: frame.timestamp)
      {
        switch action {
        case .light(let lamp):
          lights.append(lamp)
          framesInLight = 0
        case .set(let controls): for one in controls { camera.set(one) }
        case .lease(let frame, let step):
          if loses(step) {
            machine.lost(step)
          } else {
            chosen[step] = frame
            if machine.leased(step) {
              isComplete = true
              completedAt = camera.frameCount
            }
          }
        case .refuse(let refusal): self.refusal = refusal
        case .restore:
          restoreCount += 1
          camera.set(camera.session)
        case .end: isEnded = true
        }
      }
    }

    mutating func run(frames limit: Int = 400) {
      while !isEnded, refusal == nil || machine.hasChangedControls, camera.frameCount < limit {
        step()
      }
    }

    /// Whether every chosen frame was exposed as its step wants.
    var areRight: Bool {
      chosen.allSatisfy { index, frame in machine.steps[index].matches(frame) }
    }
  }

  /// The metered frame, the frames from the request to its controls, and the steps.
  ///
  /// On a Raspberry Pi four queued requests and a sensor's delay of three make seven, and so the
  /// eleven frames of the documentation.
  @Test(arguments: ["ev=-2,0,2", "ev=2,0,-2", "ev=-1,1", "ms=80,5,20"], 0...7)
  func `exposures take no more frames than their controls need`(text: String, delay: Int) throws {
    var bench = try Bench(text, delay: delay)
    bench.run()
    #expect(bench.isComplete && bench.areRight && bench.refusal == nil)
    #expect(bench.completedAt <= delay + 1 + 3, "\(bench.completedAt)")
    #expect(bench.isEnded && bench.restoreCount == 1)
  }

  @Test(arguments: [0, 3, 60])
  func `lamps are lit one after the other and are dark at the end`(delay: Int) throws {
    var bench = try Bench("lamps=right,left", delay: delay)
    bench.run()
    #expect(bench.isComplete && bench.refusal == nil && bench.isEnded)
    #expect(bench.lights == ["right", "left", nil] && bench.restoreCount == 0)
    #expect(bench.chosen.count == 2 && bench.machine.steps.map(\.lamp) == ["right", "left"])
    #expect(bench.framesInLight == delay + 1, "presses are admitted in the dark")
  }

  @Test func `a lamp that does not go dark holds presses up for a limited time`() throws {
    var bench = try Bench("lamps=right,left", delay: 2)
    bench.goesDark = false
    bench.run()
    #expect(bench.isComplete && bench.isEnded)
    let limit = LampSwitch.longestChange + LampSwitch.longestSettling
    let time = Duration.nanoseconds(33_333_000) * bench.framesInLight
    #expect(time >= limit && time <= limit + .milliseconds(100), "\(time)")
  }

  @Test func `a lamp whose frame was lost is lit again`() throws {
    var bench = try Bench("lamps=right,left", delay: 2)
    while bench.lights.count < 2 { bench.step(loses: { _ in true }) }
    bench.run()
    #expect(bench.isComplete && bench.chosen.count == 2)
    #expect(bench.lights.last == .some(nil) && bench.lights.contains("right"))
    #expect(bench.lights.count >= 4, "\(bench.lights)")
  }

  @Test(arguments: [0, 3, 7])
  func `lens positions are set one after the other and rest before a frame is taken`(
    delay: Int
  ) throws {
    var bench = try Bench("focus=1,4,6", delay: delay)
    bench.run()
    #expect(bench.isComplete && bench.areRight && bench.isEnded)
    let order = bench.chosen.sorted { $0.value.id < $1.value.id }.map(\.key)
    #expect(order == [0, 1, 2])
  }

  @Test func `no frame from before the press is taken`() throws {
    var bench = try Bench("ev=0,2", pressedAt: 33_333_000 * 20)
    bench.run()
    #expect(bench.isComplete)
    #expect(
      bench.chosen.values.allSatisfy { $0.exposureMidpoint.nanoseconds >= 33_333_000 * 20 })
  }

  @Test func `nothing is changed while another press waits for its frame`() throws {
    var bench = try Bench("ev=-2,0,2")
    for _ in 0..<30 { bench.step(isFree: false) }
    #expect(!bench.machine.hasChangedControls)
    bench.run()
    #expect(bench.isComplete)
  }

  @Test func `a refusal before the beginning changes nothing`() throws {
    var bench = try Bench("ev=-8,8")
    bench.run()
    #expect(bench.refusal?.reason == .bracketOutOfRange)
    #expect(!bench.machine.hasChangedControls && bench.restoreCount == 0)
  }

  @Test func `a camera that ignores the controls is refused and restored`() throws {
    var bench = try Bench("ev=-2,0,2", delay: 10_000)
    bench.run()
    #expect(bench.refusal?.reason == .bracketNotExposed)
    #expect(bench.refusal?.cause.contains("step 1, 3") == true)
    #expect(bench.isEnded && bench.restoreCount == 1 && !bench.isComplete)
  }

  @Test func `a bracket that is given up is restored and waits for late controls`() throws {
    var bench = try Bench("ev=-2,0,2", delay: 3)
    for _ in 0..<4 { bench.step() }
    bench.machine.giveUp()
    bench.run()
    #expect(bench.isEnded && bench.restoreCount == 1 && !bench.isComplete)
    // Every control that was under way has come and gone.
    let last = bench.camera.expose()
    #expect(last.exposureProduct == BracketPlanTests.frame().exposureProduct)
  }

  @Test func `a press that waits for settled automatics meters later`() throws {
    var machine = BracketMachine(
      .standard, on: BracketPlanTests.camera, pressTime: MonotonicInstant(nanoseconds: 0),
      settlingLimit: .milliseconds(200))
    var frame = BracketPlanTests.frame(1)
    frame.exposureState = .searching
    let early = machine.frame(frame, isFree: true, now: frame.timestamp)
    #expect(early == [])
    frame = BracketPlanTests.frame(9)
    frame.exposureState = .searching
    let late = machine.frame(frame, isFree: true, now: frame.timestamp)
    #expect(late != [])
  }

  @Test func `every run ends restored with all frames right or with a refusal`() throws {
    let seed = TestSeed.value
    var random = TestSeed.generator(23)
    let texts = ["ev=-2,0,2", "ev=1,-1", "ms=10,2,50", "focus=1,4,6", "ev=-3,-2,-1,0"]
    for round in 0..<400 {
      let text = try #require(texts.randomElement(using: &random))
      var bench = try Bench(text, delay: Int.random(in: 0...6, using: &random))
      let lossRate = Double.random(in: 0...0.5, using: &random)
      let abandonedAt = Int.random(in: 0...60, using: &random)
      let isAbandoned = Bool.random(using: &random)
      while !bench.isEnded, bench.refusal == nil || bench.machine.hasChangedControls,
        bench.camera.frameCount < 2000
      {
        let isLost = Double.random(in: 0..<1, using: &random) < lossRate
        let losesLease = Double.random(in: 0..<1, using: &random) < lossRate / 2
        if isAbandoned, bench.camera.frameCount == abandonedAt { bench.machine.giveUp() }
        if !bench.machine.hasChangedControls, !bench.machine.isChoosing { break }
        bench.step(isLost: isLost) { _ in losesLease }
      }
      let comment = "seed \(seed), round \(round), \(text)"
      #expect(!bench.machine.hasChangedControls, "\(comment)")
      #expect(bench.areRight, "\(comment)")
      if bench.isComplete { #expect(bench.chosen.count == bench.machine.steps.count, "\(comment)") }
      if !isAbandoned { #expect(bench.isComplete != (bench.refusal != nil), "\(comment)") }
      // Frames are the session's again.
      let last = bench.camera.expose()
      #expect(last.exposureProduct == BracketPlanTests.frame().exposureProduct, "\(comment)")
    }
  }
}
