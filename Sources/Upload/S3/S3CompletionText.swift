/// The body of `CompleteMultipartUpload`.
enum S3CompletionText {
  /// Writes the list of the parts that make an object.
  static func make(_ parts: [S3StoredPart], withChecksums: Bool) -> String {
    var text = "<CompleteMultipartUpload xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">"
    for part in parts {
      text += "<Part><PartNumber>\(part.number)</PartNumber><ETag>\(escaped(part.entityTag))</ETag>"
      if withChecksums, let checksum = part.sha256 {
        text += "<ChecksumSHA256>\(escaped(checksum))</ChecksumSHA256>"
      }
      text += "</Part>"
    }
    return text + "</CompleteMultipartUpload>"
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
      .replacing("\"", with: "&quot;")
  }
}
