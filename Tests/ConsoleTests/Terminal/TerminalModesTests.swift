import Foundation
import Testing

@testable import Console

@Suite struct TerminalModesTests {
  private func modes(of terminal: PseudoTerminal) -> termios {
    var modes = termios()
    _ = tcgetattr(terminal.descriptor, &modes)
    return modes
  }

  /// Ctrl-S may be line noise.
  @Test func `held output resumes with any key and the modes are restored`() throws {
    let terminal = try PseudoTerminal(rows: 24)
    let before = modes(of: terminal)
    let own = TerminalModes(terminal.descriptor)
    let during = modes(of: terminal)
    #expect(during.c_iflag & tcflag_t(IXON) == before.c_iflag & tcflag_t(IXON))
    #expect(during.c_iflag & tcflag_t(IXANY) != 0 && during.c_lflag & tcflag_t(ICANON) == 0)
    own.restore()
    let after = modes(of: terminal)
    #expect(after.c_iflag == before.c_iflag && after.c_lflag == before.c_lflag)
    #expect(before.c_iflag & tcflag_t(IXANY) == 0)
  }
}
