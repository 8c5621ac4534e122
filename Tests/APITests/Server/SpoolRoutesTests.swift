import API
import Console
import Foundation
import Synchronization
import Testing
import TestSupport

extension ServerTests {
  @Suite struct SpoolRoutesTests {
    @Test func `statistics arrive unchanged`() async throws {
      let statistics = try await withServer(FakeRig()) {
        try await $0.client.call(Operations.spoolStatistics)
      }
      #expect(statistics == SpoolSamples.statistics)
    }

    @Test func `pictures are listed in pages`() async throws {
      let rig = FakeRig()
      let items = (1...5).reversed().map { SpoolSamples.item($0) }
      rig.editSpool { $0.items = items }
      try await withServer(rig) { server in
        let first = try await server.client.call(
          Operations.spoolItems, SpoolItemFilter(state: nil, limit: 3))
        #expect(first.items == Array(items.prefix(3)))
        let second = try await server.client.call(
          Operations.spoolItems,
          SpoolItemFilter(
            state: .stored, limit: 3, before: first.next))
        #expect(second.items == Array(items.suffix(2)))
        #expect(second.next == nil)
        #expect(
          try await server.client.call(Operations.spoolItem, SpoolItemReference(items[0].id))
            == items[0])
      }
    }

    @Test(arguments: [
      ("/v1/spool/items?limit=0", 400), ("/v1/spool/items?limit=1001", 400),
      ("/v1/spool/items?state=lost", 400), ("/v1/spool/items?page=2", 400),
      ("/v1/spool/items/unknown", 404), ("/v1/spool/items/unknown/image", 404),
      ("/v1/spool/items/unknown/thumbnail", 404),
      ("/v1/spool/items/..%2F..%2Fetc", 404),
    ])
    func `an invalid request is refused`(path: String, status: Int) async throws {
      let answer = try await withServer(FakeRig()) { try await CurlAnswer.get(path, on: $0) }
      #expect(answer.status == status)
      _ = try APICoding.decode(ErrorEnvelope.self, from: answer.body.utf8)
    }

