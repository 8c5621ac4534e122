import Foundation
import Testing
import TestSupport
import Transfer

/// TLS and Unix sockets against a real nginx, with certificates made by the `openssl` program.
@Suite(.timeLimit(.minutes(10))) struct HTTPClientSecurityTests {
  private let client = HTTPClient(userAgent: "tests/1")

  /// Makes a self-signed certificate for 127.0.0.1 and returns nginx's configuration for it.
  private func certificate(
    in directory: TemporaryDirectory
  ) async throws -> (file: String, changes: [String: String]) {
    let file = directory.path + "/certificate.pem"
    let key = directory.path + "/key.pem"
    try await run(
      "/usr/bin/openssl",
      [
        "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
        "-subj", "/CN=rig", "-addext", "subjectAltName=IP:127.0.0.1", "-days", "2", "-out", file,
        "-keyout", key,
      ])
    let listen = """
      listen @LISTEN@ ssl; ssl_certificate "\(file)"; ssl_certificate_key "\(key)";
      ssl_protocols TLSv1.2 TLSv1.3;
      """
    return (file, ["listen @LISTEN@;": listen])
  }

  @Test func `only a trusted server of the right name gets the request`() async throws {
    let directory = TemporaryDirectory()
    let (file, changes) = try await certificate(in: directory)
    try await withReceivingServer(changes: changes) { server in
      let url = "https://127.0.0.1:\(server.port)/x"
      var request = HTTPRequest(method: "PUT", url: url, body: .bytes([1, 2, 3]))
      let unknown = try await #require(throws: TransferError.self) {
        try await client.send(request)
      }
      #expect(unknown.code == .tls)
      request.security.certificateAuthorityFile = file
      #expect(try await client.send(request).status == 201)
      // The trust of one request does not hold for the next.
      request.security.certificateAuthorityFile = nil
      let again = try await #require(throws: TransferError.self) { try await client.send(request) }
      #expect(again.code == .tls)
      request.security.certificateAuthorityFile = file
      request.url = "https://localhost:\(server.port)/y"
      let otherName = try await #require(throws: TransferError.self) {
        try await client.send(request)
      }
      #expect(otherName.code == .tls)
      #expect(try server.objects() == ["x"])
    }
  }

  @Test func `a request can use a Unix socket`() async throws {
    try await withReceivingServer(
      changes: ["listen @LISTEN@;": "listen @LISTEN@; listen \"unix:@DIR@/socket\";"]
    ) { (server: ReceivingServer) async throws in
      let request = HTTPRequest(
        method: "PUT", url: "http://rig/x", body: .bytes([7]),
        unixSocketPath: server.directory.path + "/socket")
      #expect(try await client.send(request).status == 201)
      #expect(try server.object("x") == [7])
    }
    let absent = try await #require(throws: TransferError.self) {
      try await client.send(HTTPRequest(url: "http://rig/", unixSocketPath: "/nonexistent/socket"))
    }
    #expect(absent.code == .couldNotConnect)
  }
}
