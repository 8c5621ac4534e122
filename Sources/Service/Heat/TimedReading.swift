import Devices

/// A reading of a device that may never answer, in rounds with a time limit.
///
/// A reading that exceeds its time stays open, because it cannot be ended. The device is not read
/// again until the late answer has come and was discarded. Readings therefore do not pile up. One
/// task makes all readings of the device.
final class TimedReading<Value: Sendable>: Sendable {
  private let name: String
  private let round: ReadingRound
  private let mailbox: ReadingMailbox<Value>

  /// Makes a reading of a device.
  ///
  /// - Parameters:
  ///   - name: the device's name for people.
  ///   - round: the rounds in which the device is read.
  ///   - read: the function that reads the device.
  init(
    of name: String, in round: ReadingRound,
    _ read: @escaping @Sendable () async throws(DeviceError) -> Value
  ) {
    let mailbox = ReadingMailbox<Value>()
    self.name = name
    self.round = round
    self.mailbox = mailbox
    Task {
      while let number = await mailbox.nextQuestion() {
        let answer: Result<Value, DeviceError>
        do throws(DeviceError) { answer = .success(try await read()) } catch {
          answer = .failure(error)
        }
        mailbox.give(answer, to: number)
        round.answered(number)
      }
    }
  }

  deinit {
    mailbox.close()
  }

  /// Starts a reading in the present round, unless an earlier one is still open.
  func ask() {
    mailbox.ask(in: round)
  }

  /// The value of the present round or the device's error, once the round has ended.
  ///
  /// The error has the code `timedOut` when the device has not answered within
  /// ``ReadingRound/limit``, and while an earlier answer is pending.
  var result: Result<Value, DeviceError> {
    mailbox.answer(to: round.number)
      ?? .failure(
        DeviceError(
          .timedOut, device: name, problem: "does not answer",
          cause: "no reading within \(ReadingRound.limit)"))
  }
}
