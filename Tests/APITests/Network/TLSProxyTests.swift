import Foundation
import TestSupport
import Testing

@testable import API

extension ServerTests {
  /// The documentation's nginx and Caddy with TLS before the API, asked by curl.
  @Suite(.timeLimit(.minutes(10))) struct TLSProxyTests {
    /// A server that the documentation has an example for.
    enum Proxy: String, CaseIterable, Sendable {
      case nginx, caddy
    }

    private static let page = "docs/how-to/read-from-a-fleet.md"
    private static let receiver =
      URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().path + "/board/lib/receiver"

    /// Makes a self-signed certificate and its key, with the names from the example.
    private func makeCertificate(in directory: String) async throws {
      let openssl = try await Tool.run(
        "/usr/bin/openssl",
        [
          "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
          "-subj", "/CN=rig", "-addext", "subjectAltName=DNS:rig-1.example", "-days", "2",
          "-out", directory + "/rig-1.pem", "-keyout", directory + "/rig-1.key",
        ])
      try #require(openssl.exitCode == 0, "\(openssl.complaint)")
    }

    /// Writes a configuration of nginx that has the example as its only server.
    ///
    /// - Returns: the file's path.
    private func writeTemplate(in directory: String, leadingTo port: Int) throws -> String {
      var example = try Documentation.example("nginx", in: Self.page)
      for (old, new) in [
        ("listen 443 ssl;", "listen @LISTEN@ ssl;"), ("/etc/ssl/private/", directory + "/"),
        ("/etc/ssl/", directory + "/"), ("127.0.0.1:8443", "127.0.0.1:\(port)"),
      ] {
        try #require(example.contains(old))
        example = example.replacing(old, with: new)
      }
      let template = try String(contentsOfFile: Self.receiver + ".conf", encoding: .utf8)
      let server = try #require(template.range(of: "  server {"))
      let path = directory + "/template"
      try (template[..<server.lowerBound] + example + "}\n").write(
        toFile: path, atomically: true, encoding: .utf8)
      return path
    }

    /// Runs a proxy around a body, which gets curl's options for the proxy.
    private func withProxy(
      _ proxy: Proxy, to port: Int, _ body: ([String]) async throws -> Void
    ) async throws {
      switch proxy {
      case .nginx: try await withNginx(to: port, body)
      case .caddy: try await withCaddy(to: port, body)
      }
    }

    private func curlOptions(_ place: String, _ directory: String) -> [String] {
      [
        "-sS", "-m", "300", "--noproxy", "*", "--cacert", directory + "/rig-1.pem",
        "--connect-to", "rig-1.example:443:\(place)",
      ]
    }

    private func withNginx(
      to port: Int, _ body: ([String]) async throws -> Void
    ) async throws {
      try await withTemporaryDirectory { directory in
        try await makeCertificate(in: directory)
        let template = try writeTemplate(in: directory, leadingTo: port)
        let nginx = try await Tool.run(
          Self.receiver, ["start", directory], environment: ["RECEIVER_TEMPLATE": template])
        try #require(nginx.exitCode == 0, "\(nginx.complaint)")
        let place = nginx.output.trimmingCharacters(in: .whitespacesAndNewlines)
          .replacing("http://", with: "").replacing("/", with: "")
        do {
          try await body(curlOptions(place, directory))
        } catch {
          _ = try await Tool.run(Self.receiver, ["stop", directory])
          throw error
        }
        let end = try await Tool.run(Self.receiver, ["stop", directory])
        #expect(end.exitCode == 0, "\(end.complaint)")
      }
    }

    private func withCaddy(
      to port: Int, _ body: ([String]) async throws -> Void
    ) async throws {
      try await withTemporaryDirectory { directory in
        try await makeCertificate(in: directory)
        let ownPort = Int(try LocalPort.free())
        var example = try Documentation.example("caddyfile", in: Self.page)
        for (old, new) in [
          ("/etc/ssl/private/", directory + "/"), ("/etc/ssl/", directory + "/"),
          ("127.0.0.1:8443", "127.0.0.1:\(port)"),
        ] {
          try #require(example.contains(old))
          example = example.replacing(old, with: new)
        }
        // Without the ports below 1024, and without the socket for changes at run time.
        let file =
          "{\n  admin off\n  auto_https disable_redirects\n  https_port \(ownPort)\n"
          + "  default_bind 127.0.0.1\n}\n" + example
        try file.write(toFile: directory + "/Caddyfile", atomically: true, encoding: .utf8)
        let caddy = try await Tool.run(
          "/bin/sh",
          [
            "-c",
            "cd \"$HOME\" && exec caddy run --config Caddyfile --adapter caddyfile </dev/null >log 2>&1 &"
              + " echo $!",
          ],
          environment: [
            "HOME": directory, "XDG_DATA_HOME": directory, "XDG_CONFIG_HOME": directory,
          ])
        let process = caddy.output.trimmingCharacters(in: .whitespacesAndNewlines)
        let options = curlOptions("127.0.0.1:\(ownPort)", directory)
        do {
          try await eventually {
            let look = ["-o", "/dev/null", "https://rig-1.example/v1/status"]
            return try await Tool.run("/usr/bin/curl", options + look).exitCode == 0
          }
          try await body(options)
        } catch {
          _ = try await Tool.run("/bin/kill", ["-KILL", process])
          throw error
        }
        let end = try await Tool.run("/bin/kill", ["-KILL", process])
        #expect(end.exitCode == 0, "\(end.complaint)")
      }
    }

    @Test(arguments: Proxy.allCases)
    func `the example of the documentation works`(_ proxy: Proxy) async throws {
      let network = try Known.network(hosts: ["rig-1.example"])
      let edit: (inout APIConfiguration) -> Void = {
        $0.network = network
        // The stream has only signs of life here.
        $0.heartbeatInterval = .milliseconds(100)
      }
      try await withServer(FakeRig(), edit: edit) { _ in
        try await withProxy(proxy, to: network.port) { options in
          let url = "https://rig-1.example/v1"
          let known = ["-H", "Authorization: Bearer \(Known.reader.token)"]
          func curl(_ arguments: [String]) async throws -> CurlHead {
            try CurlHead(
              try await Tool.run("/usr/bin/curl", options + ["-i"] + arguments))
          }
          let status = try await curl(known + [url + "/status"])
          #expect(status.status == 200, "\(status.body)")
          #expect(status.body.contains("\"rig\""))
          let nobody = try await curl([url + "/status"])
          #expect(nobody.status == 401)
          #expect(nobody.headers["www-authenticate"] == "Bearer realm=\"platen\"")
          let page = ["-H", "Origin: https://rig-1.example"]
          let signIn = try await curl(
            page + ["-d", "{\"token\":\"\(Known.reader.token)\"}", url + "/sign-in"])
          #expect(signIn.status == 204, "\(signIn.body)")
          #expect(signIn.headers["set-cookie"]?.hasSuffix("; Secure") == true)
          try await listen(options + known + ["-N", url + "/events"])
        }
      }
    }

    /// Events arrive while the stream goes on.
    ///
    /// A proxy that buffers a page would have passed no event on by the time that curl ends.
    private func listen(_ arguments: [String]) async throws {
      let stream = try await Tool.run(
        "/bin/sh", ["-c", "curl \"$@\" | head -n 3", "sh"] + arguments)
      #expect(stream.output == ": listening\n\n: alive\n", "\(stream.complaint)")
    }
  }
}
