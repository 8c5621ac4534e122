extension Operations {
  /// The statistics of the spool.
  package static let spoolStatistics = Endpoint<NoInput, SpoolStatisticsReport>(
    "spoolStatistics", .get, "/v1/spool", .read, "Returns the statistics of the spool.",
    failures: [.unavailable])

  /// Pictures of the spool.
  package static let spoolItems = Endpoint<SpoolItemFilter, SpoolItemList>(
    "spoolItems", .get, "/v1/spool/items", .read, "Lists pictures, the newest first.",
    failures: [.unavailable])

  /// A picture.
  package static let spoolItem = Endpoint<SpoolItemReference, SpoolItemReport>(
    "spoolItem", .get, "/v1/spool/items/{id}", .read, "Returns one picture.",
    failures: [.notFound, .unavailable])

  /// The deletion of a picture.
  package static let deleteSpoolItem = Endpoint<SpoolItemDeletion, DeletionReport>(
    "deleteSpoolItem", .delete, "/v1/spool/items/{id}", .act,
    "Permanently deletes a picture that has no receipt.", failures: [.notFound, .conflict])

  /// The file of a picture.
  package static let spoolImage = Operation(
    id: "spoolImage", method: .get, path: "/v1/spool/items/{id}/image", permission: .read,
    summary: "Returns the picture's file.", failures: [.notFound, .unavailable],
    parameters: SpoolItemReference.parameters, answer: .media("image/*", "The file."))

  /// The small picture of a picture.
  package static let spoolThumbnail = Operation(
    id: "spoolThumbnail", method: .get, path: "/v1/spool/items/{id}/thumbnail",
    permission: .read, summary: "Returns the picture's thumbnail, upright where Exif is read.",
    failures: [.notFound, .unavailable],
    parameters: SpoolItemReference.parameters, answer: .media("image/jpeg", "The thumbnail."))

  /// The retry of a parked picture.
  package static let retrySpoolItem = Endpoint<SpoolItemReference, SpoolRetryReport>(
    "retrySpoolItem", .post, "/v1/spool/items/{id}/retry", .act,
    "Moves a parked picture back to the waiting ones.", failures: [.notFound, .conflict])

  /// The deletion of the quarantine.
  package static let deleteQuarantined = Endpoint<QuarantineDeletion, QuarantineDeletionReport>(
    "deleteQuarantined", .delete, "/v1/spool/quarantine", .act,
    "Permanently deletes every quarantined picture; may take minutes.",
    stallTimeout: .seconds(3600))

  /// The retry of all parked pictures.
  package static let retryParked = Endpoint<NoInput, SpoolRetryReport>(
    "retryParked", .post, "/v1/spool/retry", .act,
    "Moves all parked pictures back to the waiting ones.")

  /// The progress of a verification.
  package static let spoolVerificationProgress = Endpoint<NoInput, SpoolVerificationProgress>(
    "spoolVerificationProgress", .get, "/v1/spool/verify", .read,
    "Returns the progress of the newest verification.", failures: [.unavailable])

  /// A verification of the spool.
  package static let verifySpool = Endpoint<SpoolVerificationRequest, SpoolVerificationReport>(
    "verifySpool", .post, "/v1/spool/verify", .act,
    "Compares every file with its row, and repairs the findings if asked to; may take minutes.",
    stallTimeout: .seconds(3600))
}

