import Digests
import Testing

@testable import Upload

@Suite struct S3MultipartMachineTests {
  private typealias Action = S3MultipartMachine.Action

  private let plan = S3PartPlan(byteCount: (12 << 20) + 3, partByteCount: 5 << 20)
  private let parts: [S3LocalPart]

  init() {
    let plan = plan
    parts = (1...plan.count).map {
      S3LocalPart(
        range: plan.range(of: $0), sha256: [UInt8](repeating: UInt8($0), count: 32),
        md5: [UInt8](repeating: UInt8($0), count: 16))
    }
  }

  private func machine() -> S3MultipartMachine { S3MultipartMachine(plan: plan, parts: parts) }

  private func state(_ session: String, isFinalSent: Bool = false) -> ResumeState {
    ResumeState(
      kind: "s3Multipart", session: session, partByteCount: 5 << 20, isFinalSent: isFinalSent)
  }

  /// The step before an upload is begun.
  private let announcement = Action.keep(
    ResumeState(kind: "s3Creation", session: "", partByteCount: 5 << 20))

  /// Returns a part as a server without checksums lists it.
  private func stored(_ number: Int) -> S3StoredPart {
    let local = parts[number - 1]
    return S3StoredPart(
      number: number, entityTag: "\"\(local.md5.hexadecimal.uppercased())\"",
      byteCount: local.byteCount, sha256: nil)
  }

  /// Drives a machine from the sending of a part to the sending of the completion.
  private func sendAll(
    _ action: Action, _ machine: inout S3MultipartMachine
  ) -> (sent: [Int], completion: Action) {
    var action = action
    var sent: [Int] = []
    while true {
      switch action {
      case .upload(let part, _):
        sent.append(part)
        action = machine.uploaded(entityTag: "\"tag\(part)\"")
      case .keep:
        action = machine.kept()
      default:
        return (sent, action)
      }
    }
  }

