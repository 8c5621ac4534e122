/// The advice for codes that the lights do not show: the machine, its devices, the network.
extension DoctorAdvice {
  static let ofMachine: [DoctorAdvice] = [
    .init(
      .clockUnsynchronized,
      "Connect the network so that a time server can be reached; pictures get their right time "
        + "afterwards. Without a network set the clock with \"platenctl time set\"; this warning "
        + "stays until a time server is reached."),
    .init(
      .clockImplausible,
      "Set the clock with \"platenctl time set\", or connect the network; certificates cannot be "
        + "checked before that."),
    .init(
      .undervoltageBefore,
      "Check the power supply and its cable, for the voltage has been too low since the start."),
    .init(
      .throttled,
      "Check power supply and cooling, for the firmware slows the processor down."),
    .init(
      .sensorUnreadable,
      "Check the names in the sections \"thermal\" and \"power\" against what this board has."),
    .init(
      .storageReadOnly,
      "Start the machine anew with \"platenctl reboot\", for file systems are checked at the start. "
        + "Replace the card or drive if it is read-only again.", light: "storageFailed"),
    .init(
      .storageAlmostFull,
      "Check that uploads run, for there is room for a few pictures only."),
    .init(
      .storageErrors,
      "Copy the pictures away with \"platenctl spool export DIR\", DIR on a drive that an "
        + "administrator has mounted, and replace the card or drive. Until then \"platenctl "
        + "reboot\" has the file system checked at the start."),
    .init(
      .storageUnusable,
      "Check that the spool's drive is plugged in, then \"platenctl reboot\". Otherwise let an "
        + "administrator mount it, and give its directory to the service's user.",
      light: "storageFailed"),
    .init(
      .storageVolatile,
      "Copy the pictures away with \"platenctl spool export DIR\", for a power cut takes them. Let "
        + "an administrator make a data partition, and set \"overlayroot=tmpfs:recurse=0\"."),
    .init(
      .swapOnCard,
      "Let an administrator switch the swap space on the card off, or keep it in compressed "
        + "memory (zram): it wears the card out, and makes pictures wait."),
    .init(
      .watchdogNotArmed,
      "Check \"dtparam=watchdog=on\" in config.txt, and \"RuntimeWatchdogSec\" below "
        + "/etc/systemd/system.conf.d; that takes an administrator. Until then a machine that "
        + "hangs stays so."),
  ]

