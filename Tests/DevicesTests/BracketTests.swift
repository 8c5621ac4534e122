import Devices
import Foundation
import Testing

@Suite struct BracketTests {
  @Test(arguments: [
    "ev=-2,0,2", "ev=-0.5,0.5", "ms=5,20,80", "focus=0,2.5,15", "lamps=left,right-2",
  ])
  func `a text and its JSON say the same`(text: String) throws {
    let bracket = try Bracket(text)
    #expect(bracket.description == text)
    let json = try JSONEncoder().encode(bracket)
    #expect(try JSONDecoder().decode(Bracket.self, from: json) == bracket)
  }

  @Test(arguments: [
    "", "ev", "ev=", "ev=1", "ev=1,", "ev=1,x", "ev=1;2", "lamp=1,2", "ev=-9,0", "ev=0,nan",
    "ev=0,0", "ev=0,0.05", "ms=0,5", "ms=5,5.1", "ms=5,70000", "focus=1,1.2", "focus=-1,2",
    "ev=1,2,3,4,5,6,7,8", "ev=1,2=3", "lamps=", "lamps=left", "lamps=left,left", "lamps=left,Right",
    "lamps=left,", "lamps=a,b,c,d,e,f,g,h",
  ])
  func `a text that no camera can take is refused in a sentence`(text: String) {
    let error = #expect(throws: InvalidValue.self) { try Bracket(text) }
    #expect(error?.description.hasSuffix(".") == true)
  }

  @Test(arguments: [
    "{}", "[]", #"{"ev": 1}"#, #"{"ev": [0]}"#, #"{"ev": [0, 1], "ms": [5, 10]}"#,
    #"{"lamps": [1, 2]}"#, #"{"lamps": ["left"]}"#, #"{"focus": [0, 101]}"#,
  ])
  func `other JSON is refused`(json: String) {
    #expect(throws: (any Error).self) {
      try JSONDecoder().decode(Bracket.self, from: Data(json.utf8))
    }
  }

  @Test func `only a bracket of durations names its longest exposure`() throws {
    #expect(try Bracket("ms=5,80,20").longestExposure == .milliseconds(80))
    #expect(Bracket.standard.longestExposure == .zero)
  }
}
