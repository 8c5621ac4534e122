import Devices
import Imaging

/// The check of compressed frames for damage, on a queue beside the encoding of other pictures.
actor FrameInspector {
  private let executor = DispatchQueueExecutor(label: "platen.inspection")
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// Returns the damage of a frame in words; `nil` for a whole frame, and for an unreadable one.
  func damage(of frame: FrameLease) -> String? {
    try? frame.withBytes { JPEGDamage.find(in: $0) }
  }
}
