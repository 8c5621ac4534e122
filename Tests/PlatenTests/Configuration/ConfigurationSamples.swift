import Platen

/// Configuration files that tests start from.
enum ConfigurationSamples {
  /// The least there can be.
  static let least = """
    rig:
      id: east-3
    board: simulated
    spool:
      directory: /var/spool/platen
    """

  /// Every key, none of them at its default.
  static let full = """
    # Every key there is.
    rig:
      id: east-3
      make: Example & Sons
      model: "Rig 2"
    board: linux
    camera:
      position: back
      size: 4608x2592
      frame_rate: 14.5
      pixel_formats: [nv12, yuv420]
      ring_frames: 12
      mounting_angle: 90
      stall_timeout: 3 s
      maximum_wait: 750 ms
    shutter:
      line: SHUTTER
      bias: pull-down
      active_low: false
      debounce: 12.5 ms
    accelerometer:
      device: lis3dh
      trigger: hrtimer0
      rate: 25
      mount_matrix: "0, 1, 0; -1, 0, 0; 0, 0, 1"
      frozen_after: 1 min
    indicators:
      ready:
        led: rig:green:ready
      fault:
        line: FAULT
        active_low: true
      upload:
        chip: pinctrl-bcm2835
        offset: 22
    thermal:
      zones: [cpu-thermal, camera-thermal]
      fair: 55
      serious: 65.5
      critical: 75
      hysteresis: 2
      interval: 500 ms
      serious_frame_rate: 8
    image:
      quality: 95
    spool:
      directory: /srv/spool
      minimum_free: 1 GiB
      maximum_bytes: 16 GiB
    upload:
      url: https://pages.example:8443/inbox/
      prefix: rigs/east-3
      ca_file: /etc/platen/ca.pem
      user: rig
      password_file: credential:upload
      connect_timeout: 5 s
      stall_timeout: 1 min
      retry_minimum: 500 ms
      retry_maximum: 1 h
    api:
      socket: /run/platen/other.sock
      socket_group: platen
    log:
      level: debug
    """

  /// The errors of a text as compilers write them; empty when it is a configuration.
  static func errors(_ text: String) -> [String] {
    do {
      _ = try PlatenConfiguration.parse(text: text, file: "f.yaml")
      return []
    } catch {
      return error.errors.map(\.description)
    }
  }
}
