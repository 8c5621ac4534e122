package import API
import Foundation

/// The questions of a setup, which a technician answers at a terminal.
package struct SetupInterview: Sendable {
  /// The reason why the answers are not complete.
  package struct Unanswered: Error, Sendable, Hashable, CustomStringConvertible {
    /// A sentence for people.
    package let description: String
  }

  /// The time to wait for an answer.
  static let timeout = Duration.seconds(300)
  /// The number of times that a question is asked.
  private static let tries = 3
  private static let nothing = "none"

  private let output: any CommandOutput

  /// Makes an interview over an output with a person.
  package init(_ output: any CommandOutput) { self.output = output }

  /// Asks all questions.
  ///
  /// - Parameters:
  ///   - rig: the rig's present name; `nil` when it is unknown.
  ///   - camera: the camera that the service has; `nil` without one, or with several.
  /// - Throws: ``Unanswered`` when no person answers.
  package func answers(
    rig: String?, camera: CameraReport?
  ) async throws(Unanswered) -> SetupAnswers {
    var answers = SetupAnswers(rig: try await ask("Name of the rig", default: rig))
    if let camera {
      let question = "Camera \(camera.model) (\(camera.id)): keep to this one? [yes/no]"
      if try await ask(question, oneOf: ["yes", "no"]) == "yes" { answers.camera = camera.id }
    }
    answers.target = try await target()
    let zone = try await ask(
      "Time zone, for example Europe/Paris; empty leaves it as it is:", isOptional: true)
    answers.timeZone = zone.isEmpty ? nil : zone
    return answers
  }

  private func target() async throws(Unanswered) -> SetupAnswers.Target? {
    let kinds = SetupQuestion.all.map { $0.key } + [Self.nothing]
    let kind = try await ask(
      "Target of the pictures [\(kinds.joined(separator: ", "))]:", oneOf: kinds)
    guard let questions = SetupQuestion.all.first(where: { $0.key == kind })?.value else {
      return nil
    }
    let name = try await ask("Name of the target", default: kind)
    var target = SetupAnswers.Target(name: name, kind: kind)
    for question in questions {
      if let needed = question.needs, target.values[needed] == nil { continue }
      let answer = try await ask(
        question.text + ":", isSecret: question.isSecret, isOptional: question.isOptional)
      if !answer.isEmpty { target.values[question.key] = answer }
    }
    return target
  }

  private func ask(
    _ question: String, default standard: String?
  ) async throws(Unanswered) -> String {
    guard let standard, !standard.isEmpty else { return try await ask(question + ":") }
    let answer = try await ask("\(question) [\(standard)]:", isOptional: true)
    return answer.isEmpty ? standard : answer
  }

  private func ask(
    _ question: String, oneOf words: [String]
  ) async throws(Unanswered) -> String {
    for _ in 0..<Self.tries {
      let answer = try await ask(question)
      if words.contains(answer) { return answer }
      output.show(["Type \(words.joined(separator: ", ")), not \"\(answer)\"."])
    }
    throw Unanswered(description: "No answer was one of \(words.joined(separator: ", ")).")
  }

  private func ask(
    _ question: String, isSecret: Bool = false, isOptional: Bool = false
  ) async throws(Unanswered) -> String {
    for _ in 0..<Self.tries {
      let answer =
        if isSecret {
          await output.askSecret(question + " (not shown)", within: Self.timeout)
        } else {
          await output.ask(question, within: Self.timeout)
        }
      switch answer {
      case .line(let typed):
        let text = isSecret ? typed : typed.trimmingCharacters(in: .whitespaces)
        if isOptional || !text.isEmpty { return text }
      case .unanswered: throw Unanswered(description: "Nobody answered \"\(question)\".")
      case .timedOut:
        throw Unanswered(description: "Nobody answered \"\(question)\" in time.")
      }
    }
    throw Unanswered(description: "\"\(question)\" needs an answer.")
  }
}
