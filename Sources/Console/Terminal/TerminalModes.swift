import Foundation
import Synchronization

/// The terminal's modes under the console, with the saved earlier ones.
///
/// The kernel does not assemble lines, because it would cut those over 4095 bytes. The kernel
/// neither echoes nor turns keys into signals: Ctrl-C arrives as a byte in its order.
package final class TerminalModes: Sendable {
  private let descriptor: Int32
  private let saved: Mutex<termios?>

  /// Changes a terminal's modes by `tcsetattr(3)`; does nothing without a terminal.
  package init(_ descriptor: Int32) {
    self.descriptor = descriptor
    var modes = termios()
    guard isatty(descriptor) == 1, tcgetattr(descriptor, &modes) == 0 else {
      saved = Mutex(nil)
      return
    }
    saved = Mutex(modes)
    modes.c_iflag &= ~tcflag_t(ICRNL | INLCR | IGNCR | ISTRIP)
    // A Ctrl-S from line noise blocks the output only until the next key.
    modes.c_iflag |= tcflag_t(IXANY)
    modes.c_lflag &= ~tcflag_t(ICANON | ECHO | ECHONL | ISIG | IEXTEN)
    modes.c_oflag |= tcflag_t(OPOST | ONLCR)
    Self.set(&modes.c_cc, VMIN, 1)
    Self.set(&modes.c_cc, VTIME, 0)
    // Text typed before the console began is kept: there is no flushing.
    _ = tcsetattr(descriptor, TCSADRAIN, &modes)
  }

  /// Restores the terminal's earlier modes; repeated calls have no effect.
  package func restore() {
    saved.withLock { saved in
      guard var modes = saved else { return }
      saved = nil
      // The modes change at once, because a terminal that accepts no output would block the exit. A
      // normal end has already waited in `LineReader.end`.
      _ = tcsetattr(descriptor, TCSANOW, &modes)
    }
  }

  deinit { restore() }

  /// Returns the speed of a terminal's line in bits a second (`cfgetospeed(3)`).
  ///
  /// - Returns: `nil` without a known speed.
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

  /// Sets a control character; Swift imports the array as a tuple.
  private static func set<Characters>(_ characters: inout Characters, _ index: Int32, _ value: cc_t)
  {
    withUnsafeMutableBytes(of: &characters) { $0[Int(index)] = value }
  }
}
