import Capture
import Devices

/// Plays edges to a button that is configured as by default, and returns its events.
///
/// - Parameter isPunctual: whether each deadline is met; otherwise time passes with the edges.
func events(
  of edges: [LineEdge], debounce: Double = 30, shortestPress: Double = 5,
  isPunctual: Bool = true, until end: Double
) -> [String] {
  let start = MonotonicInstant(milliseconds: 0)
  var panel = ButtonPanel(
    [
      ButtonPanel.Button(
        name: "shutter", debounce: .milliseconds(debounce),
        shortestPress: .milliseconds(shortestPress),
        gestures: GestureSettings(bound: [.single]))
    ], at: start)
  var outputs = panel.begin("shutter", isDown: false, at: start)
  func pass(until time: MonotonicInstant) {
    while isPunctual, let deadline = panel.deadline, deadline <= time {
      outputs += panel.advance(to: deadline)
    }
  }
  for edge in edges {
    pass(until: edge.time)
    outputs += panel.take(edge, of: "shutter")
  }
  pass(until: MonotonicInstant(milliseconds: end))
  outputs += panel.advance(to: MonotonicInstant(milliseconds: end))
  return outputs.map(\.event.text)
}
