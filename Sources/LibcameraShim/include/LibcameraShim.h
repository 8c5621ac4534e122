// The headers of the camera object are those of CLibcameraShim.
