import Foundation
import Synchronization
import TestSupport

@testable import Upload

/// A journal that remembers the progress.
final class NotedProgress: DeliveryJournal {
  private let steps = Mutex([DeliveryProgress]())

  /// The steps so far.
  var progress: [DeliveryProgress] { steps.withLock { $0 } }

  func keep(_ state: ResumeState?) async throws(DeliveryFailure) {}

  func note(_ progress: DeliveryProgress) { steps.withLock { $0.append(progress) } }

  func remark(_ text: String) {}
}

extension TemporaryDirectory {
  /// Writes a secret and names its file.
  func secret(_ text: String) throws -> SecretFile {
    let file = path + "/secret-\(UUID().uuidString.prefix(8))"
    try Data(text.utf8).write(to: URL(fileURLWithPath: file))
    return SecretFile(path: file)
  }
}
