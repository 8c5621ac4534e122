import CHostCalls
import Devices
import Glibc
import Synchronization

/// A copy of this process that waits until it is needed as a hosted process.
///
/// A copy begins sooner than a program that the loader has to prepare. A copy shares the memory into
/// which the loader has written. A copy is made before this process has read anything or has a second
/// thread, because fork(2) copies the calling thread alone.
package final class PreparedProcess: Sendable {
  private struct Copy {
    var processID: pid_t
    var socket: HostSocket
  }

  private let copy: Mutex<Copy?>

  private init(_ copy: sending Copy) {
    self.copy = Mutex(copy)
  }

  deinit { end() }

  /// Copies this process; must be called on its first thread, before any other is started, and after
  /// ``StandardDescriptors/fill()``.
  ///
  /// The copy keeps ``HostLaunch/inheritedEnvironment`` of this process's environment. A library that
  /// was preloaded here is in the copy, too.
  ///
  /// - Parameters:
  ///   - name: the copy's name in the list of processes.
  ///   - serve: the work of the copy, on its first thread, with the arguments of
  ///     ``begin(with:)``. ``HostSocket/inherited`` is its socket.
  /// - Returns: `nil` when there are other threads, or when the kernel refuses the copy.
  package static func make(name: String, serve: ([String]) -> Never) -> PreparedProcess? {
    guard Confinement.threadCount == 1,
      let (socket, other) = try? HostSocket.pair()
    else { return nil }
    defer { close(other) }
    let service = getpid()
    let process = CHostCalls_fork()
    if process == 0 { wait(for: service, on: other, name: name, serve: serve) }
    return process > 0 ? PreparedProcess(Copy(processID: process, socket: socket)) : nil
  }

  /// The number of a copy that has not begun.
  package var processID: Int32? { copy.withLock { $0?.processID } }

  /// Has the copy begin its work.
  ///
  /// - Returns: the copy's number and socket; `nil` when the copy has begun before, or has ended.
  func begin(with arguments: [String]) -> (processID: pid_t, socket: HostSocket)? {
    guard let copy = copy.withLock({ $0.take() }) else { return nil }
    do throws(SystemError) {
      try copy.socket.send(Array(arguments.joined(separator: "\0").utf8))
    } catch {
      PreparedProcess.reap(copy)
      return nil
    }
    return (copy.processID, copy.socket)
  }

  /// Ends a copy that has not begun, and waits for its end; does nothing with any other.
  package func end() {
    if let copy = copy.withLock({ $0.take() }) { PreparedProcess.reap(copy) }
  }

  private static func reap(_ copy: Copy) {
    kill(copy.processID, SIGKILL)
    var status: Int32 = 0
    while waitpid(copy.processID, &status, 0) < 0, errno == EINTR {}
  }

  // MARK: The copy

  private static func wait(
    for service: pid_t, on socket: Int32, name: String, serve: ([String]) -> Never
  ) -> Never {
    guard CHostCalls_standAlone(socket) == 0 else { _exit(EX_OSERR) }
    _ = CHostCalls_dieWithParent()
    guard getppid() == service else { _exit(0) }
    _ = CHostCalls_setName(name)
    keepInheritedEnvironment()
    StartMemory.overwrite(with: name)
    var bytes = [UInt8](repeating: 0, count: 1024)
    let count = try? SystemCalls.uninterrupted {
      recv(HostSocket.inherited, &bytes, bytes.count, 0)
    }
    // The end of the connection is that of the service, or of its wish for this process.
    guard let count, count > 0 else { _exit(0) }
    serve(
      bytes.prefix(count).split(separator: 0).map { String(decoding: $0, as: UTF8.self) })
  }

  private static func keepInheritedEnvironment() {
    let kept = HostLaunch.inheritedEnvironment
    clearenv()
    for (name, value) in kept { setenv(name, value, 1) }
  }
}
