/// A state machine without I/O that sends an item to S3 in parts and resumes attempts.
///
/// The upload ID is kept before the first part is sent, so that a power cut leaves no unknown
/// parts. A state is also kept before an upload is begun, so that the next attempt aborts an upload
/// whose ID was lost. The server is asked for the stored parts; parts with our size and hash are
/// not sent again. If a list is refused, as to a key that may only write, all parts are sent again
/// into the same upload. The new parts replace the stored parts.
struct S3MultipartMachine {
  /// The next step.
  enum Action: Hashable {
    /// Abort the uploads of the item whose IDs are not known; a failure does not matter.
    case abortUnknown
    /// Ask which parts the server has, from a number on.
    case listParts(uploadID: String, after: Int)
    /// Begin an upload.
    case create
    /// Commit this state before the next step.
    case keep(ResumeState)
    /// Send a part.
    case upload(part: Int, uploadID: String)
    /// Make the object of these parts.
    case complete(uploadID: String, [S3StoredPart])
    /// Abort an upload; a failure does not matter.
    case abort(uploadID: String)
    /// Check whether the object is there.
    case look
    /// The object is there, made by this attempt or before it.
    case finish(isDuplicate: Bool)
    /// Leave the item for a later attempt, as the server loses or refuses upload after upload.
    case giveUp
  }

  private enum State: Hashable {
    case idle
    /// → creating
    case abortingUnknown
    /// → creating
    case announcing
    /// → sending, announcing, looking
    case listing(uploadID: String, after: Int, isFinalSent: Bool)
    /// → keeping
    case creating
    /// → sending, completing
    case keeping(uploadID: String, isFinalSent: Bool)
    /// → sending, keeping, announcing
    case sending(part: Int, uploadID: String)
    /// → done, aborting, looking
    case completing(uploadID: String)
    /// → looking, announcing
    case aborting(isObjectThere: Bool)
    /// → done, announcing
    case looking(isObjectThere: Bool)
    case done
  }

  /// The maximum number of uploads that one attempt begins.
  static let maximumCreationCount = 2

  private let plan: S3PartPlan
  private let parts: [S3LocalPart]
  private var state = State.idle
  private var stored: [Int: S3StoredPart] = [:]
  private var creationCount = 0

  init(plan: S3PartPlan, parts: [S3LocalPart]) {
    precondition(parts.count == plan.count, "\(parts.count) parts are not \(plan.count)")
    self.plan = plan
    self.parts = parts
  }

  /// The bytes of the parts that the server has.
  var storedByteCount: Int64 { stored.values.reduce(0) { $0 + $1.byteCount } }

  /// Begins the delivery, or resumes an earlier attempt.
  mutating func begin(_ resumed: ResumeState?) -> Action {
    guard let resumed else { return create() }
    guard resumed.kind != S3Target.creationKind else {
      state = .abortingUnknown
      return .abortUnknown
    }
    state = .listing(uploadID: resumed.session, after: 0, isFinalSent: resumed.isFinalSent)
    return .listParts(uploadID: resumed.session, after: 0)
  }

  /// Notes the end of the aborts, with or without success.
  mutating func abortedUnknown() -> Action {
    guard state == .abortingUnknown else { wrong() }
    creationCount += 1
    state = .creating
    return .create
  }

  /// Takes a page of the server's list of parts.
  mutating func listed(_ page: S3PartPage) -> Action {
    guard case .listing(let uploadID, let after, let isFinalSent) = state else { wrong() }
    for part in page.parts where (1...parts.count).contains(part.number) {
      let local = parts[part.number - 1]
      guard local.matches(part) else { continue }
      stored[part.number] = part
      // AWS demands the checksum of each part, which not all servers list.
      stored[part.number]?.sha256 = ByteText.base64(local.sha256)
    }
    // The page's greatest number is used instead of the server's next number, as rclone's is one
    // too great. A page that leads no further ends the list. A page that reaches our last part ends
    // the list too, whatever number of pages the server has.
    if page.isTruncated, let last = page.parts.map(\.number).max(), last > after,
      last < parts.count
    {
      state = .listing(uploadID: uploadID, after: last, isFinalSent: isFinalSent)
      return .listParts(uploadID: uploadID, after: last)
    }
    return next(uploadID)
  }

