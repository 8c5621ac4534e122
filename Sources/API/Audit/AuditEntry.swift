/// What is entered of a request that asks to act: no bodies and no parameters, which may hold
/// secrets.
public struct AuditNote: Sendable, Hashable, Codable {
  /// How far the act was.
  public enum Stage: String, Sendable, Hashable, Codable, CaseIterable {
    /// It was about to be carried out.
    case began
    /// It had its outcome.
    case ended
    /// It was not allowed, and nobody looked at what it asked for.
    case refused
  }

  /// Which run of the service, as the IDs of its events spell it.
  public let run: String
  /// The request's number in the run, the same at each of its stages.
  public let request: Int64
  /// How far the act was.
  public let stage: Stage
  /// Who asked.
  public let caller: CallerReport
  /// The HTTP method.
  public let method: String
  /// The path without its parameters, at most 256 characters.
  public let path: String
  /// The HTTP status of the answer; `nil` for an act that began, or whose answer was given up.
  public let status: Int?
  /// The error's code; `nil` when there was none.
  public let error: String?
  /// How many refusals of this caller with this status were not entered since the last that was;
  /// `nil` for none.
  public let omitted: Int?

  /// Makes a note.
  public init(
    run: String, request: Int64, stage: Stage, caller: CallerReport, method: String, path: String,
    status: Int? = nil, error: String? = nil, omitted: Int? = nil
  ) {
    self.run = run
    self.request = request
    self.stage = stage
    self.caller = caller
    self.method = method
    self.path = path
    self.status = status
    self.error = error
    self.omitted = omitted
  }
}

/// Who made a request, as reports name the caller.
public struct CallerReport: Sendable, Hashable, Codable {
  /// The account's number; `nil` for who is no user of this machine.
  public let userID: UInt32?
  /// The account's name, or that of the token; `nil` when there is none.
  public let name: String?
  /// From where: `unix` for the Unix socket, `tcp` for the network, or `unknown`.
  public let from: String
  /// The number of the process that made the connection; `nil` when it is not known.
  public let processID: Int32?
  /// The address of who calls over the network; `nil` for others.
  public let address: String?

  /// Makes a report of a caller.
  public init(_ caller: Caller) {
    userID = caller.userID
    name = caller.name
    switch caller.origin {
    case .unixSocket(let process):
      from = "unix"
      processID = process
      address = nil
    case .network(let origin):
      from = "tcp"
      processID = nil
      address = origin
    case .unknown:
      from = "unknown"
      processID = nil
      address = nil
    }
  }
}

/// An entry of the audit log.
public struct AuditEntry: Sendable, Hashable, Codable {
  /// When it was entered by the wall clock, ISO 8601 in UTC with milliseconds.
  public let time: String
  /// How far ``time`` can be trusted: `synchronised` or `estimated`.
  public let trust: String
  /// The kernel's ID of the boot in which it was entered; `nil` when the kernel does not say.
  public let bootID: String?
  /// When it was entered on that boot's `CLOCK_MONOTONIC`, in nanoseconds.
  public let monotonicNanoseconds: Int64
  /// What happened.
  public let note: AuditNote

  /// Makes an entry.
  public init(
    time: String, trust: String, bootID: String?, monotonicNanoseconds: Int64, note: AuditNote
  ) {
    self.time = time
    self.trust = trust
    self.bootID = bootID
    self.monotonicNanoseconds = monotonicNanoseconds
    self.note = note
  }
}

/// Entries of the audit log, the newest first: the answer to `GET /v1/audit`.
public struct AuditEntryList: Sendable, Hashable, Codable {
  /// The entries, the newest first.
  public let entries: [AuditEntry]

  /// Makes a list.
  public init(entries: [AuditEntry]) {
    self.entries = entries
  }
}
