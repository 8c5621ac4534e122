// What a program is told that loads this library before libcamera: nothing. See Cameras.hpp.
