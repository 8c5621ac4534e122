import Console
import Dispatch
import Synchronization

/// Commands of the tests, such as `echo WORD…`.
///
/// The others are `lines N`, `wait`, `follow`, `flood N`, `draw`, `report`, `delete ID`, `stop` and
/// `fail`.
final class FakeCommands: ConsoleCommands {
  private let state = Mutex<[[String]]>([])

  /// The commands that were run, in order.
  var run: [[String]] { state.withLock { $0 } }

  /// A signal that `flood` has written all its lines.
  let flooded = DispatchSemaphore(value: 0)

  /// An element for each start of `wait`, `follow` or `draw`.
  let entered: AsyncStream<Void>
  private let enteredContinuation: AsyncStream<Void>.Continuation

  init() {
    (entered, enteredContinuation) = AsyncStream.makeStream(of: Void.self)
  }

  func greeting() async -> [String] { ["hello"] }
  func prompt() async -> String { "rig-7> " }
  func rigName() async -> String { "rig-7" }

  func prepare(_ words: [String], _ output: any CommandOutput) -> (PreparedCommand?, status: Int32)
  {
    switch words.first {
    case "help":
      output.show(["help for \(words.dropFirst().joined(separator: " "))"])
      return (nil, 0)
    case "echo", "lines", "fail", "wait", "ask":
      return (PreparedCommand { [self] in await perform(words, $0) }, 0)
    case "follow", "flood":
      return (PreparedCommand(manner: .follows) { [self] in await perform(words, $0) }, 0)
    case "draw":
      return (PreparedCommand(manner: .draws) { [self] in await perform(words, $0) }, 0)
    case "report":
      return (PreparedCommand(manner: .reports) { [self] in await perform(words, $0) }, 0)
    case "delete":
      let confirmation = Confirmation("This deletes \(words[1])", word: .item(words[1]))
      return (PreparedCommand(confirmation: confirmation) { [self] in await perform(words, $0) }, 0)
    case "stop":
      let confirmation = Confirmation("This stops the rig", word: .rig)
      return (PreparedCommand(confirmation: confirmation) { [self] in await perform(words, $0) }, 0)
    default:
      output.complain("There is no \"\(words[0])\".", code: "usage")
      return (nil, 64)
    }
  }

  private func perform(_ words: [String], _ output: any CommandOutput) async -> Int32 {
    state.withLock { $0.append(words) }
    switch words[0] {
    case "echo": output.show([words.dropFirst().joined(separator: " ")])
    case "lines": output.show((1...(Int(words[1]) ?? 1)).map { "line \($0)" })
    case "report": output.show(["reported"])
    case "flood":
      for number in 1...(Int(words[1]) ?? 1) { output.show(["line \(number)"]) }
      flooded.signal()
      return await untilCancelled(output)
    case "wait", "follow", "draw": return await untilCancelled(output)
    case "ask":
      switch await output.ask("Is it\u{1B}red?", within: .seconds(15)) {
      case .line(let line): output.show(["answer \(line)"])
      case .unanswered: output.show(["nobody"])
      case .timedOut: output.show(["late"])
      }
    case "fail":
      output.complain("It failed.", code: "failed")
      return 1
    default: break
    }
    return 0
  }

  private func untilCancelled(_ output: any CommandOutput) async -> Int32 {
    enteredContinuation.yield()
    for await _ in AsyncStream<Void>(unfolding: { await Self.forever() }) {}
    output.complain("Interrupted.", code: "interrupted")
    return 130
  }

  private static func forever() async -> Void? {
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
    for await _ in stream {}
    continuation.finish()
    return nil
  }
}
