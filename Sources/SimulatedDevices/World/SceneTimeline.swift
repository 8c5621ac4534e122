import Devices

/// The scene before a camera of the world at one instant.
struct SceneState: Sendable, Hashable {
  var position = RigPosition()
  var page = 1
  var hasHand = false
  var light = SceneLight()
  /// The scene in linear light; `nil` for the plain page.
  var linear: LinearScene?
}

/// The scenes of a world over time.
///
/// A camera asks for the middle of a frame's exposure some frames later, so the past is kept. A
/// frame shows the scene of its exposure, however late it is delivered.
struct SceneTimeline: Sendable {
  private var entries: [(since: MonotonicInstant, scene: SceneState)]

  init(scene: SceneState, since instant: MonotonicInstant) {
    entries = [(instant, scene)]
  }

  var latest: SceneState { entries[entries.count - 1].scene }

  /// Returns the scene at an instant; the oldest known scene for earlier instants.
  func scene(at instant: MonotonicInstant) -> SceneState {
    (entries.last { $0.since <= instant } ?? entries[0]).scene
  }

  /// Changes the scene; an instant before the last change counts as the last change's.
  mutating func change(at instant: MonotonicInstant, _ body: (inout SceneState) -> Void) {
    var scene = latest
    body(&scene)
    guard scene != latest else { return }
    entries.append((max(instant, entries[entries.count - 1].since), scene))
    if entries.count > 1024 { entries.removeFirst(entries.count - 1024) }
  }
}
