import Foundation
import Testing
import TestSupport
import Transfer

/// Pinned keys, client certificates and old protocols against `openssl s_server`.
@Suite(.timeLimit(.minutes(10))) struct TransferSecurityTests {
  private static let payload = Array("the picture itself".utf8)
  private static let otherPin = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="

  private let client = HTTPClient(userAgent: "tests/1")
  private let directory = TemporaryDirectory()

  private func put(_ server: TLSServer, _ security: TransferSecurity) -> HTTPRequest {
    HTTPRequest(
      method: "PUT", url: server.url, body: .bytes(Self.payload), security: security)
  }

  @Test func `a server with a pinned key is accepted`() async throws {
    let server = try await TLSServer(in: directory, ["-www"])
    let pin = try await TLSServer.pin(of: server.certificate)
    #expect(pin.utf8.count == 44)
    for pins in [[pin], [Self.otherPin, pin], []] {
      let security = TransferSecurity(
        certificateAuthorityFile: server.certificate, pinnedPublicKeys: pins)
      let response = try await HTTPClient(userAgent: "tests/1").send(
        HTTPRequest(url: server.url, security: security))
      #expect(response.status == 200)
    }
  }

  @Test func `a server with another key gets no byte`() async throws {
    let server = try await TLSServer(in: directory)
    let foreign = try await TLSServer.makeCertificate("foreign", in: directory)
    let otherPin = try await TLSServer.pin(of: foreign)
    for pins in [[Self.otherPin], [otherPin, Self.otherPin]] {
      // The certificate itself is trusted, so only the pin prevents the request.
      let security = TransferSecurity(
        certificateAuthorityFile: server.certificate, pinnedPublicKeys: pins)
      let error = try await #require(throws: TransferError.self) {
        try await client.send(put(server, security))
      }
      #expect(error.code == .tls)
    }
    // A pin does not replace trust.
    let pin = try await TLSServer.pin(of: server.certificate)
    let untrusted = try await #require(throws: TransferError.self) {
      try await client.send(put(server, TransferSecurity(pinnedPublicKeys: [pin])))
    }
    #expect(untrusted.code == .tls)
    #expect(try !server.received().contains("PUT") && !server.received().contains("picture"))
  }

  @Test func `a server may ask for a client certificate`() async throws {
    let own = try await TLSServer.makeCertificate("own", in: directory)
    let server = try await TLSServer(
      in: directory, ["-www", "-Verify", "1", "-verify_return_error", "-CAfile", own])
    var security = TransferSecurity(certificateAuthorityFile: server.certificate)
    let nobody = try await #require(throws: TransferError.self) {
      try await client.send(HTTPRequest(url: server.url, security: security))
    }
    #expect(nobody.code == .tls, "\(nobody)")
    let foreign = try await TLSServer.makeCertificate("foreign", in: directory)
    security.clientCertificateFile = foreign
    security.clientKeyFile = TLSServer.key(of: foreign)
    let stranger = try await #require(throws: TransferError.self) {
      try await client.send(HTTPRequest(url: server.url, security: security))
    }
    #expect(stranger.code == .tls, "\(stranger)")
    security.clientCertificateFile = own
    security.clientKeyFile = TLSServer.key(of: own)
    let response = try await client.send(HTTPRequest(url: server.url, security: security))
    #expect(response.status == 200)
    // The certificate and the key may be in one file.
    let both = directory.path + "/both.pem"
    let files = [own, TLSServer.key(of: own)].map { FileManager.default.contents(atPath: $0) }
    try files.reduce(Data()) { $0 + ($1 ?? Data()) }.write(to: URL(fileURLWithPath: both))
    security.clientCertificateFile = both
    security.clientKeyFile = nil
    #expect(try await client.send(HTTPRequest(url: server.url, security: security)).status == 200)
    // The client certificate does not hold for the next request.
    security.clientCertificateFile = nil
    await #expect(throws: TransferError.self) {
      try await client.send(HTTPRequest(url: server.url, security: security))
    }
  }

  @Test func `a missing client certificate is reported`() async throws {
    let server = try await TLSServer(in: directory, ["-www"])
    let error = try await #require(throws: TransferError.self) {
      try await client.send(
        put(
          server,
          TransferSecurity(
            certificateAuthorityFile: server.certificate,
            clientCertificateFile: "/nonexistent/own.pem")))
    }
    #expect(error.code == .tls)
  }

  /// Writes a configuration that lets OpenSSL accept old protocols.
  ///
  /// The system's OpenSSL refuses old protocols by itself. With this configuration only our own
  /// check refuses them.
  private func permissiveConfiguration() throws -> String {
    let file = directory.path + "/openssl.cnf"
    let text = """
      openssl_conf = init
      [init]
      ssl_conf = ssl
      [ssl]
      system_default = defaults
      [defaults]
      MinProtocol = TLSv1
      CipherString = DEFAULT@SECLEVEL=0

      """
    try text.write(toFile: file, atomically: false, encoding: .utf8)
    return file
  }

  @Test(arguments: ["-tls1_1", "-tls1"])
  func `a server with an old protocol gets no byte`(option: String) async throws {
    let server = try await TLSServer(in: directory, [option, "-cipher", "ALL:@SECLEVEL=0"])
    let file = try permissiveConfiguration()
    // OpenSSL reads its configuration once in the life of a process.
    await #expect(processExitsWith: .success) {
      [
        file = file as String, url = server.url as String,
        certificate = server.certificate as String
      ] in
      setenv("OPENSSL_CONF", file, 1)
      let error = try await #require(throws: TransferError.self) {
        try await HTTPClient(userAgent: "tests/1").send(
          HTTPRequest(
            method: "PUT", url: url, body: .bytes([1]),
            security: TransferSecurity(certificateAuthorityFile: certificate)))
      }
      #expect(error.code == .tls)
    }
    #expect(try !server.received().contains("PUT"))
  }

  /// The control: a client that allows an old protocol reaches the server with this configuration.
  @Test(arguments: ["-tls1_1", "-tls1"])
  func `the test server works for a client that allows an old protocol`(option: String) async throws
  {
    let server = try await TLSServer(
      in: directory, [option, "-cipher", "ALL:@SECLEVEL=0", "-www"])
    let status = try await run(
      "/usr/bin/curl",
      [
        "--silent", "--noproxy", "*", "--tlsv1.0", "--cacert", server.certificate, "--output",
        "/dev/null", "--write-out", "%{http_code}", server.url,
      ], ["OPENSSL_CONF": try permissiveConfiguration()])
    #expect(status == "200")
  }

  @Test func `a URL without TLS is refused when settings need TLS`() async throws {
    for security in [
      TransferSecurity(certificateAuthorityFile: "/ca.pem"),
      TransferSecurity(pinnedPublicKeys: [Self.otherPin]),
      TransferSecurity(clientCertificateFile: "/own.pem"),
    ] {
      let proxy = try FaultProxy()
      let error = try await #require(throws: TransferError.self) {
        try await client.send(HTTPRequest(url: proxy.url, security: security))
      }
      #expect(error.code == .tls)
      #expect(proxy.requests.isEmpty)
    }
  }
}
