import Devices
import Synchronization

/// A line that is typed without echo, byte by byte.
struct SecretLine {
  private var bytes: [UInt8] = []

  /// Takes bytes.
  ///
  /// - Returns: the answer when the line has ended: `unanswered` after Ctrl-C, Ctrl-D or bytes that
  ///   are no UTF-8; `nil` while the line continues.
  mutating func take(_ typed: [UInt8]) -> CommandAnswer? {
    for byte in typed {
      switch byte {
      case 0x0A, 0x0D:
        let text = String(validating: bytes, as: UTF8.self)
        return text.map { CommandAnswer.line($0) } ?? .unanswered
      case 0x03, 0x04: return .unanswered
      case 0x15: bytes = []
      case 0x08, 0x7F:
        // A character is removed with the bytes that continue it.
        while let last = bytes.popLast(), last & 0xC0 == 0x80 {}
      default: if bytes.count < 4096 { bytes.append(byte) }
      }
    }
    return nil
  }
}

extension CommandOutput {
  /// Asks a person for a secret, whose characters are not shown.
  ///
  /// - Parameters:
  ///   - question: the text before the answer, one line.
  ///   - limit: the time to wait.
  package func askSecret(
    _ question: String, within limit: Duration
  ) async -> CommandAnswer {
    guard let terminal else { return .unanswered }
    show([question])
    let (typed, sink) = AsyncStream.makeStream(of: [UInt8].self)
    let answer = Mutex(CommandAnswer.timedOut)
    let timer = Task {
      do { try await SystemMonotonicClock().sleep(for: limit) } catch { return }
      sink.finish()
    }
    await terminal.lend(to: { sink.yield($0) }) {
      var line = SecretLine()
      for await piece in typed {
        guard let end = line.take(piece) else { continue }
        answer.withLock { $0 = end }
        return
      }
    }
    timer.cancel()
    return Task.isCancelled ? .unanswered : answer.withLock { $0 }
  }
}
