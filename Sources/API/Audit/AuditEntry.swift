package import Devices

/// The note about a request to act, without body and parameters, which may hold secrets.
package struct AuditNote: Sendable, Hashable, Codable {
  /// The stage of an act.
  package enum Stage: String, Sendable, Hashable, Codable, CaseIterable {
    /// The act was about to be carried out.
    case began
    /// The act had its outcome.
    case ended
    /// The act was not allowed, and its content was not looked at.
    case refused
  }

  /// The run of the service, as the IDs of its events spell it.
  package let run: String
  /// The request's number in the run, the same at each of its stages.
  package let request: Int64
  /// The stage of the act.
  package let stage: Stage
  /// The caller who asked.
  package let caller: CallerReport
  /// The HTTP method.
  package let method: String
  /// The path without its parameters, at most 256 characters.
  package let path: String
  /// The HTTP status of the answer; `nil` at the beginning of an act and for an abandoned answer.
  package var status: Int?
  /// The error's code; `nil` when there was none.
  package var error: String?
  /// The refusals of this caller with this status omitted since the last entry; `nil` for none.
  package var omitted: Int?
}

/// The caller of a request, as reports describe it.
package struct CallerReport: Sendable, Hashable, Codable {
  /// The account's number; `nil` for a caller that is no user of this machine.
  package let userID: UInt32?
  /// The name of the account or of the token; `nil` when there is none.
  package let name: String?
  /// The origin: `unix` for the Unix socket, `tcp` for the network, or `unknown`.
  package let from: String
  /// The number of the process that made the connection; `nil` when it is not known.
  package let processID: Int32?
  /// The address of a network caller; `nil` for others.
  package let address: String?

  package init(_ caller: Caller) {
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
package struct AuditEntry: Sendable, Hashable, Codable {
  /// The wall clock's time of the entry, ISO 8601 in UTC with milliseconds.
  package let time: String
  /// The trust in ``time``: `synchronized` or `estimated`.
  package let trust: Word<WallTrust>
  /// The kernel's ID of the boot of the entry; `nil` when the kernel does not say.
  package let bootID: String?
  /// The time of the entry on its boot's `CLOCK_MONOTONIC`, in nanoseconds.
  package let monotonicNanoseconds: Int64
  /// The note itself.
  package let note: AuditNote

  package init(
    time: String, trust: Word<WallTrust>, bootID: String?, monotonicNanoseconds: Int64,
    note: AuditNote
  ) {
    self.time = time
    self.trust = trust
    self.bootID = bootID
    self.monotonicNanoseconds = monotonicNanoseconds
    self.note = note
  }
}

/// Entries of the audit log, the newest first: the answer to `GET /v1/audit`.
package struct AuditEntryList: Sendable, Hashable, Codable {
  /// The entries, the newest first.
  package let entries: [AuditEntry]

  package init(entries: [AuditEntry]) {
    self.entries = entries
  }
}
