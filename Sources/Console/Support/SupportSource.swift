import API
import Devices
import Synchronization

/// Where the parts of a support bundle come from: the service, its program where no service runs,
/// and the programs of the system.
final class SupportSource: Sendable {
  /// How long the service may take for one answer.
  private static let patience = Duration.seconds(20)

  private let client: RigClient
  private let configuration: String
  private let local: Result<LocalService, LocalService.Failure>
  private let clock: any MonotonicClock
  /// Why the service is not asked any more: one that hangs would keep each part waiting.
  private let silence = Mutex<String?>(nil)

  init(
    _ client: RigClient, configuration: String,
    local: Result<LocalService, LocalService.Failure>, clock: any MonotonicClock
  ) {
    self.client = client
    self.configuration = configuration
    self.local = local
    self.clock = clock
  }

  /// What the service answers to a path.
  func service(
    _ method: String = "GET", _ path: String, patience: Duration = SupportSource.patience
  ) async throws(Unavailable) -> [UInt8] {
    if let reason = silence.withLock({ $0 }) { throw Unavailable(reason) }
    let outcome = await withTaskGroup(of: Result<[UInt8], RigClientError>?.self) { group in
      group.addTask { [client] in
        await Result { () async throws(RigClientError) in try await client.bytes(method, path) }
      }
      group.addTask { [clock] in
        try? await clock.sleep(for: patience)
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
        "The service did not answer to \(path) within \(patience.components.seconds) s."
      // What takes long by itself says nothing of the rest.
      if patience <= Self.patience { silence.withLock { $0 = reason } }
      throw Unavailable(reason)
    }
  }

  /// What the service's own program prints while no service answers.
  func program(_ arguments: [String], input: [UInt8] = []) async throws(Unavailable) -> [UInt8] {
    let outcome: LocalService.Outcome
    do throws(LocalService.Failure) {
      outcome = try await local.get().run(
        arguments + ["--config", configuration], input: input, needsEnd: false)
    } catch {
      throw Unavailable(error.description)
    }
    if let envelope = try? APICoding.decode(ErrorEnvelope.self, from: outcome.output) {
      throw Unavailable(envelope.error.message)
    }
    guard !outcome.output.isEmpty else {
      let status = outcome.status ?? 0
      throw Unavailable("platend \(arguments[0]) ended with \(status) and said nothing.")
    }
    return outcome.output
  }

  /// What the service answers to a path, else what its program prints.
  func either(_ path: String, _ arguments: [String]) async throws(Unavailable) -> [UInt8] {
    do throws(Unavailable) {
      return try await service("GET", path)
    } catch let first {
      do throws(Unavailable) {
        return try await program(arguments)
      } catch {
        throw Unavailable("\(first.reason) Without it: \(error.reason)")
      }
    }
  }

  /// What a program of the system prints.
  func system(_ path: String, _ arguments: [String]) async throws(Unavailable) -> [UInt8] {
    let outcome: LocalProgram.Outcome
    do throws(LocalProgram.Failure) {
      outcome = try await LocalProgram(path, arguments).run()
    } catch {
      throw Unavailable(error.description)
    }
    guard outcome.status == 0 || outcome.isCutOff && !outcome.output.isEmpty else {
      let complaint = outcome.complaint.split(separator: "\n").first.map { ": \($0)" } ?? ""
      throw Unavailable("\"\(path)\" ended with status \(outcome.status)\(complaint).")
    }
    return outcome.output
  }
}

extension Result {
  /// What an asynchronous function returns or throws.
  fileprivate init(_ body: () async throws(Failure) -> Success) async {
    do throws(Failure) {
      self = .success(try await body())
    } catch {
      self = .failure(error)
    }
  }
}
