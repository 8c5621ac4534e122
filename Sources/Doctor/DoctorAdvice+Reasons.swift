import Capture
import Devices

/// The advice for codes that the lights show, and for the service itself.
extension DoctorAdvice {
  static let ofReasons = InterruptionReason.allCases
    .map { DoctorAdvice(code: DoctorCode($0), light: $0.rawValue, text: $0.facts.advice) }

  static let ofWarnings = PageWarning.allCases
    .map { DoctorAdvice($0.rawValue, $0.facts.advice) }

  static let ofLights: [DoctorAdvice] = [
    .init("other", "Look into the log with \"platenctl log\" for what happened last."),
    .init("powerOffArmed", "Press any button now if the machine is not to switch off."),
    .init(
      "pressRefused",
      "Press again when the ready light is lit. Look for the reason with \"platenctl presses\"."),
    .init("notReady", "Run \"platenctl doctor\" to see why presses are refused."),
    .init("stopped", "Start the service with \"platenctl service restart\"."),
    .init(
      "interrupted", "Count the flashes and look for the code in \"platenctl lights\"."),
    .init(
      "readyWithFault", "Count the dark moments and look for the code in \"platenctl lights\"."),
    .init(
      "readyWithWarning",
      "Count the short dark moments after the long one. Look for their number in \"platenctl "
        + "lights\"."),
    .init(
      "uploadsWaitingToRetry",
      "Check the network first, then the server; uploads go on by themselves."),
    .init(
      "uploadsPaused",
      "Press the button that pauses uploads once more, or run \"platenctl targets resume\", to let "
        + "them go on."),
  ]

  static let ofService: [DoctorAdvice] = [
    .init(
      .configurationUnreadable,
      "Check that the file is there and that the service's user may read it.", light: "stopped"),
    .init(
      .configurationInvalid,
      "Correct the lines that are named here, or run \"platenctl config rollback\".",
      light: "stopped"),
    .init(
      .configurationFailed,
      "Read \"platenctl log --journal\" for the cause. Correct the file, or run \"platenctl config "
        + "rollback --to 0\". Each restart that is asked for tries the file again."),
    .init(
      .configurationChanged,
      "Restart the service with \"platenctl service restart\" when the change is to hold."),
    .init(
      .serviceStopped,
      "Start the service with \"platenctl service restart\". Read \"platenctl log --journal\" if it "
        + "ends again.", light: "stopped"),
    .init(
      .serviceRestarted,
      "Check the camera's cable and power supply, for the fault that is named here led to it."),
    .init(
      .apiNotOnNetwork,
      "Check the keys below \"api.tcp\", and the network with \"platenctl network\". It is tried "
        + "again by itself."),
    .init(
      .socketGroupNotSet,
      "Add the service's user to the group that \"api.socket_group\" names. Then restart "
        + "the service with \"platenctl service restart\"."),
    .init(
      .accountsUnknown,
      "Correct the name in the configuration, or make the account. A directory of accounts is "
        + "asked again by itself."),
    .init(
      .apiUnencrypted,
      "Let nginx or Caddy with TLS stand before a loopback address in \"api.tcp.address\". There is "
        + "nothing to do where nobody else is on the network."),
    .init(
      .indexDamaged,
      "Restart the service with \"platenctl service restart\", which makes the index anew from the "
        + "pictures. Replace the card or drive if it is damaged again.", light: "storageFailed"),
    .init(
      .indexRebuilt,
      "Replace the card or drive if it happens again. There is nothing else to do, for the service "
        + "has made the index anew from the pictures."),
    .init(
      .indexNewer,
      "Install the newer version of the software again; it alone can read this spool.",
      light: "storageFailed"),
    .init(
      .picturesQuarantined,
      "Look at them with \"platenctl spool list --state quarantined\". An administrator can copy "
        + "what can be saved from the spool's folder \"quarantine\"."),
  ]
}
