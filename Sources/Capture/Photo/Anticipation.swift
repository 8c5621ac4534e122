/// A frame that is kept for a press while the gesture is undecided.
package struct Anticipation: Sendable, Hashable {
  /// The ID of an anticipation, unique in its session.
  struct ID: Sendable, Hashable {
    let number: UInt64
  }

  let id: ID
}

/// The state of an anticipation until it is withdrawn or a press has its frame.
struct AnticipatedFrame {
  enum State {
    /// The frame of the moment has not come; the request is the selector's.
    case waiting(request: Int64)
    /// The frame is being leased.
    case leasing
    /// The frame is leased and waits for the gesture.
    case holding(ChosenFrame)
    /// The press has come while the frame is being leased, and gets the frame afterward.
    case became(press: Int64)
  }

  let id: Anticipation.ID
  /// The decision about the lamp's light for the press; `nil` without a lamp.
  let flash: ResolvedFlash?
  var state: State
}
