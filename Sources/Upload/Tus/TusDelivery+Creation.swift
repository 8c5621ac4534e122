import Transfer

/// The beginning of an upload: the server's capabilities, and a place for the bytes.
extension TusDelivery {
  /// Asks for the server's capabilities, unless they are known.
  func discover() async throws(DeliveryFailure) -> TusCapabilities {
    if let known = server.capabilities { return known }
    let response = try await sender.send("OPTIONS", endpoint)
    var capabilities = TusCapabilities.untold
    if let told = TusCapabilities(response) {
      guard told.extensions.contains("creation") else {
        throw sender.notTus(endpoint, response, "it has not the extension \"creation\"")
      }
      capabilities = told
    } else if !response.isSuccess, ![404, 405, 501].contains(response.status) {
      throw sender.failure(cannot: "say what it can at", endpoint, response)
    }
    // The protocol does not require an answer, and gateways keep the method for themselves. The
    // answer to the creation then shows whether the server speaks tus.
    server.capabilities = capabilities
    return capabilities
  }

  func create(
    _ capabilities: TusCapabilities
  ) async throws(DeliveryFailure) -> String {
    let response = try await sender.send(
      "POST", creationURL,
      [
        HTTPHeader("Upload-Length", "\(delivery.byteCount)"),
        HTTPHeader("Upload-Metadata", TusMetadata.make(delivery)),
      ])
    let speaksTus =
      capabilities != .untold || response["Tus-Resumable"] == TusCapabilities.version
    guard response.status == 201, speaksTus else {
      // Another server may answer by now.
      server.capabilities = nil
      if response.isSuccess { throw sender.notTus(creationURL, response, "it made no upload") }
      throw sender.failure(cannot: "begin", creationURL, response)
    }
    guard let reference = response["Location"] else {
      throw sender.notTus(creationURL, response, "it names no place for the upload")
    }
    var url = creationURL.sameOrigin(reference)
    if url == nil { url = try await foundHere(reference) }
    guard let url else {
      throw DeliveryFailure(
        .blocked, scope: .target,
        text: """
          the target "\(endpoint.text)" wants the bytes sent to \
          "\(ByteText.shown(redactedURL(reference)))", another origin, where our credentials do \
          not belong
          """, status: response.status)
    }
    return url.text
  }

  /// Commits a state; if that fails, removes a new upload, whose URL would be lost.
  ///
  /// A power cut before the commit loses the URL too. The upload then stays without bytes, as tus
  /// has no request that finds it, until the server removes it (`expiration`).
  func keep(
    _ state: ResumeState, _ capabilities: TusCapabilities, _ progress: inout Progress
  ) async throws(DeliveryFailure) {
    do {
      try await journal.keep(state)
      progress.isNew = false
    } catch {
      if progress.isNew, capabilities.extensions.contains("termination") {
        _ = try? await sender.send("DELETE", place(state.session))
      }
      throw error
    }
  }

  /// Looks for an upload at our own host when the server names another host.
  ///
  /// A proxy did not tell the server which host was asked. Nothing is sent to the other host.
  private func foundHere(_ reference: String) async throws(DeliveryFailure) -> OriginURL? {
    let absolute = reference.hasPrefix("//") ? "http:\(reference)" : reference
    guard let other = OriginURL(absolute), let url = creationURL.sameOrigin(other.target) else {
      return nil
    }
    let response = try await sender.send("HEAD", url)
    let isFresh =
      [200, 204].contains(response.status) && Self.number(response["Upload-Offset"]) == 0
      && Self.number(response["Upload-Length"]) ?? delivery.byteCount == delivery.byteCount
    return isFresh ? url : nil
  }
}
