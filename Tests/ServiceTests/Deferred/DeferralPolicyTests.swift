import Devices
import Spool
import Testing

@testable import Service

/// The time at which final pictures are made, and the reasons to keep proxies.
@Suite struct DeferralPolicyTests {
  private typealias Rig = DeferralPolicy.Rig

  @Test(
    arguments: [
      // A final picture waits until the rig is idle, and not longer than an hour.
      (14, 9, Rig(), 0, nil), (15, 10, Rig(), 0, .makeFinal), (3599, 0, Rig(isBusy: true), 0, nil),
      (60, 60, Rig(isBusy: true), 0, nil), (3600, 0, Rig(isBusy: true), 0, .makeFinal),
      // Heat and too little memory keep the proxy after that hour.
      (3599, 3599, Rig(isHot: true), 0, nil), (3600, 0, Rig(isHot: true), 0, .keepProxy(.heat)),
      (60, 60, Rig(availableMemory: 213 << 20), 0, nil),
      (3600, 0, Rig(availableMemory: 213 << 20), 0, .keepProxy(.memory)),
      (60, 60, Rig(availableMemory: 214 << 20), 0, .makeFinal),
      (60, 60, Rig(), 2, .makeFinal), (60, 60, Rig(), 3, .keepProxy(.failed)),
    ] as [(Int, Int, DeferralPolicy.Rig, Int, DeferralPolicy.Step?)])
  func `the policy decides as listed`(
    age: Int, idle: Int, rig: DeferralPolicy.Rig, attempts: Int, step: DeferralPolicy.Step?
  ) {
    let decided = DeferralPolicy.step(
      attempts: attempts, sourceBytes: 100 << 20, age: .seconds(age), idle: .seconds(idle), rig)
    #expect(decided == step)
  }

  @Test(arguments: [Rig(isHot: true), Rig(availableMemory: 0), Rig(isBusy: true)])
  func `frames that are the only copy wait however long`(rig: DeferralPolicy.Rig) {
    func step(attempts: Int) -> DeferralPolicy.Step? {
      DeferralPolicy.step(
        attempts: attempts, sourceBytes: 100 << 20, age: .seconds(7200), idle: .zero,
        isOnlyCopy: true, rig)
    }
    #expect(step(attempts: 0) == nil && step(attempts: 3) == .keepProxy(.failed))
  }

  @Test func `attempts that power cuts ended have a limit of their own`() {
    func step(cutAttempts: Int) -> DeferralPolicy.Step? {
      DeferralPolicy.step(
        attempts: 0, cutAttempts: cutAttempts, sourceBytes: 100 << 20, age: .seconds(60),
        idle: .seconds(60), Rig())
    }
    #expect(step(cutAttempts: 9) == .makeFinal && step(cutAttempts: 10) == .keepProxy(.failed))
  }

  @Test func `a slow disk is spared until it is measured again`() {
    #expect(DeferralPolicy.pressesToAverage(0, afterWriting: 88 << 20, in: .seconds(1)) == 0)
    #expect(DeferralPolicy.pressesToAverage(0, afterWriting: 87 << 20, in: .seconds(1)) == 15)
    // A fast write beside a slow one does not end the pause.
    #expect(DeferralPolicy.pressesToAverage(15, afterWriting: 88 << 20, in: .seconds(1)) == 15)
  }
}
