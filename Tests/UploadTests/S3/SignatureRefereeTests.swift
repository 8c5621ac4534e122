import Foundation
import TestSupport
import Testing
import Transfer

@testable import Upload

/// Our signatures, compared with those of AWS's own library for Python and of `curl`.
@Suite(.timeLimit(.minutes(10))) struct SignatureRefereeTests {
  /// A request as both sides sign it.
  private struct Sample: Codable {
    var method: String
    var url: String
    var headers: [String: String]
    var token: String?
    var authorization: String
    var date: String
  }

  private let location: S3Location
  private let files = TemporaryDirectory()

  init() throws {
    location = try S3Location(
      S3Configuration(
        url: "https://s3.eu-central-1.amazonaws.com:8443/base", region: "eu-central-1",
        bucket: "pages", prefix: "rig 7/ü", addressing: .path,
        credentials: S3Credentials(
          accessKeyID: "AKID", secretAccessKey: SecretFile(path: "/nonexistent"))))
  }

  @Test func `our signatures of random requests agree with botocore`() async throws {
    let seed = TestSeed.value
    var random = SeededGenerator(seed: seed)
    let samples = (0..<300).map { _ in sample(&random) }
    let input = files.path + "/samples.json"
    try JSONEncoder().encode(samples).write(to: URL(fileURLWithPath: input))
    let script = """
      import json, sys
      import botocore.auth
      from botocore.auth import S3SigV4Auth
      from botocore.awsrequest import AWSRequest
      from botocore.credentials import Credentials
      for sample in json.load(open(sys.argv[1])):
          request = AWSRequest(sample["method"], sample["url"], headers=sample["headers"])
          request.context["timestamp"] = sample["date"]
          request.headers["X-Amz-Date"] = sample["date"]
          if sample.get("token"):
              request.headers["X-Amz-Security-Token"] = sample["token"]
          key = Credentials("AKID", "se/cr+et", sample.get("token"))
          auth = S3SigV4Auth(key, "s3", "eu-central-1")
          text = auth.string_to_sign(request, auth.canonical_request(request))
          auth._inject_signature_to_request(request, auth.signature(text, request))
          print(request.headers["Authorization"])
      """
    let output = try await run(try await StorageServer.python(), ["-c", script, input])
    let theirs = output.split(separator: "\n").map(String.init)
    #expect(theirs.count == samples.count)
    for (sample, authorization) in zip(samples, theirs) {
      #expect(sample.authorization == authorization, "seed \(seed), \(sample.url)")
    }
  }

  private func sample(_ random: inout SeededGenerator) -> Sample {
    let alphabet = Array("abzAZ09-._~ /+=&%$@:,;!*'()ü\u{1234}\u{1F600}")
    func text(_ most: Int) -> String {
      String(
        (0..<Int.random(in: 1...most, using: &random)).map { _ in
          alphabet[Int.random(in: 0..<alphabet.count, using: &random)]
        })
    }
    let key = S3ObjectKey(parts: text(20).split(separator: "/").map(String.init) + ["x"])
    let query = (0..<Int.random(in: 0...4, using: &random)).map { number in
      CanonicalRequest.Parameter("\(text(5))\(number)", Bool.random(using: &random) ? text(8) : "")
    }
    let date = SigningTime(seconds: Int64.random(in: 0...4_000_000_000, using: &random))
    let hash = S3Call.emptyHash
    var headers = [
      "Host": location.hostField, "X-Amz-Content-SHA256": hash, "If-None-Match": "*",
      "x-amz-meta-a": "1", "x-amz-meta-a-b": "  two   words ", "Content-Type": "image/jpeg",
    ]
    if Bool.random(using: &random) { headers["x-amz-meta-note"] = "a, b; \"c  d\"" }
    let token = Bool.random(using: &random) ? "token/+=\(text(3).filter(\.isASCII))x" : nil
    var signed = headers.map { HTTPHeader($0.key, $0.value) }
    signed.append(HTTPHeader("X-Amz-Date", date.text))
    if let token { signed.append(HTTPHeader("X-Amz-Security-Token", token)) }
    let request = CanonicalRequest(
      method: "PUT", path: location.path(key), query: query, headers: signed, payloadHash: hash)
    let signer = SignatureV4(
      accessKeyID: "AKID", secretAccessKey: "se/cr+et", region: "eu-central-1", service: "s3")
    return Sample(
      method: "PUT", url: location.url(path: request.path, encodedQuery: request.encodedQuery),
      headers: headers, token: token, authorization: signer.authorization(for: request, at: date),
      date: date.text)
  }

  @Test func `our signatures agree with curl`() async throws {
    let proxy = try FaultProxy()
    proxy.plan("GET", .respond(answer("200 OK")))
    let hash = S3Call.emptyHash
    try await run(
      "/usr/bin/curl",
      [
        "--silent", "--noproxy", "*", "--aws-sigv4", "aws:amz:eu-central-1:s3", "--user",
        "AKID:se/cr+et", "--header", "x-amz-content-sha256: \(hash)", "--header",
        "x-amz-meta-note: two words", proxy.url + "pages/2026/page-1.jpg?prefix=abc",
      ])
    let head = try #require(proxy.requests.first?.head)
    func field(_ name: String) throws -> String {
      let line = head.components(separatedBy: "\r\n").first {
        $0.lowercased().hasPrefix(name.lowercased() + ":")
      }
      return try #require(line).dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces)
    }
    let authorization = try field("Authorization")
    let names = try #require(authorization.components(separatedBy: "SignedHeaders=").last)
      .prefix { $0 != "," }.split(separator: ";").map(String.init)
    let request = CanonicalRequest(
      method: "GET", path: "/pages/2026/page-1.jpg", query: [.init("prefix", "abc")],
      headers: try names.map { HTTPHeader($0, try field($0)) }, payloadHash: hash)
    let date = try field("x-amz-date")
    let now = Int64(Date().timeIntervalSince1970)
    let time = try #require(
      (-120...120).lazy.map { SigningTime(seconds: now + $0) }.first { $0.text == date })
    let signer = SignatureV4(
      accessKeyID: "AKID", secretAccessKey: "se/cr+et", region: "eu-central-1", service: "s3")
    #expect(signer.authorization(for: request, at: time) == authorization)
    #expect(names.contains("host") && names.contains("x-amz-meta-note"))
  }
}
