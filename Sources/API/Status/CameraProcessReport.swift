/// The process that has the cameras, and how it ended the last time that it did not end in order.
public struct CameraProcessReport: Sendable, Hashable, Codable {
  /// How a process ended.
  public struct End: Sendable, Hashable, Codable {
    /// Why: `signal`, `exited`, `hung` (killed for a call that did not return), `malformed` (killed
    /// for what it sent), `replaced` (killed so that all begins anew) or `notStarted`.
    public let cause: String
    /// The same in words, for example `the camera process 4711 was ended by SIGABRT`.
    public let detail: String
    /// The process's number; 0 when it never was.
    public let processID: Int
    /// The call that did not return, for example `stop`; only with `hung`.
    public let call: String?
    /// The signal's number; only with `signal`.
    public let signal: Int?
    /// The exit status; only with `exited`.
    public let exitStatus: Int?
    /// When that was seen, in nanoseconds of `CLOCK_MONOTONIC`.
    public let timeNanoseconds: Int64
    /// How long ago that was, in milliseconds.
    public let ageMilliseconds: Double?

    /// Makes an end.
    public init(
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

  /// The number of the process that runs; `nil` when none does.
  public let processID: Int?
  /// How often a process has been started since the service started.
  public let starts: Int
  /// How it ended the last time that it did not end in order; `nil` when it always did.
  public let lastEnd: End?

  /// Makes a report.
  public init(processID: Int?, starts: Int, lastEnd: End?) {
    self.processID = processID
    self.starts = starts
    self.lastEnd = lastEnd
  }
}
