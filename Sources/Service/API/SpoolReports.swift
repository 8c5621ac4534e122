import API
import Devices
import Doctor
import RigConfiguration
import Spool
import Upload

import struct Spool.Receipt

/// The API reports of the spool's values.
extension SpoolItemReport {
  /// Makes the report of a picture.
  ///
  /// - Parameter isWithResults: whether receipts contain the processing results, up to 64 KiB each.
  init(_ item: ItemRecord, isWithResults: Bool = true) {
    self.init(
      id: item.id.description, press: item.metadata.pressNumber,
      state: Word(rawValue: item.state.rawValue),
      reason: item.quarantineReason?.rawValue ?? item.evictionReason?.rawValue, path: item.path,
      bytes: item.byteCount,
      sha256: item.sha256, remoteName: item.remoteName, mediaType: item.metadata.mediaType,
      captured: CaptureTimeReport(
        time: ISO8601Time.text(item.captured), trust: Word(item.captured.wallTrust),
        bootID: item.captured.bootID, monotonicNanoseconds: item.captured.monotonicNanoseconds),
      duplicateOf: item.duplicateOf?.description, nearDuplicateOf: item.metadata.nearDuplicateOf,
      deliveries: item.deliveries.map { DeliveryStateReport($0, isWithResult: isWithResults) },
      isProxy: item.metadata.isProxy ? true : nil)
  }
}

extension DeliveryStateReport {
  init(_ delivery: DeliveryRecord, isWithResult: Bool) {
    self.init(
      target: delivery.target.rawValue, state: Word(rawValue: delivery.state.rawValue),
      attempts: delivery.attempts, failure: delivery.lastFailure?.code,
      detail: delivery.lastFailure?.message,
      receipt: delivery.receipt.map {
        ReceiptReport($0, target: delivery.target, isWithResult: isWithResult)
      })
  }
}

extension ReceiptReport {
  init(_ receipt: Receipt, target: TargetID, isWithResult: Bool = true) {
    self.init(
      target: target.rawValue, remoteName: receipt.remoteName, sha256: receipt.sha256,
      status: receipt.httpStatus ?? 0, duplicate: receipt.isDuplicate, url: receipt.url,
      result: isWithResult ? receipt.result : nil)
  }

  /// Makes the receipt that a target has just given.
  init(_ receipt: Upload.Receipt, target: String) {
    self.init(
      target: target, remoteName: receipt.remoteName, sha256: receipt.sha256,
      status: receipt.status ?? 0, duplicate: receipt.isDuplicate, url: receipt.url,
      result: receipt.result)
  }

  /// Makes the receipt of the first target once all targets have given theirs; `nil` until then.
  init?(ofAll item: ItemRecord?) {
    guard let item, item.deliveries.allSatisfy({ $0.receipt != nil }),
      let delivery = item.deliveries.first, let receipt = delivery.receipt
    else { return nil }
    self.init(receipt, target: delivery.target)
  }
}

extension DeliveryReport {
  init(_ change: RigMonitor.DeliveryChange) {
    var detail: String?
    var receipt: ReceiptReport?
    let state: State
    switch change.outcome {
    case .began: state = .delivering
    case .completed(let given):
      state = .delivered
      receipt = ReceiptReport(given, target: change.target)
    case .failed(let reason):
      state = .waitingToRetry
      detail = reason
    case .parked(let reason):
      state = .parked
      detail = reason
    }
    self.init(
      itemID: change.itemID, press: change.press, state: Word(state), target: change.target,
      detail: detail, receipt: receipt)
  }
}

extension TargetReport {
  init(_ target: TargetFactory.Product, faults: [InterruptionReason]) {
    let status = target.uploader.status
    var state = State.idle
    var detail = status.lastingFailure?.text
    var seconds: Double?
    switch status.activity {
    case .stopped: state = .stopped
    case .idle: break
    case .delivering: state = .delivering
    case .held: state = .held
    case .waiting(let remaining, _, let reason):
      state = .waitingToRetry
      detail = reason.text
      seconds = remaining.inMilliseconds / 1000
    }
    self.init(
      name: target.section.name, kind: target.section.kind, url: target.url,
      state: Word(state), detail: detail, nextAttemptSeconds: seconds,
      holds: status.holds.map(\.rawValue).sorted(), faults: faults.map { Word($0) },
      running: status.deliveries.map { Running($0) }, delivered: status.counters.delivered,
      duplicates: status.counters.duplicates, failures: status.counters.failures,
      parked: status.counters.parked)
  }
}

extension TargetReport.Running {
  init(_ delivery: UploadStatus.Delivery) {
    self.init(
      itemID: delivery.id, bytesSent: delivery.progress.bytesSent, bytes: delivery.byteCount,
      fraction: delivery.progress.fraction, text: delivery.progress.text)
  }
}

extension SpoolStatisticsReport {
  init(
    _ statistics: SpoolStatistics, configuration: SpoolConfiguration, audit: [AuditEvent]
  ) {
    self.init(
      directory: configuration.directory,
      states: statistics.states.filter { $0.items > 0 }.map {
        StateTotal(state: Word(rawValue: $0.state.rawValue), items: $0.items, bytes: $0.bytes)
      },
      targets: statistics.targets.map {
        TargetTotal(
          target: $0.target.rawValue, isConfigured: $0.isConfigured, pending: $0.pending,
          parked: $0.parked)
      },
      oldestWaiting: statistics.oldestWaiting?.description,
      oldestWaitingSeconds: statistics.oldestWaitingAgeNanoseconds.map { Double($0) / 1e9 },
      freeBytes: statistics.freeBytes, minimumFreeBytes: configuration.minimumFreeBytes,
      hasBallast: statistics.isBallastPresent, audit: audit.map { AuditReport($0) })
  }
}

extension AuditReport {
  init(_ event: AuditEvent) {
    self.init(
      number: event.number,
      time: event.wallNanoseconds.map(ISO8601Time.text(nanoseconds:)),
      event: event.kind.rawValue, object: event.item?.description ?? "the spool",
      detail: [event.target?.rawValue, event.detail].compactMap(\.self).joined(separator: ": "))
  }
}

extension SpoolVerificationReport {
  init(_ verification: SpoolVerification) {
    self.init(
      rows: verification.rows, files: verification.files, hashedBytes: verification.hashedBytes,
      findings: verification.findings.map {
        Finding(
          object: $0.object, problem: $0.problem, repair: $0.repair, isRepaired: $0.isRepaired)
      }, unlisted: verification.unlistedFindings)
  }
}
