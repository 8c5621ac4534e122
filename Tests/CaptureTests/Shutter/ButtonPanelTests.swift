import Capture
import Devices
import TestSupport
import Testing

@Suite struct ButtonPanelTests {
  private func panel(_ buttons: [(String, Set<Gesture>)]) -> ButtonPanel {
    let start = MonotonicInstant(milliseconds: 0)
    var panel = ButtonPanel(
      buttons.map { name, bound in
        ButtonPanel.Button(
          name: name, debounce: .milliseconds(30), gestures: GestureSettings(bound: bound))
      }, at: start)
    for (name, _) in buttons {
      let outputs = panel.begin(name, isDown: false, at: start)
      #expect(outputs.isEmpty)
    }
    return panel
  }

  private func edge(_ isDown: Bool, _ milliseconds: Double) -> LineEdge {
    LineEdge(
      kind: isDown ? .activated : .deactivated,
      time: MonotonicInstant(milliseconds: milliseconds))
  }

  private func text(_ outputs: [ButtonPanel.Output]) -> [String] {
    outputs.map { "\($0.button) \($0.event.text)" }
  }

  @Test func `a bouncing press is one gesture with the time of its first edge`() {
    var panel = panel([("shutter", [.single, .double])])
    var outputs: [ButtonPanel.Output] = []
    for index in 0..<7 {
      outputs += panel.take(edge(index.isMultiple(of: 2), Double(index)), of: "shutter")
    }
    for index in 0..<7 {
      outputs += panel.take(edge(!index.isMultiple(of: 2), 80 + Double(index)), of: "shutter")
    }
    #expect(text(outputs) == ["shutter anticipated@0"])
    #expect(panel.deadline?.milliseconds == 116, "the release has to settle")
    outputs = panel.advance(to: MonotonicInstant(milliseconds: 116))
    #expect(outputs.isEmpty)
    #expect(panel.deadline?.milliseconds == 400)
    outputs = panel.advance(to: MonotonicInstant(milliseconds: 400))
    #expect(text(outputs) == ["shutter single@0"])
    #expect(panel.deadline == nil)
  }

