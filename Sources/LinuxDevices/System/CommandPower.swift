package import Devices
import Glibc

/// The machine's power by two commands, for machines without systemd's login manager.
///
/// A command is run without a shell (`posix_spawn`), with no input and the service's own output. A
/// command has succeeded when its exit status is 0.
/// own output. It has succeeded when it ends with 0.
package actor CommandPower: SystemPower {
  private let powerOffCommand: [String]
  private let restartCommand: [String]
  private let timeout: Duration
  private let clock = SystemMonotonicClock()

  /// Makes the machine's power from two commands.
  ///
  /// - Parameters:
  ///   - powerOff: the absolute path of a program and its arguments; empty for none.
  ///   - restart: the same for a reboot.
  ///   - timeout: the time after which a command is killed, above 0.
  package init(powerOff: [String], restart: [String], timeout: Duration = .seconds(15)) {
    powerOffCommand = powerOff
    restartCommand = restart
    self.timeout = timeout
  }

  /// Powers the machine off.
  ///
  /// - Throws: ``DeviceError``: `unsupported` without a command for it, `timedOut`, `inputOutput`
  ///   for another exit status than 0, or the system's error when the command cannot be run.
  package func powerOff() async throws(DeviceError) {
    try await run(powerOffCommand, task: "switching the machine off")
  }

  /// Reboots the machine.
  ///
  /// - Throws: ``DeviceError`` as ``powerOff()``.
  package func restart() async throws(DeviceError) {
    try await run(restartCommand, task: "restarting the machine")
  }

  /// Checks whether the program of the command exists and may be run.
  ///
  /// - Throws: ``DeviceError`` as ``powerOff()``.
  package func checkPowerOff() async throws(DeviceError) {
    try check(powerOffCommand, task: "switching the machine off")
  }

  /// Checks whether the program of the command exists and may be run.
  ///
  /// - Throws: ``DeviceError`` as ``powerOff()``.
  package func checkRestart() async throws(DeviceError) {
    try check(restartCommand, task: "restarting the machine")
  }

  private func check(_ command: [String], task: String) throws(DeviceError) {
    guard let program = command.first else {
      throw DeviceError(.unsupported, device: "power", problem: "has no command for \(task)")
    }
    guard access(program, X_OK) == 0 else {
      throw DeviceError(SystemError(errno), device: program, problem: "cannot be run")
    }
  }

  private func run(_ command: [String], task: String) async throws(DeviceError) {
    guard let program = command.first else {
      throw DeviceError(
        .unsupported, device: "power", problem: "has no command for \(task)")
    }
    let process = try spawn(program, command)
    let end = clock.now.advanced(by: timeout)
    var status: Int32 = 0
    // The kernel reports a child's end by a signal or to a blocked waiter. Polling disturbs neither
    // the process's own signals nor a thread.
    while waitpid(process, &status, WNOHANG) == 0 {
      if clock.now >= end {
        kill(process, SIGKILL)
        waitpid(process, &status, 0)
        throw DeviceError(
          .timedOut, device: program, problem: "did not end and was killed",
          cause: "\(task) took longer than \(Int(timeout.inMilliseconds)) ms")
      }
      // A machine that goes down cancels everything; the wait for the command continues.
      await Task { try? await clock.sleep(for: .milliseconds(20)) }.value
    }
    guard status != 0 else { return }
    let signal = status & 0x7F
    throw DeviceError(
      .inputOutput, device: program, problem: "failed at \(task)",
      cause: signal == 0 ? "exit status \(status >> 8 & 0xFF)" : "ended by signal \(signal)")
  }

  private func spawn(_ program: String, _ command: [String]) throws(DeviceError) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    // Executor threads block signals and a service ignores some; a command must inherit neither.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETSIGDEF))
    var arguments: [UnsafeMutablePointer<CChar>?] = command.map { strdup($0) }
    arguments.append(nil)
    defer { for argument in arguments { free(argument) } }
    var process: pid_t = 0
    let failure = posix_spawn(&process, program, &actions, &attributes, arguments, environ)
    guard failure == 0 else {
      throw DeviceError(SystemError(failure), device: program, problem: "cannot be run")
    }
    return process
  }
}
