import CCurl

/// The meaning of a libcurl result code.
struct TransferFailureKind {
  /// The kind of failure.
  let code: TransferError.Code
  /// A clause about the problem.
  let problem: String

  /// Judges a result.
  ///
  /// - Parameter detail: libcurl's message, if there is one.
  init(_ result: CURLcode, detail: String = "") {
    switch result {
    case CURLE_RECV_ERROR where detail.contains(" alert "),
      CURLE_SEND_ERROR where detail.contains(" alert "):
      // With TLS 1.3 a server can refuse our certificate after the handshake is complete on our
      // side.
      (code, problem) = (.tls, "could not be secured")
    // An answer without a status line counts as HTTP/0.9.
    case CURLE_UNSUPPORTED_PROTOCOL where detail.contains("HTTP/0.9"),
      CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING:
      (code, problem) = (.malformedResponse, "was not answered in HTTP")
    case CURLE_URL_MALFORMAT:
      (code, problem) = (.badURL, "has no valid URL")
    case CURLE_UNSUPPORTED_PROTOCOL:
      (code, problem) = (.badURL, "is neither http nor https")
    case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY:
      (code, problem) = (.couldNotResolve, "could not find the host")
    case CURLE_COULDNT_CONNECT:
      (code, problem) = (.couldNotConnect, "could not connect")
    case CURLE_OPERATION_TIMEDOUT:
      (code, problem) = (.timedOut, "was not connected in time")
    case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE,
      CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_CRL_BADFILE,
      CURLE_SSL_PINNEDPUBKEYNOTMATCH, CURLE_SSL_INVALIDCERTSTATUS:
      (code, problem) = (.tls, "could not be secured")
    case CURLE_SEND_ERROR, CURLE_SEND_FAIL_REWIND:
      (code, problem) = (.sendFailed, "could not be sent to its end")
    case CURLE_RECV_ERROR, CURLE_GOT_NOTHING, CURLE_PARTIAL_FILE:
      (code, problem) = (.receiveFailed, "got no complete answer")
    case CURLE_OUT_OF_MEMORY:
      (code, problem) = (.shortOfResources, "found no memory")
    case CCurl_tooLarge:
      (code, problem) = (.responseTooLarge, "was answered at too great length")
    default:
      (code, problem) = (.failed, "could not be carried out")
    }
  }
}
