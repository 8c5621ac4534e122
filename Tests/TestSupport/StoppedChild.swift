import Glibc

/// Stops a child process (`SIGSTOP`); returns as soon as none of its threads runs.
///
/// The signal reaches one thread first. On a busy machine the others answer calls meanwhile.
///
/// - Returns: whether the child has stopped; `false` if there is no such child.
package func stopChild(_ process: Int32) -> Bool {
  guard kill(process, SIGSTOP) == 0 else { return false }
  var information = siginfo_t()
  while waitid(P_PID, id_t(process), &information, WSTOPPED | WNOWAIT) != 0 {
    guard errno == EINTR else { return false }
  }
  return true
}
