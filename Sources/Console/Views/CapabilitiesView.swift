import API

/// The view of what the camera in use can do.
extension CapabilitiesReport: Presentable {
  package var blocks: [TextBlock] {
    guard let camera else { return [.line("No camera streams.")] }
    let kinds =
      brackets.map(\.rawValue).joined(separator: ", ") + ", of at most \(bracketFrames) frames"
    return [
      .rows(
        [
          ("camera", camera), ("brackets", brackets.isEmpty ? "none" : kinds),
          ("flash", flashModes.map(\.rawValue).joined(separator: ", ")),
          ("raw frames", raw?.text ?? "none"),
          ("previews", preview.map { "\($0.width)x\($0.height)" } ?? "scaled from the frames"),
        ] + (lamps.map { [("lamps", $0.joined(separator: ", "))] } ?? []))
    ]
  }
}
