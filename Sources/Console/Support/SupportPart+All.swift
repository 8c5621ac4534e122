import API

extension SupportPart {
  /// Everything that a bundle has of a rig; no pictures.
  static var all: [SupportPart] {
    machine + configuration + history + [
      json("session.json", "/v1/session"),
      json("interruptions.json", "/v1/session/interruptions"),
      json("press-counts.json", "/v1/presses/counts"),
      json("lost-edges.json", "/v1/presses/lost-edges?limit=1000"),
      json("spool.json", "/v1/spool"),
      // It reads every picture, which on a large spool takes longer than anybody wants to wait.
      SupportPart(name: "spool-verification.json", form: .json) { source throws(Unavailable) in
        try await source.service("POST", "/v1/spool/verify", patience: .seconds(60))
      },
      SupportPart(name: "metrics.txt", form: .text) { source throws(Unavailable) in
        try await source.service("GET", "/metrics")
      },
    ]
  }

  /// What can be had also while no service runs.
  private static var machine: [SupportPart] {
    [
      json("status.json", "/v1/status"),
      json("doctor.json", "/v1/doctor", ["--doctor", "--json"]),
      json("network.json", "/v1/network", ["--look", "network"]),
      json("time.json", "/v1/time", ["--look", "time"]),
      SupportPart(name: "versions.txt", form: .text) { source throws(Unavailable) in
        try await versions(source)
      },
      SupportPart(name: "kernel.txt", form: .text, kept: .end) { source throws(Unavailable) in
        do throws(Unavailable) {
          return try await source.system("/usr/bin/dmesg", ["--ctime", "--nopager"])
        } catch let first {
          do throws(Unavailable) {
            return try await source.system(
              "/usr/bin/journalctl", ["-k", "-b", "-n", "5000", "--no-pager", "-q"])
          } catch {
            throw Unavailable("\(first.reason) \(error.reason)")
          }
        }
      },
      SupportPart(name: "unit.txt", form: .text) { source throws(Unavailable) in
        try await source.system(
          "/usr/bin/systemctl", ["show", "platend.service", "--no-pager"])
      },
      SupportPart(name: "journal.txt", form: .text, kept: .end, maximumBytes: 2 << 20) {
        source throws(Unavailable) in
        let lines = try await source.system(
          "/usr/bin/journalctl",
          ["-u", "platend.service", "-n", "5000", "--no-pager", "-q", "-o", "short-iso"])
        guard !lines.isEmpty else {
          throw Unavailable(
            "The journal shows nothing of the unit; members of the group systemd-journal see it.")
        }
        return lines
      },
    ]
  }

  private static var configuration: [SupportPart] {
    [
      SupportPart(name: "configuration.yaml", form: .text) { source throws(Unavailable) in
        let report = try await report(source)
        return Array((report.text + "\n").utf8)
      },
      SupportPart(name: "configuration-issues.txt", form: .text) { source throws(Unavailable) in
        let report = try await report(source)
        let running = report.isRunning.map { $0 ? "it is what runs" : "it is not what runs" }
        let lines = ["\(report.path), SHA-256 \(report.hash): \(running ?? "nothing runs")"]
        return Array((lines + report.issues).joined(separator: "\n").utf8) + [10]
      },
      SupportPart(name: "configuration-history.txt", form: .text) { source throws(Unavailable) in
        try await differences(source)
      },
    ]
  }

  private static var history: [SupportPart] {
    [
      lines("log.jsonl", of: "entries", "/v1/log?limit=2000"),
      lines("audit.jsonl", of: "entries", "/v1/audit?limit=1000", ["--look", "audit"]),
      lines("presses.jsonl", of: "presses", "/v1/presses?limit=1000"),
    ]
  }

  private static func json(
    _ name: String, _ path: String, _ arguments: [String]? = nil
  ) -> SupportPart {
    SupportPart(name: name, form: .json) { source throws(Unavailable) in
      guard let arguments else { return try await source.service("GET", path) }
      return try await source.either(path, arguments)
    }
  }

