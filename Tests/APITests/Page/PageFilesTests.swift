import Foundation
import TestSupport
import Testing

@testable import API

extension ServerTests {
  /// The page in the browser, asked by curl.
  @Suite(.timeLimit(.minutes(10))) struct PageFilesTests {
    private func write(_ text: String, to path: String) throws {
      try FileManager.default.createDirectory(
        atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
      try text.write(toFile: path, atomically: true, encoding: .utf8)
    }

    /// Makes a page with files of which some are not to be served.
    private func makePage(in directory: String) throws -> String {
      let page = directory + "/page"
      try write("<!doctype html><title>Platen</title>", to: page + "/index.html")
      try write("export {}", to: page + "/views/aim.js")
      try write("body {}", to: page + "/style.css")
      for name in ["notes.md", ".hidden.js", ".git/config.txt", "a b.js", "ä.js"] {
        try write("secret", to: page + "/" + name)
      }
      try write("secret", to: directory + "/outside.js")
      try FileManager.default.createSymbolicLink(
        atPath: page + "/link.js", withDestinationPath: directory + "/outside.js")
      return page
    }

    private func withPage(
      rate: RequestRate.Limit? = nil,
      _ body: (_ curl: (String, [String]) async throws -> CurlHead, RunningServer) async throws ->
        Void
    ) async throws {
      let network = try Known.network()
      try await withTemporaryDirectory { directory in
        let page = try #require(PageFiles(folder: try makePage(in: directory)))
        let edit: (inout APIConfiguration) -> Void = {
          $0.network = network
          if let rate { $0.requestRate = rate }
        }
        try await withServer(FakeRig(), page: page, edit: edit) { server in
          let curl: (String, [String]) async throws -> CurlHead = { path, arguments in
            try await CurlHead.ask(
              ["--path-as-is"] + arguments + ["http://127.0.0.1:\(network.port)\(path)"])
          }
          try await body(curl, server)
        }
      }
    }

    @Test func `only the page's own files are served`() async throws {
      try await withTemporaryDirectory { directory in
        let page = try #require(PageFiles(folder: try makePage(in: directory)))
        #expect(
          page.paths == ["/", "/page/style.css", "/page/views/aim.js"])
      }
    }

    @Test func `a folder without an index is no page`() async throws {
      try await withTemporaryDirectory { directory in
        #expect(PageFiles(folder: directory) == nil)
        #expect(PageFiles(folder: directory + "/nothing") == nil)
      }
    }

    @Test func `the page needs no token and is protected`() async throws {
      try await withPage { curl, _ in
        for (path, type, text) in [
          ("/", "text/html; charset=utf-8", "<!doctype"),
          ("/page/views/aim.js", "text/javascript; charset=utf-8", "export"),
          ("/page/style.css?v=1", "text/css; charset=utf-8", "body"),
        ] {
          let answer = try await curl(path, [])
          #expect(answer.status == 200 && answer.body.hasPrefix(text), "\(path)")
          #expect(answer.headers["content-type"] == type)
          #expect(answer.headers["cache-control"] == "no-cache")
          #expect(
            answer.headers["content-security-policy"]
              == "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; "
              + "connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'")
          #expect(answer.headers["x-content-type-options"] == "nosniff")
          #expect(answer.headers["referrer-policy"] == "same-origin")
          #expect(answer.headers["cross-origin-resource-policy"] == "same-origin")
        }
      }
    }

    @Test func `an unchanged file is not sent again`() async throws {
      try await withPage { curl, _ in
        let tag = try #require(try await curl("/page/style.css", []).headers["etag"])
        let other = try await curl("/", []).headers["etag"]
        #expect(tag != other)
        let again = try await curl("/page/style.css", ["-H", "If-None-Match: \"a\", W/\(tag)"])
        #expect(again.status == 304 && again.body.isEmpty && again.headers["etag"] == tag)
        let changed = try await curl("/", ["-H", "If-None-Match: \(tag)"])
        #expect(changed.status == 200)
        let head = try await curl("/page/style.css", ["-I"])
        #expect(head.status == 200 && head.body.isEmpty && head.headers["content-length"] == "7")
      }
    }

    @Test(arguments: [
      "/page", "/page/", "/page/index.html", "/page/notes.md", "/page/link.js", "/page/.hidden.js",
      "/page/../outside.js", "/page/%2e%2e/outside.js", "/page/views/../style.css", "//",
      "/page//style.css", "/page/a%20b.js", "/page/Style.css", "/outside.js", "/index.html",
    ])
    func `no path leads to another file`(_ path: String) async throws {
      try await withPage { curl, _ in
        #expect(try await curl(path, []).status == 401)
        let known = try await curl(path, ["-H", "Authorization: Bearer \(Known.reader.token)"])
        #expect(known.status == 404 && !known.body.contains("secret"))
      }
    }

    /// A browser asks for all files at once, however few requests each caller has.
    @Test func `the files of the page count toward no rate`() async throws {
      try await withPage(rate: RequestRate.Limit(perSecond: 0.001, burst: 1)) { curl, _ in
        var statuses: [Int] = []
        for path in ["/", "/page/style.css", "/v1/status", "/v1/status", "/page/style.css"] {
          let token = ["-H", "Authorization: Bearer \(Known.reader.token)"]
          statuses.append(try await curl(path, token).status)
        }
        #expect(statuses == [200, 200, 200, 429, 200])
      }
    }

    /// The page of this repository is served whole, and needs nothing that the policy forbids.
    @Test func `the rig's own page fits its server`() throws {
      let folder = ReferencePage.repository.appending(path: "page")
      let page = try #require(PageFiles(folder: folder.path))
      var files = try #require(FileManager.default.subpaths(atPath: folder.path))
      files = files.filter { !$0.hasSuffix("index.html") && $0.contains(".") }
      #expect(page.paths == (["/"] + files.map { "/page/" + $0 }).sorted())
      let index = try String(contentsOf: folder.appending(path: "index.html"), encoding: .utf8)
      #expect(index.firstMatch(of: /\sstyle=|<style|\son\w+=/) == nil)
      for match in index.matches(of: /(?:src|href)="([^"#]+)"/) {
        #expect(page.paths.contains("/\(match.1)"), "\(match.1)")
      }
    }

    @Test func `the page is read only and the socket has it too`() async throws {
      try await withPage { curl, server in
        for method in ["POST", "PUT", "DELETE"] {
          let answer = try await curl("/page/style.css", ["-X", method])
          #expect(answer.status == 405 && answer.headers["allow"] == "GET, HEAD")
        }
        let foreign = try await curl("/", ["-H", "Host: evil.example"])
        #expect(foreign.status == 403 && !foreign.body.contains("doctype"))
        for path in ["/", "/page/style.css"] {
          #expect(try await CurlAnswer.get(path, on: server).status == 200)
        }
      }
    }
  }
}
