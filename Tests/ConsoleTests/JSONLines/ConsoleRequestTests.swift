import API
import TestSupport
import Testing

@testable import Console

@Suite struct ConsoleRequestTests {
  @Test func `a request is read and its ID is any JSON`() throws {
    let ids: [(String, JSONValue)] = [
      ("1", .integer(1)), ("\"a\"", .string("a")), ("null", .null), ("1.5", .number(1.5)),
      ("[true,{\"a\":[]}]", .array([.boolean(true), .object(["a": .array([])])])),
    ]
    for (text, id) in ids {
      let request = try ConsoleRequest.read("{\"id\":\(text),\"command\":[\"status\"]}")
      #expect(request == ConsoleRequest(id: id, command: ["status"], confirm: nil))
      let answer = ConsoleAnswer(id: request.id, status: 0)
      #expect(answer.line == "{\"id\":\(text),\"output\":[],\"status\":0}")
    }
    let request = try ConsoleRequest.read(#"{"command":["a","b c"],"confirm":"rig-1"}"#)
    #expect(request == ConsoleRequest(id: nil, command: ["a", "b c"], confirm: "rig-1"))
  }

  @Test(
    arguments: [
      ("", "JSON"), ("status", "JSON"), ("[1]", "object"), ("{}", "command"),
      (#"{"command":[]}"#, "command"), (#"{"command":"status"}"#, "command"),
      (#"{"command":["a",1]}"#, "words"), (#"{"command":["a"],"confirm":1}"#, "confirm"),
      (#"{"command":["a"],"cmd":1}"#, "\"cmd\" is unknown"), (#"{"command":["a"]} x"#, "JSON"),
    ] as [(String, String)])
  func `an invalid request is refused`(_ line: String, _ word: String) {
    do {
      let request = try ConsoleRequest.read(line)
      Issue.record("\(request) was read")
    } catch {
      #expect(error.message.contains(word), "\(error.message)")
    }
  }

  @Test func `the ID of a refused request is known if it can be read`() {
    do {
      _ = try ConsoleRequest.read(#"{"id":7,"command":1}"#)
      Issue.record("it was read")
    } catch {
      #expect(error.id == .integer(7))
    }
  }

  @Test func `any line is read or refused and every answer is one line of JSON`() {
    var random = TestSeed.generator()
    let sample = Array(#"{"id":[1,"é\u0000"],"command":["spool","list"],"confirm":"x"}"#.utf8)
    var (read, refused) = (0, 0)
    for _ in 0..<2000 {
      var bytes = sample
      for _ in 0..<Int.random(in: 0...2, using: &random) {
        let index = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bytes[index] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.remove(at: index)
        default: bytes.insert(bytes[Int.random(in: 0..<bytes.count, using: &random)], at: index)
        }
      }
      let answer: ConsoleAnswer
      do {
        let request = try ConsoleRequest.read(String(decoding: bytes, as: UTF8.self))
        answer = ConsoleAnswer(
          id: request.id, status: 0, output: request.command.map(ConsoleAnswer.output))
        read += 1
      } catch {
        answer = ConsoleAnswer(
          id: error.id, status: 64, error: .init(code: "usage", message: error.message))
        refused += 1
      }
      #expect(
        !answer.line.utf8.contains(0x0A) && !answer.line.utf8.contains(0x1B),
        "seed \(TestSeed.value)")
      let again = try? APICoding.decode(ConsoleAnswer.self, from: answer.line.utf8)
      #expect(again == answer, "seed \(TestSeed.value)")
    }
    #expect(read > 200 && refused > 200)
  }

  @Test func `deep and long lines are refused without a crash`() {
    for line in [
      String(repeating: "[", count: 60_000), #"{"id":"# + String(repeating: "[", count: 60_000),
      #"{"command":["# + String(repeating: "\"a\",", count: 15_000),
    ] {
      #expect(throws: ConsoleRequest.Refusal.self) { try ConsoleRequest.read(line) }
    }
  }
}