  static let ofDevices: [DoctorAdvice] = [
    .init(
      .cameraProcessEnded,
      "Check the camera's cable and power supply if it happens again; the process was started anew."
    ),
    .init(
      .cameraStandby,
      "Check the first camera, and go back to it with \"platenctl session switch\"."),
    .init(
      .recorderMissing,
      "Install the package \"platen-recorder\" of the version that is named here, which takes an "
        + "administrator. Set \"movie.enabled: false\" if the rig is to record no movies."),
    .init(
      .recorderUnusable,
      "Install the packages \"platen\" and \"platen-recorder\" of the same version again, which "
        + "takes an administrator. Then \"platenctl service restart\"."),
    .init(
      .lineAbsent,
      "Check the line's name with \"platenctl config show\". An administrator can compare it with "
        + "\"gpioinfo\", and check the board's overlays."),
    .init(
      .lineTaken,
      "End the program that holds the line, or remove the overlay that gives it to a driver; both "
        + "take an administrator."),
    .init(
      .lineInDeviceTree,
      "Replace the line in the configuration by the LED that is named here, or let an "
        + "administrator remove the overlay from config.txt."),
    .init(
      .deviceNotDeclared,
      "Add \"dtoverlay=platen-rig\" to config.txt, which takes an administrator, and run "
        + "\"platenctl reboot\". Correct the name in the configuration if the rig has another "
        + "overlay."),
    .init(
      .deviceNotDriven,
      "Check the part's cable and supply, then \"platenctl reboot\". An administrator can look in "
        + "\"dmesg\" for the complaint of the driver, and load its module."),
    .init(
      .deviceNotConfigured,
      "Add the part to the configuration if the rig has it. Let an administrator take it out of "
        + "the overlay if the rig lacks it."),
    .init(
      .deviceNotAuthorized,
      "Add the service's user to the group of the device, which \"ls -l\" shows; that takes an "
        + "administrator. Then \"platenctl service restart\"."),
    .init(
      .edgesLost,
      "Check the button's contact and cable if the number grows; presses may have been missed."),
    .init(
      .buttonSilent,
      "Check the button's plug and cable, and that \"line\" in the configuration is the line to which "
        + "it is wired. Test once more with a longer \"--timeout\" if nobody pressed it in time."),
    .init(
      .accelerometerRestless,
      "Let the rig stand still and test it again. Check how the accelerometer is fastened, and its "
        + "\"mount_matrix\", if it stays so."),
    .init(
      .lightAbsent,
      "Check the light's name with \"platenctl config show\" against those that are named here. "
        + "An administrator can check the board's overlays."),
    .init(
      .lightTriggerForeign,
      "Remove what sets the light's trigger, such as a line \"dtparam=act_led_trigger\" or a udev "
        + "rule; that takes an administrator."),
    .init(
      .lightPatternAbsent,
      "Run \"modprobe ledtrig-pattern\" and install \"platen.modules-load.conf\", which loads it "
        + "at each start; that takes an administrator. Until then the light stays as it is when "
        + "the service hangs."),
    .init(.lightFailing, "Check the light's wiring and that the service's user may write to it."),
  ]

  static let ofNetwork: [DoctorAdvice] =
    onTheWay.map { DoctorAdvice(code: $0.code, light: "uploadsWaitingToRetry", text: $0.text) }
    + ofUploads

  /// The causes that keep pictures from their targets: the lights show that uploads wait.
  private static let onTheWay: [DoctorAdvice] = [
    .init(
      .noCarrier,
      "Plug the network cable in. With Wi-Fi, let an administrator check its name and password."),
    .init(
      .noAddress,
      "Check that the network has a DHCP server. An administrator can set a fixed address."),
    .init(
      .noDefaultRoute,
      "Check the router and the DHCP server's settings. An administrator can set a gateway by "
        + "hand."),
    .init(
      .noNameServer,
      "Set a name server in the router's DHCP settings. An administrator can set one by hand."),
    .init(
      .nameServerSilent,
      "Check the router and its firewall, or set another name server in its DHCP settings."),
    .init(
      .targetUnresolved,
      "Check the spelling of the target's URL, and that the name servers answer."),
    .init(
      .targetUnreachable,
      "Check that the server runs and that no firewall is between; the URL names host and port."),
    .init(
      .targetTLSFailed,
      "Check the server's certificate and the target's \"ca_file\" and \"pinned_keys\"."),
    .init(
      .targetClockWrong,
      "Set the rig's clock first if it is wrong, for certificates are valid by the time of day "
        + "only. Ask who runs the server for a new certificate if it is right."),
    .init(
      .targetUnauthorized,
      "Check the target's user. Let an administrator replace the password, token or key in the "
        + "file of the secret."),
    .init(
      .targetForbidden,
      "Ask who runs the server to let this account write there."),
    .init(
      .targetFailing,
      "Read what the server answered here, and ask who runs it; uploads go on by themselves."),
    .init(
      .targetDirectoryAbsent,
      "Mount the drive, or make the file \".platen-target\" with the target's name in its directory; "
        + "that takes an administrator."),
  ]

  private static let ofUploads: [DoctorAdvice] = [
    .init(
      .picturesParked,
      "Look at them with \"platenctl spool list --state parked\", and let them wait again with "
        + "\"platenctl spool retry --all-parked\" when the cause is gone.")
  ]
}
