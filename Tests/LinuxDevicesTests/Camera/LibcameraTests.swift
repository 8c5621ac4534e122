import Testing

/// The tests that use libcamera's manager, one after the other: a process may have one manager.
@Suite(.serialized) enum LibcameraTests {}
