#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Runs a closure while a write to a closed connection on this thread gives `EPIPE` and no signal.
///
/// OpenSSL writes with `write`, which would end the process with `SIGPIPE`; with `CURLOPT_NOSIGNAL`
/// libcurl leaves that to us. The signal is blocked on this thread only and taken away if it came,
/// so that the process's own handling of it stays as it is.
func withBrokenPipeSignalBlocked<Value>(_ body: () -> Value) -> Value {
  var brokenPipe = sigset_t()
  sigemptyset(&brokenPipe)
  sigaddset(&brokenPipe, SIGPIPE)
  var pending = sigset_t()
  sigpending(&pending)
  let wasPending = sigismember(&pending, SIGPIPE) == 1
  var previous = sigset_t()
  pthread_sigmask(SIG_BLOCK, &brokenPipe, &previous)
  defer {
    if !wasPending {
      var immediately = timespec()
      while sigtimedwait(&brokenPipe, nil, &immediately) == -1 && errno == EINTR {}
    }
    pthread_sigmask(SIG_SETMASK, &previous, nil)
  }
  return body()
}
