import API
import Capture
import CameraHost
import Devices
import RigConfiguration

/// The check of the cameras: their presence, their pictures and their permissions.
struct CameraCheck: DoctorCheck {
  /// The time in milliseconds for which an end of the camera process is reported.
  static let newsMilliseconds = 3_600_000.0

  let part = DoctorPart.cameras
  /// The roles of all cameras, in their order.
  let roles: [String]
  /// The service's report; `nil` when the service does not run.
  let session: SessionReport?
  /// The session's reasons that concern its camera.
  let reasons: [DoctorReason]
  /// The user that opens the device nodes; `nil` on a board without nodes, such as `simulated`.
  let user: ServiceUser?
  let files: KernelFiles
  /// The look for users of the cameras; called without a service only.
  let use: @Sendable () -> CameraUse
  /// The look for the camera library, which returns the cause of its absence.
  ///
  /// The look is called without a service only.
  let libraryProblem: @Sendable () -> String?

  func findings() async -> [DoctorReport.Finding] {
    let forbidden = user.flatMap { user in closedNodes(to: user) }
    guard let session else { return withoutService(forbidden) }
    let role = session.cameraRole ?? roles.first
    var findings = reasons.findings(
      among: InterruptionReason.ofCamera + [.stoppedByTechnician, .buttonTest], of: self,
      subject: role)
    if let forbidden, !findings.contains(where: { $0.code == forbidden.code }) {
      findings.append(forbidden)
    }
    if let end = session.cameraProcess?.lastEnd,
      end.ageMilliseconds ?? .infinity < Self.newsMilliseconds
    {
      findings.append(warning(.cameraProcessEnded, end.detail, of: role))
    }
    if session.isStandbyInUse == true {
      findings.append(
        warning(.cameraStandby, "the standby camera is in use", of: role))
    }
    if findings.isEmpty { findings.append(running(session, role)) }
    return findings
      + roles.filter { $0 != role }.map {
        notChecked("only the camera in use is open", of: $0)
      }
  }

  private func running(_ session: SessionReport, _ role: String?) -> Finding {
    guard let camera = session.camera, session.state.value == .running else {
      return notChecked("the session is \"\(session.state)\"", of: role)
    }
    let age = session.lastFrameAgeMilliseconds.map { ", the last \(Int($0)) ms ago" } ?? ""
    let frames = "\(camera.model), \(session.framesSeen.counted("frame"))\(age)"
    let confinement = session.cameraProcess?.confinement.map { "The camera process: \($0)" }
    let sentences = session.adjustments + [confinement].compactMap { $0 }
    return ok(
      sentences.isEmpty ? frames : "\(frames). " + sentences.joined(separator: " "), of: role)
  }

  // MARK: without a service

  private func withoutService(_ forbidden: Finding?) -> [Finding] {
    guard user != nil else { return [notChecked("the board is simulated")] }
    let video = CameraVideoNodes(nodes.filter { $0.hasPrefix("video") }, files: files)
    guard !video.cameras.isEmpty else {
      let others = video.codecs.isEmpty ? "" : ", only \(CameraVideoNodes.list(video.codecs))"
      return [fault(DoctorCode(.cameraAbsent), "there is no video node of a camera\(others)")]
    }
    if let cause = libraryProblem() { return [fault(DoctorCode(.cameraLibraryUnknown), cause)] }
    let use = use()
    if case .used(by: let user) = use { return [fault(DoctorCode(.cameraInUse), user)] }
    if let forbidden { return [forbidden] }
    let names = CameraVideoNodes.list(video.cameras)
    guard case .hidden(let closed) = use else { return [ok("\(names): nobody uses them")] }
    let list = closed.prefix(4).joined(separator: ", ") + (closed.count > 4 ? ", …" : "")
    return [
      notChecked("\(names): this account may not look who uses them, for it may not open \(list)")
    ]
  }

  // MARK: device nodes

  private var nodes: [String] {
    files.names(in: "/dev").filter { name in
      ["media", "video"].contains {
        name.hasPrefix($0) && Int(name.dropFirst($0.count)) != nil
      }
    }
  }

  /// Returns the fault of nodes that the service's user may not open; `nil` when all may be opened.
  private func closedNodes(to user: ServiceUser) -> Finding? {
    let closed = nodes.filter { name in
      files.owner(of: "/dev/" + name).map { !user.mayUse($0) } ?? false
    }
    let heaps = files.names(in: "/dev/dma_heap").compactMap {
      files.owner(of: "/dev/dma_heap/" + $0)
    }
    var names = closed.map { "/dev/\($0)" }
    if !heaps.isEmpty, !heaps.contains(where: { user.mayUse($0) }) { names.append("/dev/dma_heap") }
    guard !names.isEmpty else { return nil }
    let list = names.prefix(4).joined(separator: ", ") + (names.count > 4 ? ", …" : "")
    return fault(
      DoctorCode(.cameraNotAuthorized), "the user \"\(user.name)\" may not read and write \(list)")
  }
}
