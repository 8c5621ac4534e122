import API
import Devices
import Synchronization

/// The sources of a support bundle's parts.
///
/// The sources are the service, its program if no service runs, and the system's programs.
final class SupportSource: Sendable {
  /// The time that the service may take for an answer.
  private static let timeout = Duration.seconds(20)

  private let client: RigClient
  private let configuration: String
  private let local: Result<LocalService, LocalProgram.Failure>
  private let clock: any MonotonicClock
  /// The reason to stop asking the service: a hung service would delay each part.
  private let silence = Mutex<String?>(nil)

  init(
    _ client: RigClient, configuration: String,
    local: Result<LocalService, LocalProgram.Failure>, clock: any MonotonicClock
  ) {
    self.client = client
    self.configuration = configuration
    self.local = local
    self.clock = clock
  }

  /// Returns the service's answer to an operation.
  func service(
    _ call: OperationCall, timeout: Duration = SupportSource.timeout
  ) async throws(Unavailable) -> [UInt8] {
    if let reason = silence.withLock({ $0 }) { throw Unavailable(reason) }
    let outcome = await withTaskGroup(of: Result<[UInt8], RigClientError>?.self) { group in
      group.addTask { [client] in
        await Result { () async throws(RigClientError) in try await client.bytes(of: call) }
      }
      group.addTask { [clock] in
        try? await clock.sleep(for: timeout)
        return nil
      }
      defer { group.cancelAll() }
      return await group.next() ?? nil
    }
    switch outcome {
    case .success(let bytes): return bytes
    case .failure(let error):
      switch error {
      case .unreachable, .interrupted, .forbidden:
        silence.withLock { $0 = error.description }
      case .refused, .incomprehensible: break
      }
      throw Unavailable(error.description)
    case nil:
      let reason =
        "The service did not answer to \(call.operation.path) within \(timeout.components.seconds) s."
      // A slow request by its nature says nothing about the others.
      if timeout <= Self.timeout { silence.withLock { $0 = reason } }
      throw Unavailable(reason)
    }
  }

  /// Returns the output of the service's own program, for use while no service answers.
  func program(_ arguments: [String], input: [UInt8] = []) async throws(Unavailable) -> [UInt8] {
    let outcome: LocalProgram.Outcome
    do throws(LocalProgram.Failure) {
      outcome = try await local.get().run(
        arguments + ["--config", configuration], input: input, needsEnd: false)
    } catch {
      throw Unavailable(error.description)
    }
    if let envelope = try? APICoding.decode(ErrorEnvelope.self, from: outcome.output) {
      throw Unavailable(envelope.error.message)
    }
    guard !outcome.output.isEmpty else {
      throw Unavailable("platend \(arguments[0]) ended with \(outcome.status) and said nothing.")
    }
    return outcome.output
  }

  /// Returns the service's answer to an operation, or else its program's output.
  func either(_ call: OperationCall, _ arguments: [String]) async throws(Unavailable) -> [UInt8] {
    do throws(Unavailable) {
      return try await service(call)
    } catch let first {
      do throws(Unavailable) {
        return try await program(arguments)
      } catch {
        throw Unavailable("\(first.reason) Without it: \(error.reason)")
      }
    }
  }

  /// Returns the output of a system program.
  func system(_ path: String, _ arguments: [String]) async throws(Unavailable) -> [UInt8] {
    let outcome: LocalProgram.Outcome
    do throws(LocalProgram.Failure) {
      outcome = try await LocalProgram(path, arguments).run()
    } catch {
      throw Unavailable(error.description)
    }
    guard outcome.status == 0 || outcome.isCutOff && !outcome.output.isEmpty else {
      let complaint = outcome.firstComplaint.map { ": \($0)" } ?? ""
      throw Unavailable("\"\(path)\" ended with status \(outcome.status)\(complaint).")
    }
    return outcome.output
  }
}

extension Result {
  /// Stores the value or the error of an asynchronous function.
  fileprivate init(_ body: () async throws(Failure) -> Success) async {
    do throws(Failure) {
      self = .success(try await body())
    } catch {
      self = .failure(error)
    }
  }
}
