import API

extension SupportPart {
  /// All parts of a bundle, without pictures.
  static var all: [SupportPart] {
    machine + configuration + history + [
      json("session.json", .init(Operations.session)),
      json("interruptions.json", .init(Operations.interruptions)),
      json("press-counts.json", .init(Operations.pressCounts)),
      json("lost-edges.json", .init(Operations.lostEdges, ListLimit(ListLimit.maximum))),
      json("spool.json", .init(Operations.spoolStatistics)),
      // The verification reads every picture, which may take too long on a large spool.
      SupportPart(name: "spool-verification.json", form: .json) { source throws(Unavailable) in
        try await source.service(
          .init(Operations.verifySpool, .init(repair: false)), timeout: .seconds(60))
      },
      SupportPart(name: "metrics.txt", form: .text) { source throws(Unavailable) in
        try await source.service(.init(Operations.metrics))
      },
    ]
  }

  /// The parts that are available without the service too.
  private static var machine: [SupportPart] {
    [
      json("status.json", .init(Operations.status)),
      json("doctor.json", .init(Operations.examine, DoctorPartChoice()), ["--doctor", "--json"]),
      json("network.json", .init(Operations.network), ["--look", "network"]),
      json("time.json", .init(Operations.time), ["--look", "time"]),
      SupportPart(name: "versions.txt", form: .text) { source throws(Unavailable) in
        try await versions(source)
      },
      SupportPart(name: "kernel.txt", form: .text, kept: .end) { source throws(Unavailable) in
        do throws(Unavailable) {
          return try await source.system("/usr/bin/dmesg", ["--ctime", "--nopager"])
        } catch let first {
          do throws(Unavailable) {
            return try await source.system(
              ServiceJournal.program, ["-k", "-b", "-n", "5000", "--no-pager", "-q"])
          } catch {
            throw Unavailable("\(first.reason) \(error.reason)")
          }
        }
      },
      SupportPart(name: "unit.txt", form: .text) { source throws(Unavailable) in
        try await source.system(
          SystemManager.program, ["show", SystemManager.unit, "--no-pager"])
      },
      SupportPart(name: "journal.txt", form: .text, kept: .end, maximumBytes: 2 << 20) {
        source throws(Unavailable) in
        let lines = try await source.system(
          ServiceJournal.program,
          ["-u", SystemManager.unit, "-n", "5000", "--no-pager", "-q", "-o", "short-iso"])
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
      lines(
        "log.jsonl", of: "entries", .init(Operations.log, LogFilter(limit: LogFilter.maximumLimit))),
      lines(
        "audit.jsonl", of: "entries", .init(Operations.audit, ListLimit(ListLimit.maximum)),
        ["--look", "audit"]),
      lines(
        "presses.jsonl", of: "presses",
        .init(Operations.presses, PressFilter(limit: ListLimit.maximum))),
    ]
  }

  private static func json(
    _ name: String, _ call: OperationCall, _ arguments: [String]? = nil
  ) -> SupportPart {
    SupportPart(name: name, form: .json) { source throws(Unavailable) in
      guard let arguments else { return try await source.service(call) }
      return try await source.either(call, arguments)
    }
  }

  /// Returns a part with a list's elements, one a line, in the service's order (newest first).
  private static func lines(
    _ name: String, of key: String, _ call: OperationCall, _ arguments: [String]? = nil
  ) -> SupportPart {
    SupportPart(name: name, form: .jsonLines, maximumBytes: 2 << 20) {
      source throws(Unavailable) in
      let bytes =
        if let arguments {
          try await source.either(call, arguments)
        } else {
          try await source.service(call)
        }
      guard case .object(let answer)? = try? APICoding.decode(JSONValue.self, from: bytes),
        case .array(let elements)? = answer[key]
      else { return bytes }
      return elements.flatMap { ((try? APICoding.encode($0)) ?? []) + [UInt8(ascii: "\n")] }
    }
  }

  // MARK: the configuration

  private static func local(
    _ request: LocalConfigurationRequest, _ call: OperationCall, _ source: SupportSource
  ) async throws(Unavailable) -> [UInt8] {
    do throws(Unavailable) {
      return try await source.service(call)
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
    let request = LocalConfigurationRequest(\.show, true)
    return try decoded(try await local(request, .init(Operations.configurationFile), source))
  }

  /// Returns the difference between each earlier text and the file.
  private static func differences(_ source: SupportSource) async throws(Unavailable) -> [UInt8] {
    let request = LocalConfigurationRequest(\.history, true)
    let history: ConfigurationHistory = try decoded(
      try await local(request, .init(Operations.configurationHistory), source))
    var text = history.entries.isEmpty ? "There are no earlier texts.\n" : ""
    for entry in history.entries {
      let request = LocalConfigurationRequest(\.difference, entry.number)
      text +=
        "== \(entry.number), put aside at \(entry.time ?? "an unknown time"), \(entry.bytes) bytes, "
        + "SHA-256 \(entry.hash)\n"
      do throws(Unavailable) {
        let difference: ConfigurationDifference = try decoded(
          try await local(
            request, .init(Operations.configurationDifference, ConfigurationVersion(entry.number)),
            source))
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
