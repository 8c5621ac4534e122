import CCurl

extension TransferFailureKind {
  /// Judges a result of a transfer over SFTP.
  ///
  /// - Parameter detail: libcurl's message, which alone tells why a command was refused.
  init(sftp result: CURLcode, detail: String) {
    switch result {
    case CURLE_PEER_FAILED_VERIFICATION:
      (code, problem) = (.hostKey, "met a server with another host key than the accepted one")
    case CURLE_LOGIN_DENIED:
      (code, problem) = (.loginDenied, "was refused the login")
    case CURLE_REMOTE_FILE_NOT_FOUND:
      (code, problem) = (.noSuchFile, "found no such path")
    case CURLE_QUOTE_ERROR where detail.contains("No such file"):
      (code, problem) = (.noSuchFile, "found no such path")
    case CURLE_REMOTE_ACCESS_DENIED:
      (code, problem) = (.accessDenied, "was not permitted")
    case CURLE_QUOTE_ERROR where detail.contains("Permission denied"):
      (code, problem) = (.accessDenied, "was not permitted")
    case CURLE_REMOTE_DISK_FULL:
      (code, problem) = (.noSpace, "found no space")
    case CURLE_QUOTE_ERROR:
      (code, problem) = (.commandRefused, "was refused")
    case CURLE_SSH where detail.contains("Operation failed"):
      (code, problem) = (.commandRefused, "was refused")
    case CURLE_SSH:
      (code, problem) = (.failed, "was not completed")
    case CURLE_TOO_MANY_REDIRECTS:
      // SFTP has no redirects: no byte came on a connection that was used before, and libcurl
      // before 8.17 takes a complete answer without a byte for a broken connection, too
      // (curl issue 19165).
      (code, problem) = (.receiveFailed, "got no complete answer")
    case CURLE_UNSUPPORTED_PROTOCOL:
      (code, problem) = (.badURL, "needs a libcurl with SFTP")
    default:
      let general = TransferFailureKind(result, detail: detail)
      (code, problem) = (general.code, general.problem)
    }
  }
}
