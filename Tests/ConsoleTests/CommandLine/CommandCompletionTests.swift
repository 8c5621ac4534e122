import Console
import Testing

@Suite struct CommandCompletionTests {
  private func completion() throws -> CommandCompletion {
    CommandCompletion(try SampleTree.read(), extra: ConsoleSession.builtins)
  }

  @Test(
    arguments: [
      ("", ["status", "stop", "spool", "help", "history", "exit"]),
      ("st", ["status", "stop"]), ("h", ["help", "history"]), ("x", []),
      ("spool ", ["list", "show"]), ("spool l", ["list"]), ("help ", ["status", "stop", "spool"]),
      ("help spool s", ["show"]), ("spool list -", ["--state", "--json"]),
      ("spool list --s", ["--state"]), ("spool list --state ", ["stored", "parked", "purged"]),
      ("spool list --state p", ["parked", "purged"]), ("status --socket ", []),
      ("status -", ["--socket", "-s"]), ("nothing ", []), ("'st", []), ("spool show ", []),
      ("status \u{1B}", []),
    ] as [(String, [String])])
  func `the words that can follow are offered`(_ line: String, _ words: [String]) throws {
    #expect(try completion().candidates(line).map(\.word) == words)
  }

  @Test(
    arguments: [
      ("sp", "ool ", 0), ("s", "", 3), ("st", "", 2), ("sta", "tus ", 0),
      ("spool list --st", "ate ", 0),
      ("hel", "p ", 0), ("spool list --state p", "", 2), ("zzz", "", 0), ("spool", " ", 0),
    ] as [(String, String, Int)])
  func `the tab key adds the certain part`(_ line: String, _ insertion: String, _ choices: Int)
    throws
  {
    let step = try completion().step(line)
    #expect(step.insertion == insertion)
    #expect(step.choices.count == choices)
  }

  @Test(
    arguments: [
      (["statsu"], ["status"]), (["spol"], ["spool", "stop"]), (["sta"], ["status"]),
      (["sto"], ["stop"]), (["stpo"], ["stop"]), (["STATUS"], ["status"]),
      (["spool", "lst"], ["list"]), (["xyzzy"], []),
    ] as [([String], [String])])
  func `an unknown command is answered with similar commands`(_ words: [String], _ near: [String])
    throws
  {
    let unknown = try #require(try SampleTree.read().unknown(words))
    #expect(unknown.word == words.last)
    #expect(unknown.suggestions == near)
  }

  @Test(arguments: [
    ["status"], ["status", "x"], ["spool", "show", "x"], ["--version"], ["spool"],
  ])
  func `a known command or an argument is no unknown command`(_ words: [String]) throws {
    #expect(try SampleTree.read().unknown(words) == nil)
  }

  @Test func `the question mark shows the next words or the use of a command`() throws {
    let help = CommandHelp(try SampleTree.read(), extra: ConsoleSession.builtins)
    #expect(help.help("spool ") == ["  list  List pictures.", "  show  Show one."])
    #expect(
      help.help("spool show ") == ["spool show: Show one.", "  <id>  The picture's ID."])
    #expect(
      help.help("status ") == [
        "status: Show the rig.", "  --socket, -s <socket>  The service's socket.",
      ])
    for line in ["status 'a", "spool sh", "config set key https://h/p", "'a b", "a\\"] {
      #expect(help.help(line) == nil, "there a question mark is a character: \(line)")
    }
    for width in [40, 80] {
      for line in help.overview(width: width) { #expect(PlainText.columns(line) <= width) }
    }
  }
}
