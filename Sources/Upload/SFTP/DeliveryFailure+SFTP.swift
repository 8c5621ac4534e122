import Transfer

extension DeliveryFailure {
  /// Makes the failure for a request over SFTP that did not succeed.
  init(sftp error: TransferError) {
    let code: Code
    var advice = ""
    switch error.code {
    case .hostKey:
      code = .blocked
      advice =
        "; nothing was sent. Compare the key with the server's own keys, and then change "
        + "\"host_key\" or the file of \"known_hosts\""
    case .loginDenied:
      code = .unauthorized
      advice =
        "; check the user, and that the server knows the public key of \"private_key_file\" "
        + "or takes the password"
    case .accessDenied:
      code = .blocked
      advice = "; the user needs a permission to write there"
    case .noSuchFile: code = .blocked
    case .noSpace: code = .targetFull
    case .commandRefused: code = .serverError
    default:
      self.init(error)
      return
    }
    self.init(code, scope: .target, text: error.description + advice)
  }
}
