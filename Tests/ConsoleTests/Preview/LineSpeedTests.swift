import Foundation
import Testing

@testable import Console

@Suite struct LineSpeedTests {
  /// Makes a pseudoterminal, closed afterwards.
  private func withTerminal<Result>(_ body: (Int32) throws -> Result) throws -> Result {
    var (master, slave): (Int32, Int32) = (-1, -1)
    try #require(openpty(&master, &slave, nil, nil, nil) == 0)
    defer {
      close(master)
      close(slave)
    }
    return try body(slave)
  }

  @Test(arguments: [
    (B1200, 1200), (B9600, 9600), (B115200, 115_200), (B460800, 460_800), (B921600, 921_600),
  ])
  func `a terminal's speed is read`(_ constant: Int32, _ speed: Int) throws {
    try withTerminal { terminal in
      var modes = termios()
      try #require(tcgetattr(terminal, &modes) == 0)
      cfsetspeed(&modes, speed_t(constant))
      try #require(tcsetattr(terminal, TCSANOW, &modes) == 0)
      #expect(LineSpeed.of(terminal) == speed)
    }
  }

  @Test func `a pseudoterminal without settings has no speed`() throws {
    try withTerminal { #expect(LineSpeed.of($0) == nil) }
    #expect(LineSpeed.of(-1) == nil)
  }
}
