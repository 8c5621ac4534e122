import CFileCalls
import Glibc

/// Runs a closure while a write to a closed pipe or connection gives `EPIPE` instead of a signal.
///
/// OpenSSL writes with `write`, so a closed connection would end the process with `SIGPIPE`. With
/// `CURLOPT_NOSIGNAL`, libcurl leaves the prevention to its caller. The signal is blocked on this
/// thread only and consumed if it came, so that the process's own handling stays unchanged. The
/// `errno` of the closure is kept.
package func withBrokenPipeSignalBlocked<Value>(_ body: () -> Value) -> Value {
  var brokenPipe = sigset_t()
  sigemptyset(&brokenPipe)
  sigaddset(&brokenPipe, SIGPIPE)
  var pending = sigset_t()
  sigpending(&pending)
  let wasPending = sigismember(&pending, SIGPIPE) == 1
  var previous = sigset_t()
  pthread_sigmask(SIG_BLOCK, &brokenPipe, &previous)
  defer {
    let number = errno
    if !wasPending {
      var immediately = timespec()
      while sigtimedwait(&brokenPipe, nil, &immediately) == -1 && errno == EINTR {}
    }
    pthread_sigmask(SIG_SETMASK, &previous, nil)
    errno = number
  }
  return body()
}
