package import RigConfiguration
package import Upload

extension TargetCheck.Target {
  /// Makes a target from its configuration.
  init(_ section: TargetSection) {
    name = section.name
    switch section.destination.place {
    case .server(let url, let http):
      place = TargetProbe.Place(target: section.name, url: url, security: http.security)
    case .directory(let path): directory = path
    }
  }

  /// Makes a target with its uploader's state.
  ///
  /// - Parameter parked: the number of pictures that were set aside; `nil` if unknown.
  package init(_ section: TargetSection, _ status: UploadStatus, parked: Int?) {
    self.init(section)
    self.parked = parked
    isPaused = status.holds.contains(.technician)
    var isOpen = false
    if case .open(let remaining, _) = status.breaker { isOpen = remaining > .zero }
    failure = status.lastingFailure.map {
      TargetCheck.Failure(
        code: $0.code.rawValue, status: $0.status, text: $0.text, isOpen: isOpen)
    }
  }
}

extension UploadStatus {
  /// The failure that keeps the target or its next item waiting; `nil` without one.
  package var lastingFailure: DeliveryFailure? {
    switch breaker {
    case .open(_, let reason), .probing(let reason): reason
    case .closed: waitingItems.first?.reason
    }
  }
}