  @Test func `a list that continues after the last part is not read on`() {
    var machine = machine()
    #expect(machine.begin(state("u")) == .listParts(uploadID: "u", after: 0))
    let odd = S3StoredPart(number: 3, entityTag: "x", byteCount: 1, sha256: nil)
    #expect(
      machine.listed(S3PartPage(parts: [odd], isTruncated: true))
        == .upload(part: 1, uploadID: "u"))
  }

  @Test func `the upload is kept before its first part and its end`() {
    var machine = machine()
    #expect(machine.begin(nil) == announcement)
    #expect(machine.kept() == .create)
    #expect(machine.created("u") == .keep(state("u")))
    #expect(machine.kept() == .upload(part: 1, uploadID: "u"))
    #expect(machine.uploaded(entityTag: "a") == .upload(part: 2, uploadID: "u"))
    #expect(machine.storedByteCount == 5 << 20)
    #expect(machine.uploaded(entityTag: "b") == .upload(part: 3, uploadID: "u"))
    #expect(machine.uploaded(entityTag: "c") == .keep(state("u", isFinalSent: true)))
    #expect(machine.storedByteCount == (12 << 20) + 3)
    let completion = machine.kept()
    guard case .complete("u", let list) = completion else {
      Issue.record("\(completion)")
      return
    }
    #expect(list.map(\.number) == [1, 2, 3])
    #expect(list.map(\.entityTag) == ["a", "b", "c"])
    #expect(list.map(\.sha256) == parts.map { ByteText.base64($0.sha256) })
    #expect(machine.completed() == .finish(isDuplicate: false))
  }

  @Test func `an upload whose ID was lost is aborted before another is begun`() {
    var machine = machine()
    guard case .keep(let state) = machine.begin(nil) else {
      Issue.record("no state is kept before the upload is begun")
      return
    }
    var next = self.machine()
    #expect(next.begin(state) == .abortUnknown)
    #expect(next.abortedUnknown() == .create)
    #expect(next.created("v") == .keep(self.state("v")))
  }

  @Test func `only missing parts are sent again`() {
    var machine = machine()
    #expect(machine.begin(state("u")) == .listParts(uploadID: "u", after: 0))
    let first = S3PartPage(parts: [stored(1)], isTruncated: true)
    #expect(machine.listed(first) == .listParts(uploadID: "u", after: 1))
    let action = machine.listed(S3PartPage(parts: [stored(3)]))
    let (sent, completion) = sendAll(action, &machine)
    #expect(sent == [2])
    guard case .complete("u", let list) = completion else {
      Issue.record("\(completion)")
      return
    }
    // AWS demands the checksum of each part, also of parts that were only listed.
    #expect(list.map(\.sha256) == parts.map { ByteText.base64($0.sha256) })
  }

  @Test func `a part that is not ours is sent again`() {
    var shorter = stored(1)
    shorter.byteCount -= 1
    var otherTag = stored(2)
    otherTag.entityTag = "\"0123\""
    var otherChecksum = stored(3)
    otherChecksum.sha256 = ByteText.base64([1, 2, 3])
    var machine = machine()
    _ = machine.begin(state("u"))
    let foreign = S3StoredPart(number: 9, entityTag: "x", byteCount: 1, sha256: nil)
    let page = S3PartPage(parts: [shorter, otherTag, otherChecksum, foreign])
    let action = machine.listed(page)
    #expect(machine.storedByteCount == 0)
    #expect(sendAll(action, &machine).sent == [1, 2, 3])
  }

  @Test func `an endless list of parts is not read on`() {
    var machine = machine()
    _ = machine.begin(state("u"))
    let page = S3PartPage(parts: [stored(1)], isTruncated: true)
    #expect(machine.listed(page) == .listParts(uploadID: "u", after: 1))
    #expect(machine.listed(page) == .upload(part: 2, uploadID: "u"))
    var other = self.machine()
    _ = other.begin(state("u"))
    #expect(
      other.listed(S3PartPage(parts: [], isTruncated: true)) == .upload(part: 1, uploadID: "u"))
  }

  @Test func `all parts are sent again into the same upload without a list`() {
    var machine = machine()
    _ = machine.begin(state("u"))
    let action = machine.listRefused()
    let (sent, completion) = sendAll(action, &machine)
    #expect(sent == [1, 2, 3])
    guard case .complete("u", _) = completion else {
      Issue.record("\(completion)")
      return
    }
  }

  @Test func `a forgotten upload is restarted twice`() {
    var machine = machine()
    _ = machine.begin(state("u"))
    #expect(machine.sessionIsGone() == announcement)
    _ = machine.kept()
    _ = machine.created("v")
    #expect(machine.kept() == .upload(part: 1, uploadID: "v"))
    #expect(machine.sessionIsGone() == announcement)
    _ = machine.kept()
    _ = machine.created("w")
    _ = machine.kept()
    #expect(machine.sessionIsGone() == .giveUp)
  }

  @Test(arguments: [true, false, nil])
  func `the object is looked for after a lost answer to the completion`(isThere: Bool?) {
    var machine = machine()
    _ = machine.begin(state("u", isFinalSent: true))
    #expect(machine.sessionIsGone() == .look)
    #expect(
      machine.looked(isThere: isThere)
        == (isThere == true ? .finish(isDuplicate: true) : announcement))
  }

  /// Drives a new machine to its completion.
  private func completing() -> S3MultipartMachine {
    var machine = machine()
    _ = machine.begin(nil)
    _ = machine.kept()
    let action = machine.created("u")
    _ = sendAll(action, &machine)
    return machine
  }

  @Test(arguments: [true, nil])
  func `an existing object ends the delivery and the upload is aborted`(isThere: Bool?) {
    var machine = completing()
    #expect(machine.objectExists() == .abort(uploadID: "u"))
    #expect(machine.aborted() == .look)
    #expect(machine.looked(isThere: isThere) == .finish(isDuplicate: true))
  }

  @Test func `an object that vanishes meanwhile is made again`() {
    var machine = completing()
    _ = machine.objectExists()
    _ = machine.aborted()
    #expect(machine.looked(isThere: false) == announcement)
  }

  @Test func `a refused completion restarts the upload without leaving parts`() {
    var machine = completing()
    #expect(machine.completionRefused() == .abort(uploadID: "u"))
    #expect(machine.aborted() == announcement)
    _ = machine.kept()
    let action = machine.created("v")
    #expect(sendAll(action, &machine).sent == [1, 2, 3])
    #expect(machine.completionRefused() == .abort(uploadID: "v"))
    #expect(machine.aborted() == .giveUp)
  }

  @Test func `an upload that is gone at its completion may have made the object`() {
    var machine = completing()
    #expect(machine.sessionIsGone() == .look)
    #expect(machine.looked(isThere: nil) == announcement)
  }
}
