#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Runs a closure while writing to a closed connection on this thread gives `EPIPE`, not a signal.
///
/// OpenSSL writes with `write`, so a closed connection would end the process with `SIGPIPE`. With
/// `CURLOPT_NOSIGNAL`, libcurl leaves the prevention to its caller. The signal is blocked on this
/// thread only and consumed if it came, so that the process's own handling stays unchanged.
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
