import CLibcameraShim
import Foundation
import Glibc
import Testing

@testable import LinuxDevices

/// The rules at the head of CLibcameraShim.h, as far as they need no camera.
@Suite struct ShimContractTests {
  @Test(arguments: [1, 77, UInt64.max]) func `a stale handle is refused`(handle: UInt64) {
    var event = platen_camera_event()
    var request = platen_camera_request()
    var stream = platen_camera_stream()
    var frame: platen_camera_frame = 5
    var info = platen_camera_frame_info()
    var memory = platen_camera_frame_memory()
    var number: Int64 = 0
    var bytes: UnsafeRawPointer?
    var count: UInt64 = 0
    let stale = handle | 1 << 40
    #expect(platen_cameras_list(stale, nil, 0, nil, 0) == -EBADF)
    #expect(platen_cameras_close(stale, nil, 0) == -EBADF)
    #expect(platen_camera_next_event(stale, &event) == -EBADF)
    var isReleased = false
    withUnsafeMutablePointer(to: &isReleased) { context in
      let status = platen_camera_listen(
        stale, { _ in 1 }, { $0.assumingMemoryBound(to: Bool.self).pointee = true }, context)
      #expect(status == -EBADF)
    }
    #expect(isReleased)
    #expect(platen_camera_resolve(stale, &request, &stream, nil, 0) == -EBADF)
    #expect(platen_camera_start(stale, &request, &stream, nil, 0) == -EBADF)
    #expect(platen_camera_stop(stale, nil, 0) == -EBADF)
    #expect(platen_camera_set_frame_duration(stale, 1, &number, nil, 0) == -EBADF)
    #expect(platen_camera_lease(stale, 1, &frame, &info, &memory) == -EBADF)
    #expect(frame == 0)
    #expect(platen_camera_frame_begin_read(stale, &bytes, &count) == -EBADF)
    #expect(platen_camera_frame_end_read(stale) == -EBADF)
    #expect(platen_camera_frame_begin_raw_read(stale, &bytes, &count) == -EBADF)
    #expect(platen_camera_frame_end_raw_read(stale) == -EBADF)
    #expect(platen_camera_frame_begin_preview_read(stale, &bytes, &count) == -EBADF)
    #expect(platen_camera_frame_end_preview_read(stale) == -EBADF)
    platen_camera_frame_release(stale)
    #expect(platen_camera_release(stale, nil, 0) == 0)
  }

  @Test func `a null handle is accepted`() {
    #expect(platen_cameras_close(0, nil, 0) == 0)
    #expect(platen_camera_stop(0, nil, 0) == 0)
    #expect(platen_camera_release(0, nil, 0) == 0)
    platen_camera_frame_release(0)
  }

  @Test func `a cause is cut to its room`() {
    var room = [CChar](repeating: 0x55, count: 16)
    #expect(platen_camera_stop(1 << 41, &room, 8) == -EBADF)
    #expect(
      shimText(of: (room[0], room[1], room[2], room[3], room[4], room[5], room[6], room[7]))
        == "it has ")
    #expect(room[8...].allSatisfy { $0 == 0x55 })
  }

  @Test func `a success has no cause`() {
    let outcome = ShimOutcome.of { cause, size in
      cause.pointee = 0x41
      return platen_camera_stop(0, cause, size)
    }
    #expect(outcome.status == 0)
    #expect(outcome.cause.isEmpty)
  }

  @Test func `nodes are counted by kind`() throws {
    let root = FileManager.default.temporaryDirectory.appending(path: "platen-\(UUID())")
    defer { try? FileManager.default.removeItem(at: root) }
    try FileManager.default.createDirectory(
      at: root.appending(path: "dma_heap"), withIntermediateDirectories: true)
    let names = [
      "media0", "media17", "media", "mediax", "video0", "video1", "video10", "video-front",
      "v4l-subdev0", "ttyS0", "dma_heap/system",
    ]
    for name in names {
      #expect(
        FileManager.default.createFile(atPath: root.appending(path: name).path, contents: nil))
    }
    var result = platen_cameras_preflight_result()
    #expect(platen_cameras_preflight(root.path, &result) == 0)
    #expect(result.media_nodes == 2)
    #expect(result.video_nodes == 3)
    #expect(result.subdevice_nodes == 1)
    #expect(result.heap_nodes == 1)
    #expect(result.denied_nodes == 0)
    #expect(shimText(of: result.first_denied).isEmpty)
  }

  @Test func `a node that may not be opened is named`() throws {
    let root = FileManager.default.temporaryDirectory.appending(path: "platen-\(UUID())")
    defer { try? FileManager.default.removeItem(at: root) }
    try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
    // The kernel forbids writing to this file, even to root.
    try FileManager.default.createSymbolicLink(
      atPath: root.appending(path: "video3").path,
      withDestinationPath: "/proc/sys/kernel/ostype")
    var result = platen_cameras_preflight_result()
    #expect(platen_cameras_preflight(root.path, &result) == 0)
    #expect(result.video_nodes == 1)
    #expect(result.denied_nodes == 1)
    #expect(shimText(of: result.first_denied) == root.appending(path: "video3").path)
  }

  @Test func `a missing device root has no nodes`() {
    var result = platen_cameras_preflight_result()
    #expect(platen_cameras_preflight("/nonexistent", &result) == 0)
    #expect(result.media_nodes + result.video_nodes + result.heap_nodes == 0)
  }

  @Test func `the library tells its version`() {
    #expect(String(cString: platen_cameras_library_version()).contains(/\d+\.\d+/))
  }
}
