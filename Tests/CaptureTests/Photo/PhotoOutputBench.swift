import Devices
import TestSupport

@testable import Capture

/// A photo output without a session: a test is its camera and its receiver.
struct PhotoOutputBench {
  var output: PhotoOutput
  /// The frames that the output wants leased, in order.
  private(set) var wanted: [FrameSelection] = []
  /// The photos given to the receiver, without their memory.
  private(set) var photos: [Int64] = []
  /// The presses that ended, once for each end.
  private(set) var ended: [Int64] = []
  /// The captures that wait for a frame, and those being processed, as readiness counts them.
  private(set) var waitingCount = 0
  private(set) var processingCount = 0
  /// The number of leases whose memory has not been returned.
  var leaseCount: Int { counter.leases }
  private let counter = LeaseCount()
  private let settings: SessionSettings

  init() {
    let configuration = CaptureSessionConfiguration(
      camera: .first,
      stream: StreamConfiguration(
        size: FrameSize(width: 64, height: 36), frameRate: 10, ringFrameCount: 4))
    settings = configuration.settings
    output = PhotoOutput(configuration)
  }

  // MARK: Presses

  mutating func admit(_ number: Int64, at time: Int64 = 160) -> [String] {
    waitingCount += 1
    let press = Press(number: number, source: .button, time: instant(time))
    return take(
      output.admit(
        press, readiness: .ready, wanted: PhotoSettings(), session: settings, stream: nil))
  }

  mutating func find(_ number: Int64, at time: Int64 = 160) -> [String] {
    take(
      output.findFrame(
        for: .press(number), at: instant(time), deadline: instant(time + 250), now: instant(time)))
  }

  mutating func finish(_ number: Int64, _ outcome: PressOutcome, at time: Int64 = 300) -> [String] {
    take(output.finish(number, outcome, now: instant(time)))
  }

  // MARK: Anticipations

  mutating func anticipate(at time: Int64 = 160) -> Anticipation? {
    let begun = output.anticipate(
      at: instant(time), deadline: instant(time + 250), now: instant(time))
    guard let (anticipation, reply) = begun else { return nil }
    _ = take(reply)
    return anticipation
  }

  mutating func give(
    _ anticipation: Anticipation, to number: Int64, at time: Int64 = 250
  ) -> [String] {
    take(output.give(anticipation, to: number, now: instant(time)))
  }

  // MARK: The camera

  /// Has a frame arrive that was exposed at that many tenths of a second.
  mutating func frame(_ tenths: UInt64) -> [String] {
    let time = instant(Int64(tenths) * 100)
    return take(
      output.frameArrived(FrameInfo(id: tenths, sequence: tenths, timestamp: time), now: time))
  }

  /// Leases the first wanted frame.
  mutating func lease(at time: Int64 = 250) -> [String] {
    let selection = wanted.removeFirst()
    let format = StreamFormat(
      size: FrameSize(width: 64, height: 36), pixelFormat: .yuv420, bytesPerRow: 64,
      colorSpace: .jpeg)
    let chosen = ChosenFrame(
      selection: selection,
      lease: counter.lease(selection.frame, format),
      camera: CameraDescription(id: "cam", model: "imx708"), captureAngle: 0, isAsConfigured: true)
    return take(output.leased(chosen, now: instant(time)))
  }

  /// Has the first wanted frame overwritten before its lease.
  mutating func loseFrame(at time: Int64 = 250) -> [String] {
    let reply = output.overwritten(wanted.removeFirst(), now: instant(time))
    wanted.insert(contentsOf: reply.leases, at: 0)
    return take(reply.actions)
  }

  mutating func endStream(at time: Int64 = 250) -> [String] {
    take(output.streamEnded(.noFrameInTime, now: instant(time)))
  }

  mutating func abandonAll(at time: Int64 = 250) -> [String] {
    take(output.abandonAll(.sessionNotRunning, now: instant(time)))
  }

  mutating func advance(to time: Int64) -> [String] { take(output.advance(to: instant(time))) }

  // MARK: Actions

  private mutating func take(_ reply: PhotoOutput.Reply) -> [String] {
    wanted += reply.leases
    return take(reply.actions)
  }

  private mutating func take(_ actions: [PhotoOutput.Action]) -> [String] {
    for action in actions {
      switch action {
      case .frameChosen:
        waitingCount -= 1
        processingCount += 1
      case .process(let photo): photos.append(photo.press.number)
      case .finish(let record): ended.append(record.press.number)
      case .captureFinished(let hadFrame):
        if hadFrame { processingCount -= 1 } else { waitingCount -= 1 }
      case .send, .answer, .note, .bracketEnded: break
      }
    }
    return actions.map(\.text)
  }
}

extension PhotoOutput.Action {
  /// The action in a few words.
  fileprivate var text: String {
    switch self {
    case .send(.press(let record)): "record \(record.press.number)"
    case .send(.progress(let progress)): "step of \(progress.uniqueID)"
    case .send: "other event"
    case .frameChosen: "frame chosen"
    case .process(let photo): "photo \(photo.press.number) of frame \(photo.selection.frame.id)"
    case .finish(let record):
      switch record.outcome {
      case .refused(let reason)?: "end \(record.press.number): \(reason)"
      case .stored?: "end \(record.press.number): stored"
      case nil: "end \(record.press.number) without an outcome"
      }
    case .answer(let waiters, _): "answer to \(waiters.count)"
    case .captureFinished(let hadFrame): hadFrame ? "free after a frame" : "free"
    case .note(let refusal, let number): "note \(number): \(refusal.reason)"
    case .bracketEnded: "bracket ended"
    }
  }
}
