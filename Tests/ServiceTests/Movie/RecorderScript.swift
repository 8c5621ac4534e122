import CameraHost
import Devices
import Recorder

/// Programs in Python that take the recorder's place and fail in one way.
enum RecorderScript {
  /// A recorder whose encoder of the hardware can be opened, and that ends at the first frame.
  ///
  /// With an encoder in software, the program itself takes its place.
  ///
  /// - Parameter answers: whether the encoder can be opened; else the program ends at once.
  static func failingHardware(answers: Bool) -> String {
    """
    import json, os, socket, sys
    service = socket.socket(fileno=\(HostSocket.inherited))
    part = json.loads(service.recv(65536, socket.MSG_PEEK))["open"]["_0"]
    if not part["prefersHardware"]:
        os.execv(sys.argv[1], sys.argv[1:2])
    if not \(answers ? "True" : "False"):
        sys.exit("the codec cannot be opened")
    encoder = "\(RecorderPart.hardwareEncoder)"
    for reply in {"greeting": {"version": "\(PlatenVersion.current)"}}, {"opened": {"encoder": encoder}}:
        service.send(json.dumps(reply).encode())
    for _ in "open", "frame":
        service.recv(65536)
    """
  }

  /// A recorder that records one fragment, and never ends its copy.
  static let endlessCopy = """
    import json, os, socket, time
    service = socket.socket(fileno=\(HostSocket.inherited))
    def box(kind, content=b""):
        return (len(content) + 8).to_bytes(4, "big") + kind + content
    movie = box(b"ftyp", b"isom") + box(b"moov", box(b"mvhd") + box(b"trak") + box(b"mvex"))
    movie += box(b"moof", box(b"mfhd") + box(b"traf")) + box(b"mdat", b"media")
    count = 0
    service.send(json.dumps({"greeting": {"version": "\(PlatenVersion.current)"}}).encode())
    while True:
        packet, files, *_ = socket.recv_fds(service, 65536, 4)
        if not packet:
            break
        request = json.loads(packet)
        if "open" in request:
            os.write(files[0], movie)
            reply = {"opened": {"encoder": "none"}}
        elif "frame" in request:
            count += 1
            reply = {"taken": {"number": request["frame"]["_0"]["number"]}}
        elif "close" in request:
            reply = {"closed": {"_0": {
                "duration": [0, 10 ** 18], "frameCount": count, "unusableFrameCount": 0,
                "byteCount": len(movie), "encoder": "none", "form": "fragmented"}}}
        else:
            while True:
                service.send(json.dumps({"closing": {}}).encode())
                time.sleep(0.5)
        for file in files:
            os.close(file)
        service.send(json.dumps(reply).encode())
    """
}
