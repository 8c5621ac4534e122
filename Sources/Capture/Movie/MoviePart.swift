package import Devices

/// The frames of a stream that a movie can be made of.
package struct MovieSource: Sendable, Hashable {
  /// The ID of the camera.
  package var camera: CameraDescription.ID
  /// The layout of the frames.
  package var format: StreamFormat
  /// The clockwise angle of the camera in the rig: 0, 90, 180 or 270.
  package var cameraAngle: Int
  /// The number of frames that the camera keeps for leasing, 2 or more.
  package var ringFrameCount: Int
  /// The expected frames per second, above 0; `nil` when the camera does not report them.
  package var frameRate: Double?

  /// The maximum number of frames that wait for the writer.
  ///
  /// The frames wait in the camera's ring, whose other half is for presses.
  var waitingFrameLimit: Int { max(1, ringFrameCount / 2) }
}

/// A part of a recording, which is a file of its own.
///
/// A recording has one part, and another one after each pause and each interruption.
package struct MoviePart: Sendable, Hashable {
  /// The number of the recording in this run, from 1.
  package var recording: Int
  /// The number of the press that started the recording; `nil` for none.
  package var press: Int64?
  /// The number of the part in its recording, from 1; a part without a frame has one, too.
  package var number: Int
  /// The ID of the camera.
  package var camera: CameraDescription.ID
  /// The layout of the frames.
  package var format: StreamFormat
  /// The size of the pictures, never larger than the frames.
  ///
  /// The writer takes the largest part of the frame's middle that has this shape, and scales it.
  package var size: FrameSize
  /// The clockwise angle by which the pictures have to be turned to be upright: 0, 90, 180 or 270.
  ///
  /// The angle belongs to the track's matrix, and the pictures are never mirrored.
  package var captureAngle: Int
  /// The zero of the part's times; no frame of the part is earlier.
  package var beganAt: MonotonicInstant
  /// The maximum frames per second; `nil` for all of the stream's frames.
  package var frameRate: Double?
  /// The frames per second to expect of the stream within the maximum; `nil` when unknown.
  package var expectedFrameRate: Double?
  /// The compression of the pictures.
  package var compression: MovieCompression
  /// Whether sound is recorded.
  package var hasSound: Bool
}

/// A closed part of a recording.
package struct WrittenMoviePart: Sendable, Hashable {
  /// The number of the part in its recording, from 1.
  package var number: Int
  /// The recorded time.
  package var duration: Duration
  /// The number of frames in the file.
  package var frameCount: Int
  /// The number of frames that the writer dropped.
  package var droppedFrameCount: Int
  /// The length of the file in bytes.
  package var byteCount: Int64
  /// The name of the encoder.
  package var encoder: String
  /// The reason that the sound ended before the part; `nil` when it did not, or without sound.
  package var soundEnd: String?
  /// The ID of the file in the spool; `nil` when it is in none.
  package var itemID: String?

  package init(
    number: Int, duration: Duration, frameCount: Int, droppedFrameCount: Int = 0,
    byteCount: Int64, encoder: String, soundEnd: String? = nil, itemID: String? = nil
  ) {
    self.number = number
    self.duration = duration
    self.frameCount = frameCount
    self.droppedFrameCount = droppedFrameCount
    self.byteCount = byteCount
    self.encoder = encoder
    self.soundEnd = soundEnd
    self.itemID = itemID
  }
}