    @Test func `only parked pictures can be retried`() async throws {
      let rig = FakeRig()
      rig.holds(SpoolSamples.item(2, state: "parked"), SpoolSamples.item(1))
      try await withServer(rig) { server in
        let client = server.client
        let parked = SpoolSamples.item(2).id
        let one = try await client.call(Operations.retrySpoolItem, SpoolItemReference(parked))
        #expect(one == SpoolRetryReport(retried: 1))
        let all = try await client.call(Operations.retryParked)
        #expect(all == SpoolRetryReport(retried: 1))
        await #expect(throws: RigClientError.self) {
          try await client.call(
            Operations.retrySpoolItem, SpoolItemReference(SpoolSamples.item(1).id))
        }
      }
      #expect(rig.spool.retried == [SpoolSamples.item(2).id])
    }

    @Test func `a client that waits for a verification gets its progress`() async throws {
      let rig = FakeRig()
      rig.editSpool { $0.verifiesUntilAsked = true }
      let told = Mutex<[SpoolVerificationProgress]>([])
      try await withServer(rig) { server in
        let report = try await server.client.verifySpool(repair: false) { progress in
          told.withLock { $0.append(progress) }
        }
        #expect(report.rows == 3)
      }
      #expect(rig.spool.progressQuestions > 0)
      #expect(told.withLock { $0.allSatisfy { $0.hashedBytes == 3000 } })
    }

    @Test func `a verification repairs only on request`() async throws {
      try await withServer(FakeRig()) { server in
        let progress = try await server.client.call(Operations.spoolVerificationProgress)
        #expect(progress.isRunning && progress.hashedBytes == 3000 && progress.bytes == 5000)
        let look = try await server.client.call(
          Operations.verifySpool, SpoolVerificationRequest(repair: false))
        #expect(!look.isInOrder)
        let repair = try await server.client.call(
          Operations.verifySpool, SpoolVerificationRequest(repair: true))
        #expect(repair.isInOrder)
        let bare = try await CurlAnswer.get("/v1/spool/verify", on: server, ["-X", "POST"])
        #expect(bare.status == 200)
        let wrong = try await CurlAnswer.get(
          "/v1/spool/verify", on: server, ["-d", #"{"delete":true}"#])
        #expect(wrong.status == 400)
      }
    }

    @Test func `deleting must be confirmed`() async throws {
      let rig = FakeRig()
      let id = SpoolSamples.item(1).id
      try await withServer(rig) { server in
        for query in ["", "?confirm=", "?confirm=yes", "?confirm=\(id)0"] {
          let answer = try await CurlAnswer.get(
            "/v1/spool/items/\(id)\(query)", on: server, ["-X", "DELETE"])
          #expect(answer.status == 400)
        }
        #expect(rig.spool.deleted.isEmpty)
        _ = try await server.client.call(Operations.deleteSpoolItem, SpoolItemDeletion(id))
      }
      #expect(rig.spool.deleted == [id])
    }

    @Test func `emptying the quarantine must be confirmed`() async throws {
      let rig = FakeRig()
      rig.holds(SpoolSamples.item(2, state: "quarantined"), SpoolSamples.item(1))
      try await withServer(rig) { server in
        for query in ["", "?confirm=", "?confirm=yes", "?confirm=quarantines"] {
          let answer = try await CurlAnswer.get(
            "/v1/spool/quarantine\(query)", on: server, ["-X", "DELETE"])
          #expect(answer.status == 400)
        }
        #expect(rig.spool.deleted.isEmpty)
        #expect(
          try await server.client.call(Operations.deleteQuarantined, QuarantineDeletion()).deleted
            == 1)
      }
      #expect(rig.spool.deleted == [SpoolSamples.item(2).id])
    }

    @Test func `a picture is sent byte by byte`() async throws {
      try await withTemporaryDirectory { directory in
        let bytes = Data((0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) })
        let path = directory + "/1.jpg"
        try bytes.write(to: URL(fileURLWithPath: path))
        let rig = FakeRig()
        rig.holds(SpoolSamples.item(1, path: path, bytes: Int64(bytes.count)))
        let copy = directory + "/copy"
        try await withServer(rig) { server in
          let answer = try await CurlAnswer.get(
            "/v1/spool/items/\(SpoolSamples.item(1).id)/image", on: server, ["-o", copy])
          #expect(answer.status == 200)
          #expect(answer.contentType == "image/jpeg")
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: copy)) == bytes)
      }
    }

    @Test func `a thumbnail is kept by the browser, and that of a proxy is asked for again`()
      async throws
    {
      let rig = FakeRig()
      let (photo, proxy) = (SpoolSamples.item(2), SpoolSamples.item(1, isProxy: true))
      rig.holds(photo, proxy, SpoolSamples.item(3))
      rig.editSpool { $0.thumbnails = [photo.id: Array("small".utf8), proxy.id: [1]] }
      try await withServer(rig) { server in
        let get = { (id: String, arguments: [String]) async throws -> CurlHead in
          try await CurlHead.ask(
            ["--unix-socket", server.socketPath] + arguments
              + ["http://localhost/v1/spool/items/\(id)/thumbnail"])
        }
        let answer = try await get(photo.id, [])
        #expect(answer.status == 200 && answer.body == "small")
        #expect(answer.headers["content-type"] == "image/jpeg")
        #expect(answer.headers["cache-control"] == "private, max-age=31536000, immutable")
        let tag = try #require(answer.headers["etag"])
        #expect(tag == "\"\(photo.sha256)\"")
        let again = try await get(photo.id, ["-H", "If-None-Match: \(tag)"])
        #expect(again.status == 304 && again.body.isEmpty && again.headers["etag"] == tag)
        #expect(try await get(proxy.id, []).headers["cache-control"] == "private, no-cache")
        let missing = try await get(SpoolSamples.item(3).id, [])
        #expect(missing.status == 404 && missing.body.contains("has no thumbnail"))
      }
    }
  }
}