/// A filter for pictures, the query of `GET /v1/spool/items`.
package struct SpoolItemFilter: EndpointInput {
  /// The states of pictures.
  package enum State: String, Sendable, Hashable, CaseIterable {
    /// The states of the spool, see ``SpoolItemReport/state``.
    case stored, delivering, parked, delivered, purged, quarantined, evicted
    /// All pictures that wait for a target.
    case waiting
  }

  private static let state = EndpointParameter<State>.word(
    "state", "Only pictures in this state, or `waiting` for all that wait.")
  private static let before = EndpointParameter<String>.itemID(
    "before", "Only pictures older than this one.")

  /// The state of the wanted pictures; `nil` for all.
  package var state: State?
  /// The most pictures, 1...1000.
  package var limit: Int
  /// The ID of a picture that all results are older than; `nil` to begin with the newest.
  package var before: String?

  package init(state: State? = nil, limit: Int = 20, before: String? = nil) {
    self.state = state
    self.limit = limit
    self.before = before
  }

  package static var parameters: [ParameterDescription] {
    [ListLimit.limit.described, state.described, before.described]
  }

  package init(_ request: EndpointRequest) throws(APIError) {
    state = try request.value(Self.state)
    limit = try request.required(ListLimit.limit)
    before = try request.value(Self.before)
  }

  package func write(to request: inout EndpointRequest) {
    request.set(Self.state, state)
    request.set(ListLimit.limit, limit)
    request.set(Self.before, before)
  }
}

/// The ID of a picture, as the whole input.
package struct SpoolItemReference: EndpointInput {
  static let id = EndpointParameter<String>.itemID("id", "The picture's ID in the spool.")

  /// The ID.
  package var id: String

  package init(_ id: String) { self.id = id }

  package static var parameters: [ParameterDescription] { [id.described(isRequired: true)] }
  package static var body: BodyDescription? { NoInput.body }

  package init(_ request: EndpointRequest) throws(APIError) {
    id = try request.required(Self.id)
    try request.refuseBody()
  }

  package func write(to request: inout EndpointRequest) { request.set(Self.id, id) }
}

/// A confirmed deletion of a picture.
package struct SpoolItemDeletion: EndpointInput {
  private static let confirm = EndpointParameter<String>.itemID("confirm", "The same ID again.")

  /// The picture's ID.
  package var id: String

  package init(_ id: String) { self.id = id }

  package static var parameters: [ParameterDescription] {
    [SpoolItemReference.id.described(isRequired: true), confirm.described(isRequired: true)]
  }

  package init(_ request: EndpointRequest) throws(APIError) {
    try request.refuseBody()
    id = try request.required(SpoolItemReference.id)
    guard try request.value(Self.confirm) == id else {
      throw APIError(
        .invalidRequest,
        "Deleting \"\(id)\" must be confirmed: the parameter \"confirm\" has to be the same ID.")
    }
  }

  package func write(to request: inout EndpointRequest) {
    request.set(SpoolItemReference.id, id)
    request.set(Self.confirm, id)
  }
}

/// A confirmed deletion of the quarantine.
package struct QuarantineDeletion: EndpointInput {
  private static let word = "quarantine"
  private static let confirm = EndpointParameter<String>.words(
    "confirm", [word], "The word, which prevents a deletion by mistake.")

  package init() {}

  package static var parameters: [ParameterDescription] { [confirm.described(isRequired: true)] }

  package init(_ request: EndpointRequest) throws(APIError) {
    try request.refuseBody()
    guard request.parameters[Self.confirm.name] == Self.word else {
      throw APIError(
        .invalidRequest,
        "Emptying the quarantine must be confirmed: the parameter \"confirm\" has to be "
          + "\"\(Self.word)\".")
    }
  }

  package func write(to request: inout EndpointRequest) {
    request.set(Self.confirm, Self.word)
  }
}

extension SpoolVerificationRequest: JSONInput {
  package static var mayBeAbsent: Bool { true }
}

/// The answer to `DELETE /v1/spool/quarantine`.
package struct QuarantineDeletionReport: Sendable, Hashable, Codable {
  /// The number of deleted pictures.
  package let deleted: Int

  package init(deleted: Int) { self.deleted = deleted }
}

/// The answer to `DELETE /v1/spool/items/{id}`.
package struct DeletionReport: Sendable, Hashable, Codable {
  /// The ID of the deleted picture.
  package let deleted: String

  package init(deleted: String) { self.deleted = deleted }
}
