/// The process that has the cameras, and its last end that was not in order.
package struct CameraProcessReport: Sendable, Hashable, Codable {
  /// The end of a process.
  package struct End: Sendable, Hashable, Codable {
    /// The cause: `signal`, `exited`, `hung`, `malformed`, `replaced` or `notStarted`.
    ///
    /// A `hung` process was killed for a call that did not return. A `malformed` one was killed for
    /// the data that it sent. A `replaced` one was killed to start over.
    package let cause: String
    /// The cause in words, for example `the camera process 4711 was ended by SIGABRT`.
    package let detail: String
    /// The process's number; 0 when there never was a process.
    package let processID: Int
    /// The call that did not return, for example `stop`; only with `hung`.
    package let call: String?
    /// The signal's number; only with `signal`.
    package let signal: Int?
    /// The exit status; only with `exited`.
    package let exitStatus: Int?
    /// The time when the end was seen, in nanoseconds of `CLOCK_MONOTONIC`.
    package let timeNanoseconds: Int64
    /// The time since the end was seen, in milliseconds.
    package let ageMilliseconds: Double?

    package init(
      cause: String, detail: String, processID: Int, call: String? = nil, signal: Int? = nil,
      exitStatus: Int? = nil, timeNanoseconds: Int64, ageMilliseconds: Double?
    ) {
      self.cause = cause
      self.detail = detail
      self.processID = processID
      self.call = call
      self.signal = signal
      self.exitStatus = exitStatus
      self.timeNanoseconds = timeNanoseconds
      self.ageMilliseconds = finite(ageMilliseconds)
    }
  }

  /// The number of the running process; `nil` without one.
  package let processID: Int?
  /// The number of processes started since the service started.
  package let starts: Int
  /// The last end that was not in order; `nil` when there was none.
  package let lastEnd: End?
  /// The rights that the newest process has given up, in words; `nil` before the first process.
  package let confinement: String?

  package init(processID: Int?, starts: Int, lastEnd: End?, confinement: String? = nil) {
    self.processID = processID
    self.starts = starts
    self.lastEnd = lastEnd
    self.confinement = confinement
  }
}
