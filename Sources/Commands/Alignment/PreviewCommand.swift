import API
import ArgumentParser
import Console
import Devices

/// `platenctl preview`.
struct PreviewCommand: AsyncParsableCommand, ManneredCommand {
  static let configuration = CommandConfiguration(
    commandName: "preview",
    abstract: "Show what the camera sees in characters, and how sharp it is.",
    discussion: """
      Refreshed until q or Ctrl-C, outside the console until any key; one picture where there is no \
      terminal, and with --json. A line that is slow is never given more than it can carry.

      The figure is how sharp the part between the marks is, 0 to 1; it compares pictures of one \
      scene, whatever the exposure. Turn the lens until it is as good as the best that was seen.

      An X is at each corner of the page, and a T at those of each region of text. The last line says \
      how well the page is aimed at, 0 to 1, which turn makes the text upright, and what to do next.
      """)

  @OptionGroup var connection: ConnectionOptions

  @Flag(help: "Show one picture.")
  var once = false

  @Option(help: "Seconds from one picture to the next, 0.1 to 60.")
  var interval = 0.5

  @Flag(help: "Draw sixels in 16 shades of gray, for terminals that know them.")
  var sixel = false

  @Option(
    help: ArgumentHelp(
      "The most columns, 8 to 320: characters, or pixels with --sixel.",
      discussion: "As many as there is room for."))
  var width: Int?

  @Option(
    help: ArgumentHelp(
      "The most rows, 8 to 320: characters, or pixels with --sixel.",
      discussion: "As many as there is room for."))
  var height: Int?

  var manner: CommandManner { once || connection.json ? .works : .draws }

  func validate() throws {
    guard (0.1...60).contains(interval) else {
      throw ValidationError("--interval must be from 0.1 to 60, not \(interval).")
    }
    for (name, side) in [("width", width), ("height", height)] {
      guard let side, !PreviewSize.sides.contains(side) else { continue }
      throw ValidationError("--\(name) must be from 8 to 320, not \(side).")
    }
  }

  func run() async throws {
    guard let canvas = Terminal.canvas, !once, !connection.json else { return try await showOne() }
    let end = try await Keys.ends { try await follow(on: canvas) }
    if case .signal(let number) = end { throw ExitCode(128 + number) }
  }

  private func showOne() async throws {
    let painter = painter(for: Terminal.canvas)
    try await connection.report { client in
      let report = try await client.call(Operations.preview, painter.previewSize)
      var track = FocusTrack()
      track.add(report.focus)
      guard sixel, !connection.json, let canvas = Terminal.canvas else {
        let found = await connection.json ? nil : page(client)
        return try connection.show(report, or: painter.view.lines(report, track, found))
      }
      let drawing = painter.drawing(report, track, await page(client), isFirst: false)
      try await canvas.draw(drawing, orEnd: painter.end)
    }
  }

  /// Draws one picture after the other until the task is canceled.
  private func follow(on canvas: Canvas) async throws {
    let clock = SystemMonotonicClock()
    var track = FocusTrack()
    var isFirst = true
    do {
      try await connection.report { client in
        while true {
          // The size of the terminal may have changed.
          let painter = painter(for: canvas)
          let begin = clock.now
          let drawing: [UInt8]
          do throws(RigClientError) {
            let report = try await client.call(Operations.preview, painter.previewSize)
            track.add(report.focus)
            drawing = painter.drawing(report, track, await page(client), isFirst: isFirst)
          } catch {
            // The camera may come back; other errors do not go away by themselves.
            guard case .refused(let cause) = error,
              [.conflict, .unavailable, .tooManyRequests].contains(cause.code)
            else { throw error }
            drawing = painter.drawing(refusal: cause, isFirst: isFirst)
          }
          try await canvas.draw(drawing, orEnd: painter.end)
          isFirst = false
          try await clock.sleep(until: painter.pace.next(after: begin, byteCount: drawing.count))
        }
      }
    } catch {
      if canvas.isAddressable, !isFirst {
        // The next output then appears below the picture.
        try? await Task { try await canvas.draw(painter(for: canvas).end) }.value
      }
      // The person who pressed the key knows why the command ended.
      guard Task.isCancelled else { throw error }
    }
  }

  /// Returns the page before the camera; `nil` while none is looked for, as in the heat.
  private func page(_ client: RigClient) async -> PagePreviewReport? {
    try? await client.call(Operations.previewPage)
  }

  private func painter(for canvas: Canvas?) -> PreviewPainter {
    PreviewPainter(
      size: canvas?.size ?? (rows: 24, columns: Terminal.width),
      isAddressable: canvas?.isAddressable ?? false, isSixel: sixel, width: width, height: height,
      pace: RefreshPace(interval: .seconds(interval), lineSpeed: canvas?.lineSpeed))
  }
}

/// The keys that end the display of a command.
enum Keys {
  /// Runs a closure until it ends or a key is pressed.
  ///
  /// In the console, the console's own keys end the command.
  static func ends(_ body: @escaping @Sendable () async throws -> Void) async throws -> AnyKey.End {
    guard ConnectionOptions.consoleSocket == nil else {
      try await body()
      return .done
    }
    return try await AnyKey.ends(body)
  }
}
