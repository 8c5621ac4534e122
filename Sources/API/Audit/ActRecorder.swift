import Devices
import Hummingbird
import Logging
import Synchronization

/// A recorder that enters the beginning and the end of every act into the audit log.
///
/// Acts are refused while the log cannot be written. With ``Order/beside`` an act can precede the
/// discovery of a failing log; when neither entry could be made, its answer is an error.
final class ActRecorder: Sendable {
  /// The moment by which the entry of an act's beginning must be on stable storage.
  enum Order: Sendable {
    /// The entry precedes the act.
    case before
    /// The entry precedes the answer.
    ///
    /// A press uses this order, because its picture is that of the moment. If the press waited for
    /// a disk that is busy with earlier pictures, that frame could be gone. The press ledger
    /// records the press in any case. While the log is known to fail, the press waits for its entry
    /// as well.
    case beside
  }

  private struct State {
    var request: Int64 = 0
    var isFailing = false
    var throttle = RefusalThrottle()
  }

  private let log: any AuditLog
  private let run: String
  private let clock: any MonotonicClock
  private let logger: Logger
  private let state = Mutex(State())

  init(log: any AuditLog, run: String, clock: any MonotonicClock, logger: Logger) {
    self.log = log
    self.run = run
    self.clock = clock
    self.logger = logger
  }

  /// Carries an act out between its two entries.
  ///
  /// - Throws: ``APIError``, code ``APIError/Code/unavailable``, when the act cannot be entered, or
  ///   the act's own error.
  func carryOut(
    _ request: Request, by caller: Caller, order: Order,
    _ act: () async throws -> Response
  ) async throws -> Response {
    let (number, isFailing) = state.withLock { state in
      state.request += 1
      return (state.request, state.isFailing)
    }
    let began = note(.began, number, request, caller)
    if order == .before || isFailing {
      let unavailable = APIError(.unavailable, "")
      let nothingDone = Summary(status: unavailable.status, code: unavailable.code.rawValue)
      try await enter(
        began, withdrawal: note(.ended, number, request, caller, nothingDone))
      let outcome = await attempt(act)
      // The act's answer stands even when its end cannot be entered: the log has its beginning.
      _ = try? await enter(note(.ended, number, request, caller, Summary(outcome)))
      return try outcome.get()
    }
    async let beginning = entered(began)
    let outcome = await attempt(act)
    let isBeginningEntered = await beginning
    do {
      try await enter(note(.ended, number, request, caller, Summary(outcome)))
    } catch  where isBeginningEntered {
      return try outcome.get()
    } catch {
      throw APIError(
        .unavailable,
        "\(request.method) \(request.uri.path.prefix(80)) was carried out, but not entered; "
          + "nothing more is done until it can be. \(error.message)")
    }
    return try outcome.get()
  }

  /// Enters the refusal of an act; the answer is the same when the entry fails.
  func refuse(_ request: Request, by caller: Caller, _ error: APIError) async {
    let now = clock.now
    let (number, omitted) = state.withLock { state in
      state.request += 1
      let omitted = state.throttle.take(caller.account, status: error.status, at: now)
      return (state.request, omitted)
    }
    guard let omitted else { return }
    let summary = Summary(status: error.status, code: error.code.rawValue, omitted: omitted)
    _ = try? await enter(note(.refused, number, request, caller, summary))
  }

  private func enter(
    _ note: AuditNote, withdrawal: AuditNote? = nil
  ) async throws(APIError) {
    do throws(APIError) {
      if let withdrawal {
        try await log.enter(note, withdrawal: withdrawal)
      } else {
        try await log.enter(note)
      }
      state.withLock { $0.isFailing = false }
    } catch {
      let isNews = state.withLock { state in
        defer { state.isFailing = true }
        return !state.isFailing
      }
      if isNews {
        logger.error(
          "audit log cannot be written, what is asked of the rig is refused",
          metadata: ["error": "\(error.message)"])
      }
      throw error
    }
  }

  private func entered(_ note: AuditNote) async -> Bool {
    do throws(APIError) {
      try await enter(note)
      return true
    } catch {
      return false
    }
  }

  private func attempt(
    _ act: () async throws -> Response
  ) async -> Result<Response, any Error> {
    do { return .success(try await act()) } catch { return .failure(error) }
  }

  /// Returns the path without empty parts, as the router reads it, at most 256 characters.
  ///
  /// Repeated slashes therefore cannot hide the path.
  private static func path(of request: Request) -> String {
    let parts = request.uri.path.split(separator: "/")
    return String(("/" + parts.joined(separator: "/")).prefix(256))
  }

  private func note(
    _ stage: AuditNote.Stage, _ number: Int64, _ request: Request, _ caller: Caller,
    _ summary: Summary = Summary()
  ) -> AuditNote {
    AuditNote(
      run: run, request: number, stage: stage, caller: CallerReport(caller),
      method: request.method.rawValue, path: Self.path(of: request),
      status: summary.status, error: summary.code,
      omitted: summary.omitted > 0 ? summary.omitted : nil)
  }
}

/// The outcome of an act, as the log has it.
private struct Summary {
  var status: Int?
  var code: String?
  var omitted = 0

  init(status: Int? = nil, code: String? = nil, omitted: Int = 0) {
    self.status = status
    self.code = code
    self.omitted = omitted
  }

  init(_ outcome: Result<Response, any Error>) {
    switch outcome {
    case .success(let response): status = Int(response.status.code)
    case .failure(let error as APIError):
      status = error.status
      code = error.code.rawValue
    case .failure(let error as any HTTPResponseError): status = Int(error.status.code)
    case .failure(is CancellationError): code = "cancelled"
    case .failure:
      code = APIError.Code.internalError.rawValue
      status = APIError(.internalError, "").status
    }
  }
}
