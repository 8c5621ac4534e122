import Devices
import RigConfiguration
import TestSupport
import Testing

@testable import Service
@testable import SimulatedDevices

/// The world that the section `simulation` describes.
@Suite struct SimulatedWorldTests {
  private func world(_ section: String) throws -> SimulatedWorld {
    let configuration = try PlatenConfiguration.parse(
      """
      rig: { id: rig-1 }
      board: simulated
      simulation: { \(section) }
      spool: { directory: /var/lib/platen }
      """, file: "platen.yaml")
    let product = BoardFactory.make(
      configuration, clock: SystemMonotonicClock(), logger: .silent)
    return try #require(product.world)
  }

  @Test func `scene, depth, noise and mosaic are those of the configuration`() throws {
    let world = try world("seed: 7, scene: contrast, depth: 6, gain: 8, mosaic: bggr")
    let scene = world.scene(at: world.clock.now)
    #expect(world.seed == 7 && scene.linear == LinearScene(.contrast, depth: 6))
    #expect(scene.light.gain == 8 && scene.light.exposureDuration == .milliseconds(10))
    #expect(world.cameraModels.map(\.capabilities.rawFormat?.mosaic) == [.bggr])
  }

  @Test func `the plain page is the default`() throws {
    let world = try world("seed: 1")
    let scene = world.scene(at: world.clock.now)
    #expect(scene.linear == nil && scene.light == SceneLight())
    #expect(world.cameraModels == [SimulatedCameraModel()])
  }
}