  @Test func `a press of any button cancels the armed power off and has no other effect`() {
    var panel = panel([("shutter", [.single, .hold]), ("pedal", [.single])])
    var outputs = panel.take(edge(true, 0), of: "shutter")
    outputs += panel.take(edge(false, 3200), of: "shutter")
    outputs += panel.advance(to: MonotonicInstant(milliseconds: 4000))
    outputs += panel.take(edge(true, 5000), of: "pedal")
    outputs += panel.take(edge(false, 5100), of: "pedal")
    outputs += panel.take(edge(true, 6000), of: "pedal")
    outputs += panel.advance(to: MonotonicInstant(milliseconds: 20_000))
    #expect(
      text(outputs) == [
        "shutter anticipated@0", "shutter armed@3000-8000", "shutter cancelled@0",
        "pedal single@6000",
      ])
  }

  @Test func `a press that comes too late cancels no power off`() {
    var panel = panel([("shutter", [.hold]), ("pedal", [.single])])
    var outputs = panel.take(edge(true, 0), of: "shutter")
    outputs += panel.take(edge(false, 3200), of: "shutter")
    // There was no look in between: the kernel's times decide.
    outputs += panel.take(edge(true, 8001), of: "pedal")
    #expect(
      text(outputs) == [
        "shutter anticipated@0", "shutter armed@3000-8000", "shutter hold@0", "pedal single@8001",
      ])
  }

  @Test(arguments: [Set<Gesture>([.single]), Set(Gesture.allCases)])
  func `a storm of ten kilohertz is one sequence and a fault`(bound: Set<Gesture>) {
    var panel = panel([("shutter", bound)])
    var outputs: [ButtonPanel.Output] = []
    for index in 0..<600_000 {
      let time = Double(index) / 10
      outputs += panel.take(edge(index.isMultiple(of: 2), time), of: "shutter")
      if index.isMultiple(of: 50), let deadline = panel.deadline, deadline.milliseconds <= time {
        outputs += panel.advance(to: MonotonicInstant(milliseconds: time))
      }
    }
    outputs += panel.advance(to: MonotonicInstant(milliseconds: 70_000))
    let first =
      bound == [.single]
      ? ["shutter single@0"] : ["shutter anticipated@0", "shutter chattering@0"]
    #expect(
      text(outputs)
        == first + ["shutter +buttonChattering@25", "shutter -buttonChattering@60999.9"])
    outputs = panel.take(edge(true, 71_000), of: "shutter")
    #expect(outputs.count == 1, "the press after the storm counts")
  }

  @Test func `lost edges are reported once a second`() {
    var panel = panel([("shutter", [.single])])
    var outputs: [ButtonPanel.Output] = []
    for index in 0..<30 {
      outputs += panel.lose(
        3, of: "shutter", at: MonotonicInstant(milliseconds: Double(index) * 100))
    }
    outputs += panel.advance(to: MonotonicInstant(milliseconds: 10_000))
    let lost = outputs.filter { if case .lostEdges = $0.event { true } else { false } }
    #expect(
      text(lost) == [
        "shutter lost3@0", "shutter lost30@1000", "shutter lost30@2000", "shutter lost27@10000",
      ])
  }

  @Test func `a lost line ends its open gestures and faults`() {
    var panel = panel([("shutter", [.single, .long])])
    var outputs = panel.take(edge(true, 0), of: "shutter")
    outputs += panel.end("shutter", at: MonotonicInstant(milliseconds: 100))
    outputs += panel.take(edge(false, 200), of: "shutter")
    outputs += panel.begin("shutter", isDown: true, at: MonotonicInstant(milliseconds: 300))
    outputs += panel.end("shutter", at: MonotonicInstant(milliseconds: 400))
    #expect(
      text(outputs) == [
        "shutter anticipated@0", "shutter lineLost@0", "shutter +buttonHeldAtStart@300",
        "shutter -buttonHeldAtStart@400",
      ])
    #expect(panel.deadline == nil)
  }

  @Test func `a line that cannot be read is a fault until it is watched again`() {
    var panel = panel([("shutter", [.single, .long])])
    var outputs = panel.take(edge(true, 0), of: "shutter")
    outputs += panel.fail("shutter", at: MonotonicInstant(milliseconds: 100))
    outputs += panel.fail("shutter", at: MonotonicInstant(milliseconds: 1100))
    outputs += panel.begin("shutter", isDown: false, at: MonotonicInstant(milliseconds: 2100))
    #expect(
      text(outputs) == [
        "shutter anticipated@0", "shutter lineLost@0", "shutter +buttonUnreadable@100",
        "shutter -buttonUnreadable@2100",
      ])
  }

  /// Random edges of three buttons, with bounce, storms, losses and lines that fail.
  @Test(arguments: 0..<150 as Range<UInt64>)
  func `any edges keep to the grammar of events`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var bounds: [String: Set<Gesture>] = [:]
    for name in ["shutter", "retake", "pedal"] {
      let bound = Set(Gesture.allCases.filter { _ in Bool.random(using: &random) })
      bounds[name] = bound.isEmpty ? [.single] : bound
    }
    let names = bounds.keys.sorted()
    var panel = panel(names.map { ($0, bounds[$0] ?? []) })
    var grammars = bounds.mapValues { _ in EventGrammar() }
    func take(_ outputs: [ButtonPanel.Output]) {
      for output in outputs {
        grammars[output.button]?.take(
          output.event, isSingleOnly: bounds[output.button] == [.single])
      }
    }
    var time = 0.0
    var isDown = [String: Bool](uniqueKeysWithValues: names.map { ($0, false) })
    for _ in 0..<400 {
      time += Double.random(
        in: 0...[40.0, 600, 9000][Int.random(in: 0..<3, using: &random)], using: &random)
      // The clock is read at its deadlines, as in the service, sometimes a little late.
      while let deadline = panel.deadline, deadline.milliseconds <= time {
        take(panel.advance(to: deadline))
      }
      let name = names[Int.random(in: 0..<3, using: &random)]
      switch Int.random(in: 0..<20, using: &random) {
      case 0:
        take(
          panel.lose(
            Int.random(in: 1...40, using: &random), of: name,
            at: MonotonicInstant(milliseconds: time)))
      case 1:
        take(
          panel.begin(name, isDown: isDown[name] == true, at: MonotonicInstant(milliseconds: time)))
      case 2:
        for _ in 0..<Int.random(in: 10...600, using: &random) {
          time += Double.random(in: 0.05...8, using: &random)
          isDown[name]?.toggle()
          take(panel.take(edge(isDown[name] == true, time), of: name))
        }
      default:
        // A push or a release with bounce, of which edges may be missing.
        for _ in 0...(2 * Int.random(in: 0...4, using: &random)) {
          time += 0.4
          isDown[name]?.toggle()
          guard Int.random(in: 0..<30, using: &random) > 0 else { continue }
          take(panel.take(edge(isDown[name] == true, time), of: name))
        }
      }
    }
    for name in names {
      time += 5000
      take(panel.advance(to: MonotonicInstant(milliseconds: time)))
      take(panel.take(edge(false, time), of: name))
    }
    take(panel.advance(to: MonotonicInstant(milliseconds: time + 100_000)))
    take(panel.advance(to: MonotonicInstant(milliseconds: time + 200_000)))
    for (name, var grammar) in grammars {
      grammar.end()
      #expect(grammar.mistakes.isEmpty, "seed \(seed), \(name): \(grammar.mistakes)")
      for (first, second) in zip(grammar.gestures, grammar.gestures.dropFirst()) {
        let pause = first.duration(to: second)
        #expect(pause >= .milliseconds(30), "seed \(seed), \(name): \(pause)")
      }
    }
  }
}
