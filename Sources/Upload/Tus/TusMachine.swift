/// Decides, step by step, how an item gets to a tus server, and goes on where an attempt before
/// stopped; a value without I/O.
///
/// The server alone knows how much it has: after every interruption and every contradiction it is
/// asked. An upload that it knows no more is begun anew, also when its last bytes may have arrived:
/// some servers forget an upload as soon as it is complete. That sends the item a second time to
/// the same name, and harms nothing.
struct TusMachine {
  /// What to do next.
  enum Action: Hashable {
    /// Ask how much the server has.
    case ask(url: String)
    /// Begin an upload.
    case create
    /// Commit this before going on.
    case keep(ResumeState)
    /// Send bytes of the item.
    case send(url: String, Range<Int64>)
    /// The server has all of it.
    case finish(url: String, isDuplicate: Bool)
    /// Leave it for a later attempt.
    case giveUp(Problem)
  }

  /// Why an attempt is given up.
  enum Problem: Hashable {
    /// The server forgets upload after upload.
    case forgets
    /// The server takes bytes at no place that it names itself.
    case contradictsItself
    /// The server takes so little of each request that there is no end of them.
    case creeps
    /// What arrives has another checksum, time after time.
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

  /// Uploads that one attempt begins at most.
  static let maximumCreationCount = 2
  /// Contradictions, and damages, in a row that are borne.
  static let maximumFaultCount = 3

  /// For each request that an item needs, so many are made in one attempt at most; a later attempt
  /// goes on where it stops.
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

  /// Begins, where an attempt before stopped if there was one.
  mutating func begin(_ resumed: ResumeState?) -> Action {
    guard let resumed else { return create() }
    isFinalKept = resumed.isFinalSent
    return ask(resumed.session)
  }

  /// The server has said how much it has.
  ///
  /// - Parameter length: the bytes of the whole upload, if it says so.
  mutating func found(offset: Int64, length: Int64?) -> Action {
    guard case .asking(let url) = state else { wrong() }
    // Another length is another item's upload, or one that got lost half-way.
    guard (0...byteCount).contains(offset), length ?? byteCount == byteCount else {
      return create()
    }
    guard offset < byteCount else { return finish(url, isDuplicate: true) }
    return next(url, offset)
  }

  /// The server knows the upload no more: expired, removed, or complete.
  mutating func uploadIsGone() -> Action {
    switch state {
    case .asking, .sending: return create()
    default: wrong()
    }
  }

  /// An upload has begun.
  mutating func created(_ url: String) -> Action {
    guard state == .creating else { wrong() }
    return keep(url, offset: 0, isFinalSent: byteCount <= patchByteCount)
  }

  /// What was to be kept is on stable storage.
  mutating func kept() -> Action {
    guard case .keeping(let url, let offset) = state else { wrong() }
    return send(url, offset)
  }

  /// The server has taken bytes and says how much it has now.
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

  /// The server does not take bytes at this place, 409.
  mutating func placeIsWrong() -> Action {
    guard case .sending(let url, _) = state else { wrong() }
    return contradiction(url)
  }

  /// What arrived has another checksum, 460; the server has thrown it away.
  mutating func arrivedDamaged() -> Action {
    guard case .sending(let url, _) = state else { wrong() }
    damageCount += 1
    guard damageCount < Self.maximumFaultCount else { return giveUp(.damages) }
    // Not all servers do throw it away.
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

  /// Goes on from a place; that the last bytes are sent is kept before.
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
