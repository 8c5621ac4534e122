import TestSupport
import Testing
import Transfer

@testable import API

extension ServerTests {
  /// No input from a client makes the service fail.
  @Suite struct RequestFuzzTests {
    private static let seeds = [
      #"{"frameRate":25,"zoom":1.5,"preset":"1080p"}"#, #"{"confirm":"a","repair":true}"#,
      #"{"text":"rig: { id: a }","expectedHash":"00"}"#, #"{"key":"rig.id","value":"b"}"#,
      #"{"to":2,"parts":["cameras"]}"#,
      #"{"action":"press","durationMilliseconds":80,"bounce":true}"#,
      #"{"action":"turn","degrees":90}"#, #"{"action":"turn","flat":true}"#,
      #"{"action":"heat","celsius":71.5}"#, #"{"action":"showPage","page":7}"#,
      #"{"action":"cameraFault","fault":"stall"}"#, "{}",
    ]
    private static let fragments = [
      "1e999", "-0", "9223372036854775808", "1.5", "null", "[[", "]]", "{\"\":", "\"\\ud800\"",
      "\u{0}", "\"action\":", "true", "\u{202E}", "\"", "\\", ",", ":", "NaN", "-1e-400",
    ]

    @Test(arguments: [1, 20_261_121, 0xDEAD_BEEF] as [UInt64])
    func `no body is a server error`(seed: UInt64) async throws {
      print("fuzz of request bodies, seed \(seed)")
      var generator = SeededGenerator(seed: seed)
      let rig = FakeRig()
      let statuses = try await withServer(rig) { server in
        let client = HTTPClient(userAgent: "fuzz")
        var statuses: [Int: Int] = [:]
        for round in 0..<400 {
          let body = Self.body(&generator)
          let path = Bool.random(using: &generator) ? "/v1/simulation" : "/v1/presses"
          let response = try await client.send(
            HTTPRequest(
              method: "POST", url: "http://localhost\(path)", body: .bytes(body),
              unixSocketPath: server.socketPath))
          let text = String(decoding: body, as: UTF8.self)
          #expect([200, 400].contains(response.status), "round \(round), \(path): \(text)")
          if response.status == 400 {
            #expect(throws: Never.self, "round \(round)") {
              try APICoding.decode(ErrorEnvelope.self, from: response.body)
            }
          }
          statuses[response.status, default: 0] += 1
        }
        return statuses
      }
      print("answers: \(statuses)")
      #expect(statuses[200, default: 0] > 0 && statuses[400, default: 0] > 100)
    }

    /// Each path with a body or a parameter gets a described one with damaged parts.
    @Test(arguments: [2, 20_261_122] as [UInt64])
    func `no path fails on any request`(seed: UInt64) async throws {
      print("fuzz of all paths, seed \(seed)")
      var generator = SeededGenerator(seed: seed)
      let routes = APIRoutes.every().filter { !$0.isStream }
      let words = ["1", "0", "-1", "9999999999999999999999", "%00", "%FF", "a%2Fb", "..", "x", "é"]
      var statuses: [Int: Int] = [:]
      try await withServer(FakeRig()) { server in
        let client = HTTPClient(userAgent: "fuzz")
        for round in 0..<600 {
          guard let route = routes.randomElement(using: &generator) else { return }
          var path = route.path
          while let name = path.firstRange(of: /\{[a-zA-Z]+\}/) {
            path.replaceSubrange(name, with: words.randomElement(using: &generator) ?? "1")
          }
          if Bool.random(using: &generator) {
            let key =
              ["limit", "before", "state", "level", "x"].randomElement(using: &generator) ?? ""
            path += "?\(key)=\(words.randomElement(using: &generator) ?? "")"
          }
          let response = try await client.send(
            HTTPRequest(
              method: "\(route.method)", url: "http://localhost\(path)",
              body: "\(route.method)" == "GET" ? .none : .bytes(Self.body(&generator)),
              unixSocketPath: server.socketPath))
          #expect(response.status < 500, "round \(round), \(route.method) \(path)")
          statuses[response.status, default: 0] += 1
        }
      }
      print("answers: \(statuses)")
      #expect(statuses[200, default: 0] > 0 && statuses[400, default: 0] > 50)
    }

    @Test func `a deeply nested body is refused`() async throws {
      let response = try await withServer(FakeRig()) { server in
        try await HTTPClient(userAgent: "fuzz").send(
          HTTPRequest(
            method: "POST", url: "http://localhost/v1/simulation",
            body: .bytes(Array(repeating: UInt8(ascii: "["), count: 60_000)),
            unixSocketPath: server.socketPath))
      }
      #expect(response.status == 400)
    }

    private static func body(_ generator: inout SeededGenerator) -> [UInt8] {
      if Int.random(in: 0..<8, using: &generator) == 0 {
        return (0..<Int.random(in: 0..<200, using: &generator)).map { _ in
          UInt8.random(in: 0...255, using: &generator)
        }
      }
      var bytes = Array((seeds.randomElement(using: &generator) ?? "").utf8)
      for _ in 0..<Int.random(in: 0..<4, using: &generator) where !bytes.isEmpty {
        let index = Int.random(in: 0..<bytes.count, using: &generator)
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: bytes[index] = UInt8.random(in: 0...255, using: &generator)
        case 1: bytes.remove(at: index)
        case 2: bytes.removeSubrange(index...)
        default:
          let fragment = fragments.randomElement(using: &generator) ?? ""
          bytes.insert(contentsOf: Array(fragment.utf8), at: index)
        }
      }
      return bytes
    }
  }
}
