import Foundation
import Testing

@testable import Upload

@Suite struct JSONParserTests {
  private func canonical(_ text: String) throws -> String {
    try JSONParser.parse(text.utf8).text
  }

  @Test(arguments: [
    (" { \"b\" : 1 , \"a\" : [ true , null ] } ", #"{"a":[true,null],"b":1}"#),
    ("\"\\u00fc\\/\\b\\f\\n\\r\\t\\u0001\"", "\"ü/\\u0008\\u000c\\n\\r\\t\\u0001\""),
    (#""\ud83d\ude00""#, "\"😀\""), ("1.50e+10", "1.50e+10"), ("-0", "-0"), ("[]", "[]"),
    ("{}", "{}"), ("123456789012345678901234567890", "123456789012345678901234567890"),
    ("\t\r\nfalse\n", "false"),
    (#"{"z":{"y":{}},"é":0,"z2":""}"#, #"{"z":{"y":{}},"z2":"","é":0}"#),
  ])
  func `equal values have the same text`(text: String, expected: String) throws {
    #expect(try canonical(text) == expected)
    #expect(try canonical(expected) == expected)
  }

  @Test(arguments: [
    "", " ", "tru", "truefalse", "nul", "01", "1.", ".5", "+1", "1e", "1e+", "0x1", "NaN",
    "Infinity", "-", "\"", "\"\\\"", "\"\\x\"", "\"\\u12\"", "\"\\u12g4\"", "\"\\ud800\"",
    "\"\\ud800x\"", "\"\\ud800\\u0041\"", "\"\\udc00\"", "\"\u{1}\"", "\"\n\"", "[", "[1", "[1,",
    "[1,]", "[,1]", "[1 2]", "{", "{\"a\"", "{\"a\":", "{\"a\":1", "{\"a\":1,}", "{a:1}", "{1:1}",
    "{\"a\":1,\"a\":2}", "{\"a\" 1}", "[] []", "'a'", "// a\n1", "\u{FEFF}1",
  ])
  func `text that is not JSON is refused`(text: String) {
    #expect(throws: JSONParser.Failure.self) { try canonical(text) }
  }

  @Test func `the depth has a limit`() throws {
    let deep = { (levels: Int) in
      String(repeating: "[", count: levels) + "1" + String(repeating: "]", count: levels)
    }
    _ = try canonical(deep(63))
    #expect(throws: JSONParser.Failure.self) { try canonical(deep(64)) }
    #expect(throws: JSONParser.Failure.self) { try canonical(deep(100_000)) }
  }

  @Test func `bytes that are not text are refused`() {
    #expect(throws: JSONParser.Failure.self) { try JSONParser.parse([0x22, 0xFF, 0x22]) }
  }

  /// Python's `json` is the referee: its canonical form is our canonical form.
  @Test func `Python writes the same text`() async throws {
    let code = """
      import json, random
      r = random.Random(5)
      def value(depth):
          kind = r.randrange(8 if depth < 4 else 6)
          if kind == 0: return None
          if kind == 1: return r.random() < 0.5
          if kind == 2: return r.randrange(-10**18, 10**18)
          if kind == 3: return r.uniform(-1e9, 1e9)
          if kind < 6:
              text = (chr(r.choice([9, 10, 34, 47, 92, 97, 0xfc, 0x20ac, 0x1f600])) for _ in range(r.randrange(9)))
              return ''.join(text)
          if kind == 6: return [value(depth + 1) for _ in range(r.randrange(6))]
          return {f'k{r.randrange(99)}': value(depth + 1) for _ in range(r.randrange(6))}
      for _ in range(300):
          v = value(0)
          print(json.dumps(v, indent=r.choice([None, 2]), ensure_ascii=r.random() < 0.5).replace('\\n', ' '))
          print(json.dumps(v, sort_keys=True, separators=(',', ':'), ensure_ascii=False))
      """
    let lines = try await run("/usr/bin/python3", ["-X", "utf8", "-c", code])
      .split(separator: "\n")
    #expect(lines.count == 600)
    for index in stride(from: 0, to: lines.count, by: 2) {
      #expect(try canonical(String(lines[index])) == lines[index + 1])
    }
  }
}
