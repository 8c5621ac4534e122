import API
import ArgumentParser
import Console
import Devices

/// The questions that are answered also while the service is down, restarts or hangs.
extension ConnectionOptions {
  /// The time that a look waits for a service that takes the question and does not answer.
  static let timeout = Duration.seconds(10)

  /// Asks the service, or its program where no service answers.
  ///
  /// - Parameters:
  ///   - notice: the alternative to the service, shown on the standard error; `nil` shows nothing.
  ///   - arguments: the arguments that make the program give the same answer.
  ///   - input: the standard input of the program.
  ///   - ask: asks the service.
  /// - Throws: as ``report(_:)``.
  func look<Answer: Decodable>(
    _ notice: String?, _ arguments: [String], input: [UInt8] = [],
    ask: (RigClient) async throws -> Answer
  ) async throws -> Answer {
    var answer: Answer?
    try await report { client in
      answer = try await look(notice, over: client, ask) {
        try await LocalService.answer(arguments, input: input, needsEnd: false)
      }
    }
    guard let answer else { throw ExitCode(69) }
    return answer
  }

  /// Asks the service, or does something else where no service answers.
  ///
  /// The method is for use in ``report(_:)``.
  ///
  /// - Parameters:
  ///   - notice: the alternative to the service, shown on the standard error; `nil` shows nothing.
  ///   - ask: asks the service.
  ///   - otherwise: does the alternative.
  func look<Answer>(
    _ notice: String?, over client: RigClient, _ ask: (RigClient) async throws -> Answer,
    otherwise: () async throws -> Answer
  ) async throws -> Answer {
    do {
      return try await ask(client.waiting(Self.timeout))
    } catch RigClientError.unreachable(_, let cause), RigClientError.interrupted(_, let cause) {
      // A connection also breaks when the person who asked has ended the command.
      try Task.checkCancellation()
      if let notice { Terminal.complain("the service does not answer (\(cause)); \(notice)") }
      return try await otherwise()
    }
  }
}

extension LocalService {
  /// Returns the answer of the service's program.
  ///
  /// - Parameter needsEnd: as ``run(_:input:needsEnd:)``.
  /// - Throws: `ExitCode`: 1 when the program refuses, 69 when there is no answer; the problem was
  ///   shown before.
  static func answer<Answer: Decodable>(
    _ arguments: [String], input: [UInt8] = [], needsEnd: Bool = true
  ) async throws -> Answer {
    do {
      let outcome = try await LocalService().run(arguments, input: input, needsEnd: needsEnd)
      let isAnswer = outcome.isCutOff ? !isError(outcome.output) : outcome.status == 0
      if isAnswer { return try APICoding.decode(Answer.self, from: outcome.output) }
      let envelope = try APICoding.decode(ErrorEnvelope.self, from: outcome.output)
      Terminal.complain(envelope.error.message, code: envelope.error.code.rawValue)
      throw ExitCode(1)
    } catch let failure as LocalProgram.Failure {
      try Task.checkCancellation()
      Terminal.complain(failure.description)
    } catch let error as APIError {
      Terminal.complain("The answer of platend cannot be understood: \(error.message)")
    }
    throw ExitCode(69)
  }

  private static func isError(_ output: [UInt8]) -> Bool {
    (try? APICoding.decode(ErrorEnvelope.self, from: output)) != nil
  }
}
