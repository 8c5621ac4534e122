import Console
import Testing

@Suite struct ManualPageTests {
  @Test func `a program with commands has a section for each command`() throws {
    let page = ManualPage(
      try SampleTree.read(), section: 1, environment: [.init("PLATEN_SOCKET", "The socket.")],
      files: [.init("/run/platen", "A folder.")])
    #expect(page.lines.contains(".SH COMMANDS"))
    #expect(page.lines.contains(".SS spool list"))
    #expect(!page.lines.contains(".SH OPTIONS"))
    #expect(
      page.lines.suffix(8) == [
        ".SH ENVIRONMENT", ".TP", ".B PLATEN_SOCKET", "The socket.", ".SH FILES", ".TP",
        ".I /run/platen", "A folder.",
      ])
  }

  @Test func `a program without commands has its options in the page`() throws {
    let tree = try CommandTree.read(
      """
      {"command": {"commandName": "status", "shouldDisplay": true, "arguments": [
        {"kind": "option", "shouldDisplay": true, "isOptional": true, "isRepeating": false,
         "names": [{"kind": "long", "name": "socket"}]}],
        "subcommands": [{"commandName": "help", "shouldDisplay": true}]}}
      """)
    let page = ManualPage(tree, section: 8, files: [])
    #expect(page.lines.contains(".TH STATUS 8 \"\" Platen \"Platen\""))
    #expect(page.lines.contains("[OPTION]..."))
    #expect(page.lines.contains(".SH OPTIONS"))
    #expect(page.lines.contains(".B \\-\\-socket <value>"))
    #expect(!page.lines.contains(".SS help"))
    #expect(!page.lines.contains(".SH FILES"))
  }
}
