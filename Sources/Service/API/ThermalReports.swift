import API
import Capture
import Devices
import Doctor

/// The API report of heat and power supply.
extension ThermalReport {
  init(_ heat: RigMonitor.Heat) {
    self.init(
      state: Word(heat.state),
      temperatures: heat.temperatures.map { temperature in
        TemperatureReport(
          zone: temperature.zone, celsius: temperature.celsius,
          limits: temperature.limits.map { ThermalLimitsReport($0) })
      },
      hottest: heat.hottest?.zone,
      firmware: heat.throttle.map { ThrottleReport($0) },
      firmwareProblem: heat.throttleProblem,
      constraints: heat.constraints == .none ? nil : ThermalConstraintsReport(heat.constraints),
      isShuttingDown: heat.isShuttingDown ? true : nil)
  }
}

/// The API report of the heat of the last day.
extension HistoryReport {
  init(_ history: ThermalHistory) {
    self.init(
      periodSeconds: Int(ThermalHistory.period.components.seconds),
      samples: history.samples.map { sample in
        HistorySample(
          timeNanoseconds: sample.start.nanoseconds,
          celsius: sample.celsius.mapValues { ($0 * 10).rounded() / 10 },
          state: Word(sample.state), firmware: sample.flags.elements.map { Word($0) })
      })
  }
}

extension ThermalConstraintsReport {
  fileprivate init(_ constraints: ThermalConstraints) {
    let preview: Preview =
      switch constraints.capture.preview {
      case .unlimited: .unlimited
      case .limited: .limited
      case .stopped: .stopped
      }
    var spacing: Double?
    let shots: Shots
    switch constraints.capture.shots {
    case .unlimited: shots = .unlimited
    case .spaced(let time):
      shots = .spaced
      spacing = time.inMilliseconds / 1000
    case .refused: shots = .refused
    }
    self.init(
      maximumFrameRate: constraints.capture.maximumFrameRate, preview: Word(preview),
      uploads: Word(rawValue: constraints.uploads.rawValue), shots: Word(shots),
      spacingSeconds: spacing)
  }
}