  /// Handles the server's refusal to list its parts.
  mutating func listRefused() -> Action {
    guard case .listing(let uploadID, _, _) = state else { wrong() }
    stored = [:]
    return next(uploadID)
  }

  /// Takes the ID of a new upload.
  mutating func created(_ uploadID: String) -> Action {
    guard state == .creating else { wrong() }
    state = .keeping(uploadID: uploadID, isFinalSent: false)
    return .keep(resumeState(uploadID, isFinalSent: false))
  }

  /// Notes that the state to be kept is on stable storage.
  mutating func kept() -> Action {
    if state == .announcing {
      state = .creating
      return .create
    }
    guard case .keeping(let uploadID, let isFinalSent) = state else { wrong() }
    guard isFinalSent else { return next(uploadID) }
    state = .completing(uploadID: uploadID)
    return .complete(uploadID: uploadID, (1...parts.count).compactMap { stored[$0] })
  }

  /// Notes that the server has stored a part.
  mutating func uploaded(entityTag: String) -> Action {
    guard case .sending(let part, let uploadID) = state else { wrong() }
    let local = parts[part - 1]
    stored[part] = S3StoredPart(
      number: part, entityTag: entityTag, byteCount: local.byteCount,
      sha256: ByteText.base64(local.sha256))
    return next(uploadID)
  }

  /// Handles an upload that the server no longer knows: expired, aborted or completed.
  mutating func sessionIsGone() -> Action {
    switch state {
    case .listing(_, _, isFinalSent: true), .completing:
      // The result of the completion is unknown; the object may exist.
      state = .looking(isObjectThere: false)
      return .look
    case .listing, .sending:
      return create()
    default:
      wrong()
    }
  }

  /// Notes that the object has been made.
  mutating func completed() -> Action {
    guard case .completing = state else { wrong() }
    state = .done
    return .finish(isDuplicate: false)
  }

  /// Notes that the object existed already.
  mutating func objectExists() -> Action {
    guard case .completing(let uploadID) = state else { wrong() }
    state = .aborting(isObjectThere: true)
    return .abort(uploadID: uploadID)
  }

  /// Handles a completion that the server refuses, or that met another change of the object.
  mutating func completionRefused() -> Action {
    guard case .completing(let uploadID) = state else { wrong() }
    state = .aborting(isObjectThere: false)
    return .abort(uploadID: uploadID)
  }

  /// Notes the end of an abort, with or without success.
  mutating func aborted() -> Action {
    guard case .aborting(let isObjectThere) = state else { wrong() }
    guard isObjectThere else { return create() }
    state = .looking(isObjectThere: true)
    return .look
  }

  /// Takes whether the object is there; `nil` when the server shows nothing to us.
  mutating func looked(isThere: Bool?) -> Action {
    guard case .looking(let isObjectThere) = state else { wrong() }
    guard isThere ?? isObjectThere else { return create() }
    state = .done
    return .finish(isDuplicate: true)
  }

  private mutating func create() -> Action {
    stored = [:]
    guard creationCount < Self.maximumCreationCount else {
      state = .done
      return .giveUp
    }
    creationCount += 1
    state = .announcing
    return .keep(
      ResumeState(
        kind: S3Target.creationKind, session: "", partByteCount: plan.partByteCount))
  }

  /// Continues with the first part that the server lacks, or else with the completion.
  private mutating func next(_ uploadID: String) -> Action {
    if let missing = (1...parts.count).first(where: { stored[$0] == nil }) {
      state = .sending(part: missing, uploadID: uploadID)
      return .upload(part: missing, uploadID: uploadID)
    }
    state = .keeping(uploadID: uploadID, isFinalSent: true)
    return .keep(resumeState(uploadID, isFinalSent: true))
  }

  private func resumeState(_ uploadID: String, isFinalSent: Bool) -> ResumeState {
    ResumeState(
      kind: S3Target.resumeKind, session: uploadID, partByteCount: plan.partByteCount,
      isFinalSent: isFinalSent)
  }

  private func wrong(_ event: String = #function) -> Never {
    preconditionFailure("\(event) does not happen in the state \(state)")
  }
}
