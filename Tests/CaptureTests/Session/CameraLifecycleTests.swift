import Devices
import TestSupport
import Testing

@testable import Capture

/// The camera's life as a value: its states, its steps and the requests of other tasks.
@Suite struct CameraLifecycleTests {
  private let desk = CameraRole(rawValue: "desk")
  private let camera = HangingCamera(in: .list)
  private let fault = DeviceError(.inputOutput, device: "camera", problem: "has failed")

  private func absent() -> CameraLifecycle {
    CameraLifecycle(.main, ladder: RecoveryLadder(startedAt: instant(0)))
  }

  /// Brings the camera of the active role to its stream.
  private func stream(_ life: inout CameraLifecycle, at milliseconds: Int64 = 0) {
    if life.current == nil {
      _ = life.nextStep(at: instant(milliseconds))
      _ = life.opened(camera, as: life.activeRole)
    }
    _ = life.nextStep(at: instant(milliseconds))
    _ = life.started()
  }

  private func streaming() -> CameraLifecycle {
    var life = absent()
    stream(&life)
    return life
  }

  private func step(_ life: inout CameraLifecycle, at milliseconds: Int64 = 0) -> String {
    life.nextStep(at: instant(milliseconds)).text
  }

  private func isStopped(_ end: StreamEnd?) -> Bool {
    if case .stopped? = end { true } else { false }
  }

  /// Makes a change for a body, and answers its caller afterward.
  private func withChange(to role: CameraRole, _ body: (SettingsChange) -> Void) async {
    let failure = ConfigurationFailure(.interrupted, fault)
    let outcome: SettingsChange.Outcome = await withCheckedContinuation { continuation in
      let change = SettingsChange(
        settings: SessionSettings(camera: role, preset: .photo), role: role, camera: nil,
        releasesFocus: false, continuation: continuation)
      body(change)
      continuation.resume(returning: .failure(failure))
    }
    #expect(outcome == .failure(failure))
  }

  // MARK: To the stream

