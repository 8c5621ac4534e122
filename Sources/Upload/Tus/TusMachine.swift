/// A state machine without I/O that sends an item to a tus server and resumes attempts.
///
/// Only the server knows how much it has, so it is asked after every interruption and every
/// contradiction. An upload that the server has forgotten is restarted, even if its last bytes may
/// have arrived, as some servers forget complete uploads. The item is then sent a second time to
/// the same name, which does no harm.
struct TusMachine {
  /// The next step.
  enum Action: Hashable {
    /// Ask for the number of bytes that the server has.
    case ask(url: String)
    /// Begin an upload.
    case create
    /// Commit this state before the next step.
    case keep(ResumeState)
    /// Send bytes of the item.
    case send(url: String, Range<Int64>)
    /// The server has the whole item.
    case finish(url: String, isDuplicate: Bool)
    /// Leave the item for a later attempt.
    case giveUp(Problem)
  }

  /// The reason for giving up an attempt.
  enum Problem: Hashable {
    /// The server forgets upload after upload.
    case forgets
    /// The server takes bytes at no place that it names itself.
    case contradictsItself
    /// The server takes too little of each request for the upload to end.
    case creeps
    /// The bytes arrive with another checksum, time after time.
    case damages
  }

  private enum State: Hashable {
    case idle
    /// → keeping, sending, creating, done
    case asking(url: String)
    /// → keeping
    case creating
    /// → sending
    case keeping(url: String, offset: Int64)
    /// → sending, keeping, asking, creating, done
    case sending(url: String, Range<Int64>)
    case done
  }

  /// The maximum number of uploads that one attempt begins.
  static let maximumCreationCount = 2
  /// The number of contradictions, or of damaged requests, in a row that ends an attempt.
  static let maximumFaultCount = 3

  /// The maximum number of requests in one attempt, per request that the item needs.
  ///
  /// A later attempt resumes at the place where this one stops.
  static let maximumSendFactor: Int64 = 16

  private let byteCount: Int64
  private let patchByteCount: Int64
  private var state = State.idle
  private var creationCount = 0
  private var contradictionCount = 0
  private var damageCount = 0
  private var sendCount: Int64 = 0
  private var isFinalKept = false

  /// Makes a machine.
  ///
  /// - Parameters:
  ///   - byteCount: the item's bytes.
  ///   - patchByteCount: the most bytes of one request, 1 or more.
  init(byteCount: Int64, patchByteCount: Int64) {
    self.byteCount = byteCount
    self.patchByteCount = max(1, patchByteCount)
  }

  /// Begins the delivery, or resumes an earlier attempt.
  mutating func begin(_ resumed: ResumeState?) -> Action {
    guard let resumed else { return create() }
    isFinalKept = resumed.isFinalSent
    return ask(resumed.session)
  }

  /// Takes the number of bytes that the server has.
  ///
  /// - Parameter length: the number of bytes of the whole upload, if the server names it.
  mutating func found(offset: Int64, length: Int64?) -> Action {
    guard case .asking(let url) = state else { wrong() }
    // Another length means another item's upload, or an upload that got lost halfway.
    guard (0...byteCount).contains(offset), length ?? byteCount == byteCount else {
      return create()
    }
    guard offset < byteCount else { return finish(url, isDuplicate: true) }
    return next(url, offset)
  }

  /// Handles an upload that the server no longer knows: expired, removed or complete.
  mutating func uploadIsGone() -> Action {
    switch state {
    case .asking, .sending: return create()
    default: wrong()
    }
  }

  /// Takes the URL of a new upload.
  mutating func created(_ url: String) -> Action {
    guard state == .creating else { wrong() }
    return keep(url, offset: 0, isFinalSent: byteCount <= patchByteCount)
  }

  /// Notes that the state to be kept is on stable storage.
  mutating func kept() -> Action {
    guard case .keeping(let url, let offset) = state else { wrong() }
    return send(url, offset)
  }

  /// Takes the number of bytes that the server has after a request.
  mutating func sent(offset: Int64) -> Action {
    guard case .sending(let url, let range) = state else { wrong() }
    guard offset > range.lowerBound || range.isEmpty, offset <= range.upperBound else {
      return contradiction(url)
    }
    contradictionCount = 0
    damageCount = 0
    guard offset < byteCount else { return finish(url, isDuplicate: false) }
    return next(url, offset)
  }

  /// Handles a server that does not take bytes at this place, 409.
  mutating func placeIsWrong() -> Action {
    guard case .sending(let url, _) = state else { wrong() }
    return contradiction(url)
  }

  /// Handles bytes that arrived with another checksum, 460, and that the server has discarded.
  mutating func arrivedDamaged() -> Action {
    guard case .sending(let url, _) = state else { wrong() }
    damageCount += 1
    guard damageCount < Self.maximumFaultCount else { return giveUp(.damages) }
    // Some servers do not discard the bytes.
    return ask(url)
  }

  private mutating func create() -> Action {
    guard creationCount < Self.maximumCreationCount else { return giveUp(.forgets) }
    creationCount += 1
    isFinalKept = false
    state = .creating
    return .create
  }

  private mutating func ask(_ url: String) -> Action {
    state = .asking(url: url)
    return .ask(url: url)
  }

  private mutating func contradiction(_ url: String) -> Action {
    contradictionCount += 1
    guard contradictionCount < Self.maximumFaultCount else { return giveUp(.contradictsItself) }
    return ask(url)
  }

  /// Continues at a place; before the last bytes are sent, a state is kept.
  private mutating func next(_ url: String, _ offset: Int64) -> Action {
    if byteCount - offset <= patchByteCount, !isFinalKept {
      return keep(url, offset: offset, isFinalSent: true)
    }
    return send(url, offset)
  }

  private mutating func keep(_ url: String, offset: Int64, isFinalSent: Bool) -> Action {
    isFinalKept = isFinalSent
    state = .keeping(url: url, offset: offset)
    return .keep(
      ResumeState(kind: TusTarget.resumeKind, session: url, isFinalSent: isFinalSent))
  }

  private mutating func send(_ url: String, _ offset: Int64) -> Action {
    sendCount += 1
    guard sendCount <= Self.maximumSendFactor * (byteCount / patchByteCount + 1) else {
      return giveUp(.creeps)
    }
    let range = offset..<min(offset + patchByteCount, byteCount)
    state = .sending(url: url, range)
    return .send(url: url, range)
  }

  private mutating func finish(_ url: String, isDuplicate: Bool) -> Action {
    state = .done
    return .finish(url: url, isDuplicate: isDuplicate)
  }

  private mutating func giveUp(_ problem: Problem) -> Action {
    state = .done
    return .giveUp(problem)
  }

  private func wrong(_ event: String = #function) -> Never {
    preconditionFailure("\(event) does not happen in the state \(state)")
  }
}
