import CHostCalls
import Devices
import Foundation
import Synchronization

/// A child process, from its start to the collection of its exit status.
///
/// A single thread starts the child, reads its socket and waits for its end. The thread must stay the
/// same, because threads of a pool come and go. The kernel sends the child's parent-death signal at
/// the end of the *thread* that started the child (prctl(2), PR_SET_PDEATHSIG). For a
/// ``PreparedProcess`` that is the first thread, which ends with the process.
package final class ChildProcess: Sendable {
  /// The exit status or the signal with which the child ended.
  package enum Status: Sendable, Hashable {
    /// The exit status.
    case exited(Int32)
    /// The number of the signal.
    case signal(Int32)
  }

  /// The callbacks of the child's thread, in the order of their calls, on that thread.
  package struct Listener: Sendable {
    /// The child runs under this number.
    var started: @Sendable (Int32) -> Void
    /// A packet came, with descriptors that the listener now owns.
    ///
    /// - Returns: whether to go on; `false` ends the child.
    var received: @Sendable (ArraySlice<UInt8>, [Int32]) -> Bool
    /// A truncated packet came.
    var receivedCut: @Sendable () -> Void
    /// The child has ended, and its status has been collected.
    var ended: @Sendable (Status) -> Void
    /// The child could not be started (an `errno`); no other callback follows.
    var failed: @Sendable (Int32) -> Void

    package init(
      started: @escaping @Sendable (Int32) -> Void,
      received: @escaping @Sendable (ArraySlice<UInt8>, [Int32]) -> Bool,
      receivedCut: @escaping @Sendable () -> Void, ended: @escaping @Sendable (Status) -> Void,
      failed: @escaping @Sendable (Int32) -> Void
    ) {
      (self.started, self.received, self.receivedCut) = (started, received, receivedCut)
      (self.ended, self.failed) = (ended, failed)
    }
  }

  private enum State {
    case starting(isKilled: Bool)
    case running(Int32)
    case ended
  }

  private let socket: HostSocket
  private let state = Mutex(State.starting(isKilled: false))

  /// Starts a child on its own thread and returns at once.
  ///
  /// - Parameters:
  ///   - socket: this side's end of the socket.
  ///   - childDescriptor: the child's end, which is closed as soon as the child has it.
  package static func start(
    _ launch: HostLaunch, socket: HostSocket, childDescriptor: Int32, listener: Listener
  ) -> ChildProcess {
    start(socket: socket, listener: listener) { process in
      // With this descriptor open, the child's end would not end the connection.
      defer { close(childDescriptor) }
      return spawn(launch, socket: childDescriptor, process: &process)
    }
  }

  /// Takes over a child that runs already, on a thread of its own, and returns at once.
  ///
  /// - Parameters:
  ///   - process: the child's number; the child must lead a process group.
  ///   - socket: this side's end of the socket.
  static func adopt(_ process: pid_t, socket: HostSocket, listener: Listener) -> ChildProcess {
    start(socket: socket, listener: listener) { number in
      number = process
      return 0
    }
  }

  private static func start(
    socket: HostSocket, listener: Listener, begin: @escaping @Sendable (inout pid_t) -> Int32
  ) -> ChildProcess {
    let child = ChildProcess(socket: socket)
    Thread.detachNewThread { child.live(listener, begin) }
    return child
  }

  private init(socket: HostSocket) {
    self.socket = socket
  }

  /// Ends the child and its own children (`SIGKILL` to the process group).
  ///
  /// Does nothing when the child has ended. A child that hangs in the kernel ends only when the
  /// kernel releases it.
  package func kill() {
    state.withLock { state in
      switch state {
      case .starting: state = .starting(isKilled: true)
      // The status is not collected yet, so the number is still the child's.
      case .running(let process): ChildProcess.end(process)
      case .ended: break
      }
    }
    // The shutdown wakes a sender whose child does not end.
    socket.shutDown()
  }

  private func live(_ listener: Listener, _ begin: (inout pid_t) -> Int32) {
    var process: pid_t = 0
    let error = begin(&process)
    guard error == 0 else {
      state.withLock { $0 = .ended }
      listener.failed(error)
      return
    }
    state.withLock { state in
      if case .starting(isKilled: true) = state { ChildProcess.end(process) }
      state = .running(process)
    }
    listener.started(process)
    read(listener)
    listener.ended(bury(process))
  }

  private func read(_ listener: Listener) {
    // The receiver of a message goes on here, for this thread only waits for the next one.
    let thread = LentThread()
    var space = ReceiveSpace()
    while true {
      switch socket.receive(into: &space) {
      case .packet(let packet, let descriptors):
        if !thread.run({ listener.received(packet, descriptors) }) { return }
      case .cut:
        return listener.receivedCut()
      case .end:
        return
      }
    }
  }

  /// Waits for the end; a child that has released the socket has a moment to end by itself.
  private func bury(_ process: pid_t) -> Status {
    let deadline = Date().addingTimeInterval(0.5)
    var status: Int32 = 0
    var isSignal: Int32 = 0
    // The wait for an end, waitid(2), has no time limit.
    while Date() < deadline, !ChildProcess.hasEnded(process) { usleep(2000) }
    // The signal is also for an ended child, whose own children are still in its group.
    ChildProcess.end(process)
    guard CHostCalls_awaitEnd(process, &status, &isSignal) == 0 else {
      state.withLock { $0 = .ended }
      return .exited(-1)
    }
    state.withLock { state in
      var taken: Int32 = 0
      waitpid(process, &taken, 0)
      state = .ended
    }
    return isSignal == 0 ? .exited(status) : .signal(status)
  }

  /// Ends a child and its own children, or the child alone as long as it has no group yet.
  private static func end(_ process: pid_t) {
    if Glibc.kill(-process, SIGKILL) != 0 { Glibc.kill(process, SIGKILL) }
  }

  private static func hasEnded(_ process: pid_t) -> Bool {
    var information = siginfo_t()
    let options = WEXITED | WNOWAIT | WNOHANG
    return waitid(P_PID, id_t(process), &information, options) != 0
      || information.si_signo == SIGCHLD
  }

  private static func spawn(
    _ launch: HostLaunch, socket: Int32, process: inout pid_t
  ) -> Int32 {
    var arguments = ([launch.name] + launch.arguments).map { strdup($0) }
    var environment = launch.environment.sorted { $0.key < $1.key }
      .map { strdup("\($0.key)=\($0.value)") }
    arguments.append(nil)
    environment.append(nil)
    defer { for text in arguments + environment { free(text) } }
    return CHostCalls_spawn(launch.path, arguments, environment, socket, &process)
  }
}
