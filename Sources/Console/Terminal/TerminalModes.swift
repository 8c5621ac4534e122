import Foundation
import Synchronization

/// The modes of a terminal while the console has it, and those that it had before.
///
/// The kernel neither collects lines, of which it would cut those over 4095 bytes, nor echoes, nor
/// makes signals of keys: Ctrl-C comes as a byte, in its place among the others.
public final class TerminalModes: Sendable {
  private let descriptor: Int32
  private let saved: Mutex<termios?>

  /// Changes a terminal's modes, or does nothing to what is no terminal; `tcsetattr(3)`.
  public init(_ descriptor: Int32) {
    self.descriptor = descriptor
    var modes = termios()
    guard isatty(descriptor) == 1, tcgetattr(descriptor, &modes) == 0 else {
      saved = Mutex(nil)
      return
    }
    saved = Mutex(modes)
    modes.c_iflag &= ~tcflag_t(ICRNL | INLCR | IGNCR | ISTRIP)
    // A Ctrl-S of line noise holds the output up no longer than until the next key.
    modes.c_iflag |= tcflag_t(IXANY)
    modes.c_lflag &= ~tcflag_t(ICANON | ECHO | ECHONL | ISIG | IEXTEN)
    modes.c_oflag |= tcflag_t(OPOST | ONLCR)
    Self.set(&modes.c_cc, VMIN, 1)
    Self.set(&modes.c_cc, VTIME, 0)
    // What was typed before the console began is kept: no flushing.
    _ = tcsetattr(descriptor, TCSADRAIN, &modes)
  }

  /// Gives the terminal the modes that it had; once is enough, more often does no harm.
  public func restore() {
    saved.withLock { saved in
      guard var modes = saved else { return }
      saved = nil
      // At once: a terminal that takes nothing would hold up whoever leaves it. A normal end has
      // waited before, in `LineReader.end`.
      _ = tcsetattr(descriptor, TCSANOW, &modes)
    }
  }

  deinit { restore() }

  /// How many bits a terminal's line carries a second (`cfgetospeed(3)`); `nil` for what has no
  /// such speed.
  static func bitsPerSecond(_ descriptor: Int32) -> Int? {
    var modes = termios()
    guard isatty(descriptor) == 1, tcgetattr(descriptor, &modes) == 0 else { return nil }
    let speeds: [speed_t: Int] = [
      speed_t(B1200): 1200, speed_t(B2400): 2400, speed_t(B4800): 4800, speed_t(B9600): 9600,
      speed_t(B19200): 19_200, speed_t(B38400): 38_400, speed_t(B57600): 57_600,
      speed_t(B115200): 115_200, speed_t(B230400): 230_400, speed_t(B460800): 460_800,
      speed_t(B921600): 921_600,
    ]
    return speeds[cfgetospeed(&modes)]
  }

  /// The control characters are a tuple for Swift.
  private static func set<Characters>(_ characters: inout Characters, _ index: Int32, _ value: cc_t)
  {
    withUnsafeMutableBytes(of: &characters) { $0[Int(index)] = value }
  }
}