  /// The elements of a list, the newest first as the service gives them, a line each.
  private static func lines(
    _ name: String, of key: String, _ path: String, _ arguments: [String]? = nil
  ) -> SupportPart {
    SupportPart(name: name, form: .jsonLines, maximumBytes: 2 << 20) {
      source throws(Unavailable) in
      let bytes =
        if let arguments {
          try await source.either(path, arguments)
        } else {
          try await source.service("GET", path)
        }
      guard case .object(let answer)? = try? APICoding.decode(JSONValue.self, from: bytes),
        case .array(let elements)? = answer[key]
      else { return bytes }
      return elements.flatMap { ((try? APICoding.encode($0)) ?? []) + [UInt8(ascii: "\n")] }
    }
  }

  // MARK: the configuration

  private static func local(
    _ request: LocalConfigurationRequest, _ path: String, _ source: SupportSource
  ) async throws(Unavailable) -> [UInt8] {
    do throws(Unavailable) {
      return try await source.service("GET", path)
    } catch let first {
      let input = (try? APICoding.encode(request)) ?? []
      do throws(Unavailable) {
        return try await source.program(["--configure"], input: input)
      } catch {
        throw Unavailable("\(first.reason) Without it: \(error.reason)")
      }
    }
  }

  private static func report(
    _ source: SupportSource
  ) async throws(Unavailable) -> ConfigurationReport {
    var request = LocalConfigurationRequest()
    request.show = true
    return try decoded(try await local(request, "/v1/configuration", source))
  }

  /// How each earlier text differs from the file.
  private static func differences(_ source: SupportSource) async throws(Unavailable) -> [UInt8] {
    var request = LocalConfigurationRequest()
    request.history = true
    let history: ConfigurationHistory = try decoded(
      try await local(request, "/v1/configuration/history", source))
    var text = history.entries.isEmpty ? "There are no earlier texts.\n" : ""
    for entry in history.entries {
      var request = LocalConfigurationRequest()
      request.difference = entry.number
      text +=
        "== \(entry.number), put aside at \(entry.time ?? "an unknown time"), \(entry.bytes) bytes, "
        + "SHA-256 \(entry.hash)\n"
      do throws(Unavailable) {
        let difference: ConfigurationDifference = try decoded(
          try await local(request, "/v1/configuration/history/\(entry.number)", source))
        text += difference.lines.map { $0 + "\n" }.joined()
      } catch {
        text += "(\(error.reason))\n"
      }
    }
    return Array(text.utf8)
  }

  private static func decoded<Value: Decodable>(
    _ bytes: [UInt8]
  ) throws(Unavailable) -> Value {
    do throws(APIError) {
      return try APICoding.decode(Value.self, from: bytes)
    } catch {
      throw Unavailable("The answer cannot be understood: \(error.message)")
    }
  }

  // MARK: versions

  private static func versions(_ source: SupportSource) async throws(Unavailable) -> [UInt8] {
    let packages = ["platen", "libcamera*", "libgpiod*", "libiio*", "libjpeg62-turbo", "systemd"]
    let format = "${Package} ${Version} ${Architecture}\\n"
    let questions: [(String, String, [String])] = [
      ("kernel", "/usr/bin/uname", ["-a"]), ("system", "/usr/bin/cat", ["/etc/os-release"]),
      ("machine", "/usr/bin/cat", ["/proc/device-tree/model"]),
      ("packages", "/usr/bin/dpkg-query", ["--show", "--showformat=\(format)"] + packages),
      ("memory", "/usr/bin/cat", ["/proc/meminfo"]), ("disks", "/usr/bin/df", ["-B1", "-T"]),
    ]
    var text = ""
    do throws(Unavailable) {
      let version = try await source.program(["--version"])
      text += "== platend\n" + String(decoding: version, as: UTF8.self)
    } catch {
      text += "== platend\n(\(error.reason))\n"
    }
    for (name, program, arguments) in questions {
      text += "== \(name)\n"
      do throws(Unavailable) {
        text += String(decoding: try await source.system(program, arguments), as: UTF8.self)
      } catch {
        text += "(\(error.reason))\n"
      }
    }
    return Array(text.utf8)
  }
}
