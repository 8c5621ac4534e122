import Logging

/// A journal that passes a delivery's states to the queue and its progress to the board.
struct UploadJournal: DeliveryJournal {
  let id: String
  let queue: any DeliveryQueue
  let board: UploadBoard
  let logger: Logger

  func keep(_ state: ResumeState?) async throws(DeliveryFailure) {
    do {
      try await queue.keep(state, of: id)
    } catch {
      throw DeliveryFailure(
        .queueFailed, scope: .target,
        text: "the queue could not keep where \"\(id)\" can be resumed: \(error)")
    }
  }

  func note(_ progress: DeliveryProgress) { board.note(progress, of: id) }

  func remark(_ text: String) { logger.notice("\(text)", metadata: ["item.id": "\(id)"]) }
}
