import API
import ArgumentParser
import Console
import Devices

/// `platenctl focus`.
struct FocusCommand: ConfirmedCommand, ManneredCommand {
  static let configuration = CommandConfiguration(
    commandName: "focus",
    abstract: "Show how sharp the picture is, place the lens, or look for its best place.",
    discussion: """
      Without a place nothing is moved. auto lets the camera focus once; sweep goes through all places, \
      shows how sharp each is, and takes the best, or the one before when it is ended. What is set \
      holds until the service ends; "session calibrate" and the key camera.focus keep it.
      """)

  @OptionGroup var connection: ConnectionOptions

  @OptionGroup var confirmed: ConfirmationOptions

  @Argument(
    help: "Diopters (0 is infinity, 2 half a meter), near, far, auto or sweep.",
    completion: .list(["near", "far", "auto", "sweep"]))
  var place: FocusPlace?

  @Option(
    help: ArgumentHelp(
      "Let the camera focus once on a place in its frame.",
      discussion: "X and Y are parts of the width and the height from the top left, 0 to 1.",
      valueName: "x,y"))
  var at: FramePlace?

  func validate() throws {
    guard at != nil, let place, place != .auto else { return }
    throw ValidationError("--at goes with auto, or without a place of the lens.")
  }

  var manner: CommandManner { place == .sweep ? .reports : .works }

  var confirmation: Confirmation? {
    guard place == .sweep else { return nil }
    return Confirmation(
      "This moves the lens through all places; pictures that are taken meanwhile are blurred",
      word: .rig)
  }

  func run() async throws {
    try await connection.report { client in
      let session = try await client.call(Operations.session)
      let lens = LensPlacer(client: client, timeout: .seconds(10))
      switch at == nil ? place : FocusPlace.auto {
      case nil:
        let report = try await client.call(Operations.preview, lens.previewSize)
        try connection.show(FocusView.now(report, session.lens), as: [report])
      case .auto?:
        let before = try await client.call(Operations.preview, lens.previewSize)
        let after = try await connection.passingTime("focusing") {
          _ = try await client.call(Operations.focusCamera, FocusRequest(focusPoint: at?.point))
          return try await client.preview(lens.previewSize, newerThan: before.frame, by: 2)
        }
        try connection.show(FocusView.change(before: before, after: after), as: [after])
      case .diopters(let diopters)?: try await place(lens, at: diopters, of: session)
      case .near?: try await place(lens, at: range(of: session).nearest, of: session)
      case .far?: try await place(lens, at: range(of: session).farthest, of: session)
      case .sweep?: try await sweep(lens, session)
      }
    }
  }

  private func range(of session: SessionOverview) throws -> LensReport {
    if let lens = session.lens { return lens }
    Terminal.complain(FocusView.withoutLens(session), code: "unsupported")
    throw ExitCode(1)
  }

  private func place(
    _ lens: LensPlacer, at diopters: Double, of session: SessionOverview
  ) async throws {
    let range = try range(of: session)
    guard (range.farthest...max(range.farthest, range.nearest)).contains(diopters) else {
      Terminal.complain(FocusView.outside(diopters, range), code: "invalidRequest")
      throw ExitCode(1)
    }
    let before = try await lens.client.call(Operations.preview, lens.previewSize)
    let after = try await connection.passingTime("moving the lens") {
      try await lens.place(at: diopters)
    }
    try connection.show(FocusView.change(before: before, after: after), as: [after])
  }

  /// Goes through all places; after a failure the lens goes back to its earlier place.
  private func sweep(_ lens: LensPlacer, _ session: SessionOverview) async throws {
    var sweep = FocusSweep(try range(of: session))
    var track = FocusTrack()
    do {
      while case .place(let diopters) = sweep.next {
        let report = try await lens.place(at: diopters)
        sweep.add(report.focus)
        track.add(report.focus)
        if let step = sweep.steps.last {
          let line = step.line(
            track, number: sweep.steps.count, of: sweep.positionCount, width: Terminal.width)
          try connection.show(step, or: [line])
        }
      }
      switch sweep.next {
      case .found(let best):
        let report = try await lens.place(at: best.diopters)
        try connection.show(FocusView.best(best, report), as: [report])
      case .nothing(let reason):
        Terminal.complain(reason + " The lens is where it was.", code: "failed")
        throw ExitCode(1)
      case .place: break
      }
    } catch {
      // The task may have been canceled, and the lens has to go back nevertheless.
      let focus = session.settings.controls.focusMode
      try? await Task { try await lens.restore(focus) }.value
      throw error
    }
  }
}

/// A place for the lens, or a way to find one.
enum FocusPlace: ExpressibleByArgument, Equatable {
  case diopters(Double)
  case near, far, auto, sweep

  init?(argument: String) {
    switch argument {
    case "near": self = .near
    case "far": self = .far
    case "auto": self = .auto
    case "sweep": self = .sweep
    default:
      guard let diopters = Double(argument), (0...100).contains(diopters) else { return nil }
      self = .diopters(diopters)
    }
  }
}

/// A place in the frame in the form `X,Y`.
struct FramePlace: ExpressibleByArgument, Equatable {
  let point: FocusPoint

  init?(argument: String) {
    let numbers = argument.split(separator: ",", omittingEmptySubsequences: false).map {
      Double($0)
    }
    guard numbers.count == 2, let x = numbers[0], let y = numbers[1] else { return nil }
    point = FocusPoint(x: x, y: y)
    guard (try? point.check()) != nil else { return nil }
  }
}

/// The control of a rig's lens, which waits until the lens is in place.
struct LensPlacer: Sendable {
  let client: RigClient
  /// The time that the camera may take.
  let timeout: Duration
  /// The smallest preview, because only its figures are wanted.
  let previewSize = PreviewSize(width: 8, height: 8)
  /// The allowed distance of the lens from its wanted position in diopters: drivers round.
  private static let tolerance = 0.06
  /// The number of frames after which the motor has come to rest.
  private static let restFrames: Int64 = 2
  /// The number of frames to wait when the camera does not report the position of its lens.
  private static let blindFrames: Int64 = 10

  /// Places the lens.
  ///
  /// - Returns: the preview of a frame that was taken with the lens there.
  func place(at diopters: Double) async throws -> PreviewReport {
    var change = SessionChange()
    change.set(.focus) { $0.focusMode = .locked(lensPosition: diopters) }
    let begin = try await client.call(Operations.preview, previewSize)
    _ = try await client.call(Operations.configureSession, change)
    let clock = SystemMonotonicClock()
    let deadline = clock.now.advanced(by: timeout)
    while clock.now < deadline {
      let report = try await client.call(Operations.preview, previewSize)
      let isThere =
        report.diopters.map { abs($0 - diopters) <= Self.tolerance }
        ?? (report.frame >= begin.frame + Self.blindFrames)
      if isThere, report.frame != begin.frame {
        return try await client.preview(previewSize, newerThan: report.frame, by: Self.restFrames)
      }
      // A lens that has moved is no event of the rig.
      try await clock.sleep(for: .milliseconds(50))
    }
    Terminal.complain(
      "The lens did not come to \(diopters) diopters within \(timeout.components.seconds) s.",
      code: "timedOut")
    throw ExitCode(1)
  }

  /// Restores an earlier mode of focus.
  func restore(_ focus: CameraControls.FocusMode?) async throws {
    var change = SessionChange()
    change.set(.focus) { $0.focusMode = focus }
    _ = try await client.call(Operations.configureSession, change)
  }
}
