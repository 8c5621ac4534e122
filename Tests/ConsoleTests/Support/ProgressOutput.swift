import Console
import Synchronization

/// An output that keeps the shown progress.
final class ProgressOutput: CommandOutput {
  private let shown = Mutex<[String?]>([])
  let wantsJSON = false
  let width = 80
  let progressStyle: ProgressBar.Style
  let isWatched: Bool

  /// The shown texts; `nil` for an erased text.
  var texts: [String?] { shown.withLock { $0 } }

  init(_ progressStyle: ProgressBar.Style, isWatched: Bool = true) {
    self.progressStyle = progressStyle
    self.isWatched = isWatched
  }

  func show(_ lines: [String]) {}
  func complain(_ message: String, code: String) {}
  func progress(_ text: String?) { shown.withLock { $0.append(text) } }
}
