import Capture

/// The advice for codes that the lights show, and for the service itself.
extension DoctorAdvice {
  static let ofReasons: [DoctorAdvice] = [
    .init(
      .cameraAbsent,
      "Switch the rig off, check the camera's cable at both ends, and start it again. Try another "
        + "cable, then another camera, if it stays absent."),
    .init(.cameraUnplugged, "Plug the camera in again; captures go on by themselves."),
    .init(
      .cameraInUse,
      "End the program that is named here, or let it have the camera for a while with "
        + "\"platenctl session stop\"."),
    .init(
      .cameraNotAuthorized,
      "Add the service's user to the group of the camera's device nodes, which \"ls -l /dev/video* "
        + "/dev/media*\" shows; that takes somebody with a shell on the rig. Then \"platenctl service "
        + "restart\"."),
    .init(
      .cameraStalled,
      "Wait a minute, for the service starts the camera anew by itself. Check cable and power "
        + "supply if it happens again and again."),
    .init(
      .cameraTimedOut,
      "Check the camera's ribbon cable and its connectors with the power off. Replace the camera if "
        + "that does not help."),
    .init(
      .cameraFailed,
      "Look for what the camera has reported with \"platenctl log\". Take a setting that it does not "
        + "have out of the configuration; replace the camera if it fails again and again."),
    .init(
      .buffersExhausted,
      "Set a smaller \"camera.preset\" or fewer \"camera.ring_frames\", or give the kernel more "
        + "memory for cameras (\"cma=\" on its command line)."),
    .init(
      .storageFull,
      "Connect the network so that pictures are uploaded. Or run \"platenctl spool export DIR\", "
        + "DIR on a drive that somebody with a shell has mounted, and \"platenctl spool delete ID\" "
        + "for each. What has no receipt is never deleted by itself."),
    .init(
      .storageStalled,
      "Wait a minute; presses are taken again as soon as the disk answers. Replace the card or drive "
        + "if it happens again."),
    .init(
      .storageFailed,
      "Copy the pictures away with \"platenctl spool export DIR\" as long as they can be read, DIR "
        + "on a drive that somebody with a shell has mounted. Then replace the card or drive."),
    .init(
      .thermalPressure,
      "Let the rig cool down, and check its fan, its air holes and the sun on it. Captures go on by "
        + "themselves."),
    .init(
      .undervoltage,
      "Replace the power supply or its cable by one that is made for this board, and unplug what "
        + "else it feeds."),
    .init(
      .buttonStuck,
      "Free the button, and look whether something lies on it or its cable touches ground."),
    .init(
      .buttonHeldAtStart,
      "Let go of the button. Check that \"active_low\" fits the wiring if nobody holds it."),
    .init(
      .buttonChattering,
      "Clean or replace the button, check the plug of its cable, and keep that away from motors, lamps "
        + "and relays. Set a longer \"debounce\" if it is a slow contact."),
    .init(.stoppedByTechnician, "Run \"platenctl session resume\" to take pictures again."),
    .init(.buttonTest, "Wait until the test of the button is over, two minutes at most."),
    .init(
      .accelerometer,
      "Check the accelerometer's cable, and try it with \"platenctl test accelerometer\"; pictures "
        + "keep the last orientation until then. Somebody with a shell on the rig: \"i2cdetect -y 1\" "
        + "must show its address."),
    .init(
      .lamp,
      "Check the lamp's cable and the name of its light or line in the section \"lamp\". Pictures "
        + "are taken without it until then."),
  ]

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
      "Look at them with \"platenctl spool list --state quarantined\". Somebody with a shell on the "
        + "rig: copy what can be saved from the spool's folder \"quarantine\"."),
  ]
}
