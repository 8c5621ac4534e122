import Capture
import Devices

extension ContactDebouncer.Change {
  /// The change in a letter, with its time in milliseconds.
  var text: String {
    switch self {
    case .down(let time): "d\(time.text)"
    case .held(let time): "h\(time.text)"
    case .up(let time): "u\(time.text)"
    case .spike(let time): "s\(time.text)"
    case .chatterBegan(let time): "c\(time.text)"
    case .chatterEnded(let time): "e\(time.text)"
    }
  }
}

extension LineEdge {
  /// Reads an edge written as `+10`, `-20` or `~+30`.
  init(_ word: some StringProtocol) {
    let text = word.drop { $0 == "~" }
    self.init(
      kind: text.hasPrefix("+") ? .activated : .deactivated,
      time: MonotonicInstant(milliseconds: Double(text.dropFirst()) ?? .nan),
      isInferred: word.hasPrefix("~"))
  }

  /// Makes the edge number `index` of a contact that closes first.
  init(_ index: Int, at milliseconds: Double) {
    self.init(
      kind: index.isMultiple(of: 2) ? .activated : .deactivated,
      time: MonotonicInstant(milliseconds: milliseconds))
  }
}