  @Test func `a camera is opened and started, and streams`() {
    var life = absent()
    var seen = [life.text, step(&life), life.text]
    let isUsed = life.opened(camera, as: .main)
    seen += [life.text, step(&life), life.text]
    let isStreaming = life.started()
    seen.append(life.text)
    #expect(isUsed && isStreaming)
    #expect(
      seen == [
        "absent", "open main", "opening", "starting main", "start", "starting main",
        "streaming main",
      ])
  }

  @Test func `a camera is not used when another was chosen while it opened`() {
    var life = absent()
    _ = step(&life)
    life.choose(desk)
    let isUsed = life.opened(camera, as: .main)
    #expect(!isUsed)
    #expect(life.text == "absent")
    let next = step(&life)
    #expect(next == "open desk")
  }

  @Test func `a camera does not stream on when another was chosen while it started`() {
    var life = absent()
    _ = step(&life)
    _ = life.opened(camera, as: .main)
    _ = step(&life)
    life.choose(desk)
    let isStreaming = life.started()
    #expect(!isStreaming)
    let steps = [step(&life), life.release() == nil ? "none" : "closed", step(&life)]
    #expect(steps == ["close", "closed", "open desk"])
  }

  @Test func `an open camera is started again after a stream without a fault`() {
    var life = streaming()
    let next = step(&life)
    #expect(next == "start")
    #expect(life.text == "starting main")
  }

  // MARK: Failures

  @Test func `the next attempt with an open camera follows a pause`() {
    var life = streaming()
    _ = life.failed(fault, at: instant(1000))
    #expect(life.text == "recovering main")
    // The means of recovery take their time before the pause.
    let steps = [1500, 1600, 1699, 1700].map { step(&life, at: $0) }
    #expect(steps == ["pause until 1700", "pause until 1700", "pause until 1700", "start"])
  }

  @Test func `a closed camera is opened after the pause`() {
    var life = streaming()
    _ = life.failed(fault, at: instant(1000))
    _ = life.release()
    #expect(life.text == "recovering")
    let steps = [1000, 1200].map { step(&life, at: $0) }
    #expect(steps == ["pause until 1200", "open main"])
  }

  @Test func `the choice of another camera ends the pause and the count of failures`() {
    var life = streaming()
    _ = life.failed(fault, at: instant(1000))
    let pause = step(&life, at: 1000)
    #expect(pause == "pause until 1200")
    life.choose(desk)
    #expect(life.ladder.failureCount == 0)
    let close = step(&life, at: 1010)
    _ = life.release()
    let open = step(&life, at: 1010)
    #expect([close, open] == ["close", "open desk"])
  }

  /// The standby does not replace the chosen camera either, however often the other one failed.
  @Test(arguments: [false, true])
  func `a failure is not that of a camera chosen meanwhile`(isOpen: Bool) {
    var life = absent()
    _ = step(&life)
    if isOpen {
      _ = life.opened(camera, as: .main)
      _ = step(&life)
    }
    life.choose(desk)
    _ = life.failed(fault, at: instant(1000))
    let isReplaced = life.standbyTakesOver(.main, from: desk)
    #expect(!isReplaced)
    #expect(life.activeRole == desk)
    #expect(life.ladder.failureCount == 0)
    _ = life.release()
    let next = step(&life, at: 1000)
    #expect(next == "open desk")
  }

  // MARK: The standby

  /// Has the camera fail until the ladder suggests the standby.
  private func failUntilStandby(_ life: inout CameraLifecycle, at milliseconds: Int64) -> Bool {
    for failure in 0..<3 {
      let step = life.failed(fault, at: instant(milliseconds + Int64(failure)))
      if step.suggestsStandby { return true }
    }
    return false
  }

  @Test func `the standby takes over, and gives way to the wanted camera when it fails`() {
    var life = streaming()
    let isSuggested = failUntilStandby(&life, at: 1000)
    let isOver = life.standbyTakesOver(desk, from: .main)
    #expect(isSuggested && isOver)
    #expect(life.activeRole == desk)
    // The camera that has failed was kept open, and the standby has the pause.
    let close = step(&life, at: 1010)
    _ = life.release()
    let steps = [close, step(&life, at: 1010), step(&life, at: 6010)]
    #expect(steps == ["close", "pause until 6010", "open desk"])
    _ = life.opened(camera, as: desk)
    stream(&life, at: 6010)
    #expect(life.text == "streaming desk")
    _ = failUntilStandby(&life, at: 7000)
    let isBack = life.standbyTakesOver(desk, from: .main)
    #expect(isBack)
    #expect(life.activeRole == .main)
  }

  @Test func `no standby replaces a camera chosen since the failure`() {
    var life = streaming()
    _ = failUntilStandby(&life, at: 1000)
    life.choose(desk)
    let isOver = life.standbyTakesOver(.main, from: desk)
    #expect(!isOver)
    #expect(life.activeRole == desk)
  }

  @Test func `a wanted camera does not stand by for itself`() {
    var life = streaming()
    _ = failUntilStandby(&life, at: 1000)
    let isOver = life.standbyTakesOver(.main, from: .main)
    #expect(!isOver)
    #expect(life.activeRole == .main)
  }

  // MARK: A technician

  @Test func `a stop ends the stream and closes the camera until a resumption`() {
    var life = streaming()
    life.isStopWanted = true
    let isStopped = isStopped(life.requestedEnd())
    #expect(isStopped)
    _ = life.release()
    var seen = [step(&life), life.text]
    life.isStopWanted = false
    seen += [step(&life), life.text]
    #expect(seen == ["stay stopped", "stopped", "open main", "opening"])
  }

  @Test func `a stop closes a camera that was kept open, and a resumption has no pause`() {
    var life = streaming()
    _ = life.failed(fault, at: instant(1000))
    var steps = [step(&life, at: 1000)]
    life.isStopWanted = true
    steps.append(step(&life, at: 1010))
    _ = life.release()
    steps.append(step(&life, at: 1010))
    life.isStopWanted = false
    steps.append(step(&life, at: 1020))
    #expect(steps == ["pause until 1200", "close", "stay stopped", "open main"])
  }

  @Test func `a camera that opens during a stop is not started`() {
    var life = absent()
    _ = step(&life)
    life.isStopWanted = true
    _ = life.opened(camera, as: .main)
    let next = step(&life)
    #expect(next == "close")
  }

  // MARK: Changes

  @Test func `one change waits, and is taken by the stream`() async {
    var life = absent()
    var waited: [Bool] = []
    var ends: [Bool] = []
    await withChange(to: desk) { change in
      waited.append(life.wait(for: change))
      stream(&life)
      waited.append(life.wait(for: change))
      waited.append(life.wait(for: change))
      for _ in 0..<2 {
        if case .change? = life.requestedEnd() { ends.append(true) } else { ends.append(false) }
      }
    }
    #expect(waited == [false, true, false])
    #expect(ends == [true, false])
  }

  @Test func `no change waits during a stop, a recovery or another change`() async {
    var (stopping, recovering, changing) = (streaming(), streaming(), streaming())
    stopping.isStopWanted = true
    _ = recovering.failed(fault, at: instant(1000))
    _ = changing.beginChange(to: .main, nil)
    var waited: [Bool] = []
    await withChange(to: .main) { change in
      waited = [
        stopping.wait(for: change), recovering.wait(for: change), changing.wait(for: change),
      ]
    }
    #expect(waited == [false, false, false])
  }

  @Test func `a change that fails returns to the camera before`() {
    var life = streaming()
    let hasFallback = life.beginChange(to: desk, camera) != nil
    #expect(hasFallback)
    #expect(life.text == "changing desk")
    life.rollBack()
    #expect(life.text == "changing main")
    #expect(life.activeRole == .main)
    life.finishChange()
    #expect(life.text == "streaming main")
  }

  @Test(arguments: [false, true])
  func `only another camera begins a new count of failures`(isOther: Bool) {
    var life = streaming()
    _ = life.failed(fault, at: instant(1000))
    _ = step(&life, at: 1000)
    stream(&life, at: 2000)
    #expect(life.text == "streaming main")
    _ = isOther ? life.beginChange(to: desk, camera) : life.beginChange(to: .main, nil)
    life.finishChange()
    #expect(life.text == (isOther ? "streaming desk" : "streaming main"))
    #expect(life.ladder.failureCount == (isOther ? 0 : 1))
  }

  @Test func `a stop is noticed during a change`() {
    var life = streaming()
    _ = life.beginChange(to: .main, nil)
    let goesOn = life.requestedEnd() == nil
    #expect(goesOn)
    life.isStopWanted = true
    let isStopped = isStopped(life.requestedEnd())
    #expect(isStopped)
  }
}
