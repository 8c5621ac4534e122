import Devices
import TestSupport
import Testing

@testable import Capture

/// Random requests and results: every camera is closed once, and every state has a way on.
@Suite struct CameraLifecyclePropertyTests {
  private let roles = [CameraRole.main, CameraRole(rawValue: "desk")]
  private let camera = HangingCamera(in: .list)
  private let fault = DeviceError(.inputOutput, device: "camera", problem: "has failed")

  /// A lifecycle with the number of cameras that its session holds open.
  private struct Held {
    var life: CameraLifecycle
    var openCount = 0
    var now = MonotonicInstant(nanoseconds: 0)
    var random: SeededGenerator
  }

  /// Carries out the next step as a session does; its calls may fail, and requests may come then.
  ///
  /// - Returns: whether the camera streamed.
  private func carryOutStep(_ held: inout Held, fails: Bool) -> Bool {
    switch held.life.nextStep(at: held.now) {
    case .close:
      if held.life.release() != nil { held.openCount -= 1 }
    case .open(let role):
      if fails { request(&held) }
      if fails, Bool.random(using: &held.random) {
        fail(&held)
      } else if held.life.opened(camera, as: role) {
        held.openCount += 1
      }
    case .start:
      if fails { request(&held) }
      if fails, Bool.random(using: &held.random) {
        fail(&held)
      } else if held.life.started() {
        return true
      } else if held.life.release() != nil {
        held.openCount -= 1
      }
    case .pause(let end): held.now = end
    case .stayStopped: break
    }
    return false
  }

  private func fail(_ held: inout Held) {
    _ = held.life.failed(fault, at: held.now)
    if Bool.random(using: &held.random), held.life.release() != nil { held.openCount -= 1 }
    if Bool.random(using: &held.random) { _ = held.life.standbyTakesOver(roles[1], from: .main) }
  }

  private func request(_ held: inout Held) {
    switch Int.random(in: 0..<4, using: &held.random) {
    case 0: held.life.isStopWanted = true
    case 1: held.life.isStopWanted = false
    default: held.life.choose(roles[Int.random(in: 0..<2, using: &held.random)])
    }
  }

  /// Streams until a change, a stop, a fault or a cancellation.
  private func stream(_ held: inout Held) {
    switch Int.random(in: 0..<4, using: &held.random) {
    case 0: fail(&held)
    case 1: break
    case 2: held.life.isStopWanted = true
    default:
      let role = roles[Int.random(in: 0..<2, using: &held.random)]
      let isOther = role != held.life.activeRole
      _ = held.life.beginChange(to: role, isOther ? camera : nil)
      // A change ends with one of its two cameras closed.
      if Bool.random(using: &held.random) { held.life.rollBack() }
      held.life.finishChange()
      stream(&held)
    }
  }

  @Test(arguments: 0..<50 as Range<UInt64>)
  func `no camera is lost, and a wanted camera streams again`(seed: UInt64) {
    let ladder = RecoveryLadder(startedAt: MonotonicInstant(nanoseconds: 0))
    var held = Held(
      life: CameraLifecycle(.main, ladder: ladder), random: SeededGenerator(seed: seed))
    for _ in 0..<300 {
      if Bool.random(using: &held.random) { request(&held) }
      if carryOutStep(&held, fails: true) { stream(&held) }
      #expect(held.openCount == (held.life.current == nil ? 0 : 1), "seed \(seed)")
    }
    held.life.isStopWanted = true
    for _ in 0..<3 { _ = carryOutStep(&held, fails: false) }
    #expect(held.life.text == "stopped", "seed \(seed)")
    #expect(held.openCount == 0, "seed \(seed)")
    held.life.isStopWanted = false
    held.life.choose(.main)
    for _ in 0..<2 { _ = carryOutStep(&held, fails: false) }
    #expect(held.life.text == "streaming main", "seed \(seed)")
  }
}
