import Testing

/// What uses libcamera's manager, one after the other: there may be one in a process.
@Suite(.serialized) enum LibcameraTests {}
