import Transfer

extension S3Delivery {
  /// Aborts the uploads whose IDs an earlier attempt did not learn, `ListMultipartUploads`.
  ///
  /// The uploads of this key are the item's own. They have no parts, because an upload's ID is kept
  /// before the first part is sent. The whole key is the prefix, as MinIO lists nothing for less.
  /// The delivery goes on after a refusal, for example to a key that may only write.
  func abortUnknownUploads() async throws(DeliveryFailure) {
    let answer = try await send(
      S3Call(
        "GET", nil,
        query: [
          CanonicalRequest.Parameter("uploads"), CanonicalRequest.Parameter("prefix", key.text),
          CanonicalRequest.Parameter("max-uploads", "20"),
        ]))
    guard answer.isSuccess, let list = answer.document, list.name == "ListMultipartUploadsResult"
    else {
      let failure = sender.failure(cannot: "list the unfinished uploads of", key, answer)
      guard failure.code != .throttled else { throw failure }
      if traits.noteRefusedList() {
        journal.remark("\(failure.text); an upload whose ID was lost stays there without parts")
      }
      return
    }
    for upload in list.all("Upload") where upload["Key"] == key.text {
      if let uploadID = upload["UploadId"], !uploadID.isEmpty { try await abort(uploadID) }
    }
  }
}
