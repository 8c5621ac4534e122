import Devices
import Digests
import Foundation
import Testing

@testable import Spool

struct SidecarTests {
  let id = ItemID(boot: 1, sequence: 2, random: 3)

  func sidecar() -> Sidecar {
    var metadata = NewItem.sample(1).metadata
    metadata.camera = "imx708 \"wide\" /base"
    metadata.selectionErrorNanoseconds = -4_000_000
    metadata.orientationSource = .text
    metadata.page = PageFindings()
    metadata.page?.textAngle = 90
    metadata.page?.outline = [PageFindings.Point(x: 0.125, y: 0.25)]
    metadata.page?.regions = [PageFindings.Region(x: 0.25, y: 0.5, width: 0.5, height: 0.125)]
    metadata.page?.warnings = [.glare]
    return Sidecar(
      schema: 1, id: id, fileExtension: "jpg", bytes: 300,
      sha256: [UInt8](repeating: 0xab, count: 32).hexadecimal, remoteName: "rig-1/x.jpg",
      targets: [.primary], metadata: metadata)
  }

  @Test func `A sidecar is read as it was written`() throws {
    let bytes = try sidecar().encoded()
    #expect(Sidecar.decode(bytes, id: id) == sidecar())
    #expect(try sidecar().encoded() == bytes)
  }

  @Test func `A sidecar from before pages were read is read`() throws {
    var old = sidecar()
    (old.metadata.page, old.metadata.orientationSource) = (nil, nil)
    let text = String(decoding: try old.encoded(), as: UTF8.self)
    #expect(!text.contains("page") && !text.contains("orientationSource"))
    #expect(Sidecar.decode(Array(text.utf8), id: id) == old)
  }

  /// The words are those of a version before they were enums.
  @Test func `the words of a sidecar of an earlier version are read`() throws {
    let words =
      #""adjusting":["exposure","focus"],"flash":"auto","pressGesture":"double","#
      + #""pressSource":"handsFree","prioritization":"quality","#
      + #""singleFrame":"memory","unmerged":"heat","#
    let old = try #require(Sidecar.decode(Array(try text(with: words).utf8), id: id))
    var expected = sidecar()
    expected.metadata.adjusting = [.exposure, .focus]
    expected.metadata.flash = .auto
    expected.metadata.pressGesture = .double
    expected.metadata.pressSource = .handsFree
    expected.metadata.prioritization = .quality
    expected.metadata.singleFrame = .memory
    expected.metadata.unmerged = .heat
    #expect(old == expected)
    #expect(Sidecar.decode(try old.encoded(), id: id) == old)
  }

  @Test func `a sidecar with words of a later version is read without them`() throws {
    let words =
      #""adjusting":["focus","zoom"],"flash":"torch","pressGesture":"clap","#
      + #""pressSource":"voice","prioritization":"beauty","#
      + #""singleFrame":"dust","unmerged":"dust","#
    var later = try text(with: words)
    for (known, unknown) in [
      (#""orientationSource":"text""#, #""orientationSource":"moon""#),
      (#""wallTrust":"synchronized""#, #""wallTrust":"atomic""#),
      (#""warnings":["glare"]"#, #""warnings":["pageTorn","glare"]"#),
    ] {
      try #require(later.contains(known))
      later = later.replacing(known, with: unknown)
    }
    let read = try #require(Sidecar.decode(Array(later.utf8), id: id))
    var expected = sidecar()
    expected.metadata.adjusting = [.focus]
    expected.metadata.orientationSource = nil
    expected.metadata.captured.wallTrust = .unknown
    #expect(read == expected)
    let unknown = try text(with: #""adjusting":["zoom"],"#)
    let without = try #require(Sidecar.decode(Array(unknown.utf8), id: id))
    #expect(without.metadata.adjusting == nil, "no list is not the same as an empty one")
  }

  /// Returns the sidecar's text with more values at the beginning of its metadata.
  private func text(with values: String) throws -> String {
    let text = String(decoding: try sidecar().encoded(), as: UTF8.self)
    let changed = text.replacing(#""metadata":{"#, with: #""metadata":{"# + values)
    try #require(changed != text)
    return changed
  }

  @Test(arguments: 0..<10)
  func `A sidecar that is torn or of another item is not trusted`(part: Int) throws {
    let bytes = try sidecar().encoded()
    #expect(Sidecar.decode(Array(bytes.prefix(bytes.count * part / 10)), id: id) == nil)
    #expect(Sidecar.decode(bytes, id: ItemID(boot: 1, sequence: 2, random: 4)) == nil)
  }

  @Test(arguments: [
    #""schema":1"#: #""schema":2"#, #""bytes":300"#: #""bytes":0"#, "abab": "ab",
    #""fileExtension":"jpg""#: #""fileExtension":"../x""#, #"["primary"]"#: "[]",
  ])
  func `A sidecar with an impossible value is not trusted`(
    old: String, new: String
  ) throws {
    let text = String(decoding: try sidecar().encoded(), as: UTF8.self)
    let changed = text.replacing(old, with: new, maxReplacements: 1)
    #expect(changed != text)
    #expect(Sidecar.decode(Array(changed.utf8), id: id) == nil)
  }

  @Test func `A target that is named twice is adopted once`() async throws {
    let directory = TestDirectory()
    var spool = try await Spool.open(directory.configuration(), environment: SpoolEnvironment())
    let stored = try await spool.store(.sample(7))
    await spool.close()
    let path = stored.path.replacing(".jpg", with: ".json")
    let text = try String(contentsOfFile: path, encoding: .utf8)
    let changed = text.replacing(#"["primary"]"#, with: #"["primary","b","primary"]"#)
    #expect(changed != text)
    try write(changed, to: path)
    try FileManager.default.removeItem(atPath: directory.spool + "/queue.db")
    spool = try await Spool.open(directory.configuration(), environment: SpoolEnvironment())
    #expect(spool.recovery.adopted == 1)
    let targets = try await spool.item(stored.id)?.deliveries.map(\.target.rawValue)
    #expect(targets?.sorted() == ["b", "primary"])
    await spool.close()
  }

  @Test func `Another program reads the sidecar`() async throws {
    let directory = TestDirectory()
    let spool = try await Spool.open(
      directory.configuration(), environment: SpoolEnvironment())
    let stored = try await spool.store(.sample(7))
    await spool.close()
    let path = stored.path.replacing(".jpg", with: ".json")
    let script = """
      import json, sys
      s = json.load(open(sys.argv[1]))
      print(s["id"], s["sha256"], s["metadata"]["pressNumber"], s["metadata"]["orientation"],
            s["metadata"]["captured"]["wallTrust"])
      """
    let result = try run("python3", "-c", script, path)
    #expect(result.output == "\(stored.id) \(stored.sha256) 7 6 synchronized\n")
    #expect(try run("sha256sum", stored.path).output.hasPrefix(stored.sha256 + " "))
  }
}
