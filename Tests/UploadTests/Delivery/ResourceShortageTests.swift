import Glibc
import Testing

@testable import Transfer
@testable import Upload

@Suite struct ResourceShortageTests {
  @Test(arguments: [EMFILE, ENFILE, ENOMEM, ENOBUFS])
  func `a lack of resources is neither the item's nor the target's fault`(number: Int32) {
    let file = FileFailure("open", "/spool/a", number: number)
    let body = TransferError(
      ReadFailure(path: "/spool/a", number: number).code, method: "PUT", url: "http://h/x",
      problem: "cannot read its body")
    let secret = SecretFile(path: "/secret").failure(number: number)
    for failure in [file.sourceFailure, file.deliveryFailure, DeliveryFailure(body), secret] {
      #expect(failure.code == .shortOfResources)
      #expect(failure.scope == .target)
      #expect(failure.isLocal && !failure.mayComeFromItem)
    }
  }

  @Test func `other errors keep their meaning`() {
    let file = FileFailure("read", "/spool/a", number: EIO)
    #expect(file.sourceFailure.code == .fileUnreadable)
    #expect(file.deliveryFailure.code == .unreachable)
    #expect(ReadFailure(path: nil, number: EIO).code == .fileUnreadable)
    #expect(SecretFile(path: "/secret").failure(number: EACCES).code == .unauthorized)
  }
}
