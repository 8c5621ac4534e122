// A program that loads this library before libcamera is not told of it. See Cameras.hpp.
