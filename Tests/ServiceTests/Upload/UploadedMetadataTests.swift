import Devices
import Spool
import Testing

@testable import Service

@Suite(.timeLimit(.minutes(10))) struct UploadedMetadataTests {
  private let scratch = ScratchSpool()

  private func metadata(_ change: (inout ItemMetadata) -> Void) async throws -> [String: String] {
    let spool = try await scratch.open()
    var item = NewItem.sample(press: 9)
    change(&item.metadata)
    _ = try await spool.store(item)
    let delivery = try #require(try await spool.nextDelivery())
    await spool.close()
    return UploadedMetadata.make(delivery)
  }

  @Test func `the time comes with its trust`() async throws {
    let values = try await metadata { metadata in
      metadata.captured.wallNanoseconds = 1_795_219_200_123_999_999
      metadata.captured.wallTrust = .estimated
    }
    #expect(values["captured"] == "2026-11-21T00:00:00.123Z")
    #expect(values["captured-trust"] == "estimated")
    #expect(values["press"] == "9")
    #expect(values["rig"] == "rig-1")
    #expect(values["sha256"]?.utf8.count == 64)
  }

  @Test func `the orientation's source and the findings about the page come along`() async throws {
    let values = try await metadata { metadata in
      metadata.orientationSource = .text
      metadata.page = PageFindings()
      metadata.page?.skew = -1.23456
      metadata.page?.warnings = [.textBlurred, .glare]
      metadata.page?.outline = [(0.1, 0.05), (0.90004, 0.0512), (1, 0.98766), (0, 1)].map {
        PageFindings.Point(x: $0.0, y: $0.1)
      }
    }
    #expect(values["orientation-source"] == "text")
    #expect(values["page-skew"] == "-1.23")
    #expect(values["page-outline"] == "0.1 0.05 0.9 0.0512 1.0 0.9877 0.0 1.0")
    #expect(values["page-warnings"] == "textBlurred glare")
    #expect(values["page-regions"] == nil)
  }

  @Test func `the regions of text come along`() async throws {
    let values = try await metadata { metadata in
      metadata.page = PageFindings()
      metadata.page?.regions = [
        PageFindings.Region(x: 0.1, y: 0.2226, width: 0.75, height: 0.0104),
        PageFindings.Region(x: 0, y: 0, width: 1, height: 1),
      ]
    }
    #expect(values["page-regions"] == "0.1 0.223 0.75 0.01 0.0 0.0 1.0 1.0")
  }

  @Test func `the longest metadata fit into S3's limit`() async throws {
    let values = try await metadata { metadata in
      metadata.page = PageFindings()
      metadata.page?.regions = Array(
        repeating: PageFindings.Region(x: 0.123, y: 0.456, width: 0.789, height: 0.111), count: 32)
      metadata.page?.outline = (0..<4).map { _ in PageFindings.Point(x: 0.1234, y: -0.1234) }
      metadata.page?.warnings = PageWarning.allCases
      metadata.page?.skew = -44.44
      metadata.orientationSource = .gravity
      metadata.nearDuplicateOf = String(repeating: "f", count: 40)
      metadata.replacedItemID = String(repeating: "f", count: 40)
    }
    #expect(values["page-regions"]?.split(separator: " ").count == 128)
    // Source: Amazon S3's user guide, "User-defined object metadata": names and values together.
    let bytes = values.reduce(0) { $0 + "x-amz-meta-\($1.key)\($1.value)".utf8.count }
    #expect(bytes < 2048, "\(bytes) bytes")
  }

  @Test func `unknown values are omitted`() async throws {
    let values = try await metadata { metadata in
      metadata.captured.wallNanoseconds = nil
      metadata.captured.wallTrust = .unknown
      metadata.pressNumber = nil
    }
    #expect(values["captured"] == nil)
    #expect(values["press"] == nil)
    #expect(values["captured-trust"] == "unknown")
  }

  @Test func `names and values fit into HTTP fields`() async throws {
    let values = try await metadata { $0.captured.bootID = "Boot\r\nX-Evil: 1 ü" }
    #expect(values["boot-id"] == nil)
    for (name, value) in values {
      #expect(name.utf8.allSatisfy { ($0 >= 0x61 && $0 <= 0x7A) || $0 == 0x2D || $0 < 0x3A })
      #expect(value.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F })
    }
  }
}
