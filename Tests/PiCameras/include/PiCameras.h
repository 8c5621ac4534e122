// A program that loads this library before libcamera is told nothing by it. See Cameras.hpp.
