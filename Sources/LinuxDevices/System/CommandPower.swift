package import Devices
import Glibc

/// The machine's power by two commands, for machines without systemd's login manager.
///
/// A command is run without a shell, with no input and the service's own output. A command has
/// succeeded when its exit status is 0.
package actor CommandPower: SystemPower {
  private let powerOffCommand: [String]
  private let restartCommand: [String]
  private let timeout: Duration

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

  /// Returns the command's program, which exists and may be run.
  @discardableResult
  private func check(_ command: [String], task: String) throws(DeviceError) -> String {
    guard let program = command.first else {
      throw DeviceError(.unsupported, device: "power", problem: "has no command for \(task)")
    }
    guard access(program, X_OK) == 0 else {
      throw DeviceError(SystemError.last, device: program, problem: "cannot be run")
    }
    return program
  }

  private func run(_ command: [String], task: String) async throws(DeviceError) {
    let path = try check(command, task: task)
    let program = LocalProgram(
      path, Array(command.dropFirst()), environment: nil,
      passing: [STDOUT_FILENO: STDOUT_FILENO, STDERR_FILENO: STDERR_FILENO], timeout: timeout)
    let outcome: LocalProgram.Outcome
    // A machine that goes down cancels everything; the wait for the command continues.
    switch await Task(operation: { try await program.run() }).result {
    case .success(let ended): outcome = ended
    case .failure(let error):
      throw DeviceError(.inputOutput, device: path, problem: "cannot be run", cause: "\(error)")
    }
    guard !outcome.isCutOff else {
      throw DeviceError(
        .timedOut, device: path, problem: "did not end and was killed",
        cause: "\(task) took longer than \(Int(timeout.inMilliseconds)) ms")
    }
    guard outcome.status != 0 else { return }
    let signal = outcome.status - 128
    throw DeviceError(
      .inputOutput, device: path, problem: "failed at \(task)",
      cause: (1...64).contains(signal)
        ? "ended by signal \(signal)" : "exit status \(outcome.status)")
  }
}
