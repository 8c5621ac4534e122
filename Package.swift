// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .treatAllWarnings(as: .error),
]
// For code that runs seldom, or only between waits: a sixth smaller.
let small: [SwiftSetting] = strict + [.unsafeFlags(["-Osize"], .when(configuration: .release))]
// For loops over pixels, which take seconds in a debug build without it. A target with a Mutex that is
// tested under ThreadSanitizer cannot have it: the suppression names closures, which are inlined.
let fast: [SwiftSetting] = strict + [.unsafeFlags(["-O"], .when(configuration: .debug))]
let strictC: [CSetting] = [
  .enableWarning("all"), .enableWarning("extra"), .treatAllWarnings(as: .error),
]
let strictCXX: [CXXSetting] = [
  .enableWarning("all"), .enableWarning("extra"), .treatAllWarnings(as: .error),
]

let argumentParser = Target.Dependency.product(
  name: "ArgumentParser", package: "swift-argument-parser")
let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
let hummingbird = Target.Dependency.product(name: "Hummingbird", package: "hummingbird")
let hummingbirdCore = Target.Dependency.product(name: "HummingbirdCore", package: "hummingbird")
let nioCore = Target.Dependency.product(name: "NIOCore", package: "swift-nio")
let nioHTTP1 = Target.Dependency.product(name: "NIOHTTP1", package: "swift-nio")
let nioHTTPTypes = Target.Dependency.product(name: "NIOHTTPTypes", package: "swift-nio-extras")
let inMemoryLogging = Target.Dependency.product(name: "InMemoryLogging", package: "swift-log")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let serviceLifecycle = Target.Dependency.product(
  name: "ServiceLifecycle", package: "swift-service-lifecycle")
let yams = Target.Dependency.product(name: "Yams", package: "Yams")

let package = Package(
  name: "platen",
  products: [
    .executable(name: "platend", targets: ["platend"]),
    .executable(name: "platenctl", targets: ["platenctl"]),
    .executable(name: "platen-recorder", targets: ["platen-recorder"]),
    .executable(name: "platenbench", targets: ["platenbench"]),
    .executable(name: "platencrash", targets: ["platencrash"]),
    // The camera object, which is loaded for the libcamera that is installed.
    .library(name: "platencamera", type: .dynamic, targets: ["LibcameraShim"]),
    .library(name: "PiCameras", type: .dynamic, targets: ["PiCameras"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.2"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    // Without its reader of configurations.
    .package(
      url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1",
      traits: ["FullFoundation"]),
    .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
  ],
  targets: [
    // C libraries, each through its pkg-config file.
    .systemLibrary(name: "CALSA", pkgConfig: "alsa", providers: [.apt(["libasound2-dev"])]),
    .systemLibrary(
      name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
    .systemLibrary(
      name: "CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
    .systemLibrary(
      name: "CEditLine", pkgConfig: "libedit", providers: [.apt(["libedit-dev"])]),
    .systemLibrary(name: "CEXIF", pkgConfig: "libexif", providers: [.apt(["libexif-dev"])]),
    .systemLibrary(
      name: "CFFmpeg", pkgConfig: "libavformat",
      providers: [
        .apt([
          "libavcodec-dev", "libavformat-dev", "libavutil-dev", "libswresample-dev",
          "libswscale-dev",
        ])
      ]),
    .systemLibrary(name: "CGPIOD", pkgConfig: "libgpiod", providers: [.apt(["libgpiod-dev"])]),
    .systemLibrary(name: "CIIO", pkgConfig: "libiio", providers: [.apt(["libiio-dev"])]),
    .systemLibrary(
      name: "CJPEG", pkgConfig: "libjpeg", providers: [.apt(["libjpeg62-turbo-dev"])]),
    .systemLibrary(
      name: "CLeptonica", pkgConfig: "lept", providers: [.apt(["libleptonica-dev"])]),
    .systemLibrary(
      name: "CLibcameraSystem", pkgConfig: "libcamera", providers: [.apt(["libcamera-dev"])]),
    .systemLibrary(
      name: "CSystemd", pkgConfig: "libsystemd", providers: [.apt(["libsystemd-dev"])]),
    .systemLibrary(name: "CTIFF", pkgConfig: "libtiff-4", providers: [.apt(["libtiff-dev"])]),
    .systemLibrary(
      name: "CTurboJPEG", pkgConfig: "libturbojpeg", providers: [.apt(["libturbojpeg0-dev"])]),
    .systemLibrary(name: "CFileCalls"),
    .systemLibrary(name: "CPeerCalls"),
    .systemLibrary(name: "CSQLiteCalls", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CTimex"),
    // libcamera behind a plain C header, and the search for the camera object that has its functions.
    .target(name: "CLibcameraShim", cSettings: strictC),
    // The camera object, the only C++. No target depends on it, for it is loaded.
    .target(
      name: "LibcameraShim", dependencies: ["CLibcameraSystem"],
      cxxSettings: [.headerSearchPath("../CLibcameraShim/include")] + strictCXX),
    // A plain C header over libgpiod 1.6 and 2.x.
    .target(name: "CGPIOLines", dependencies: ["CGPIOD"], cSettings: strictC),
    // libjpeg's own API, whose errors are jumps, behind calls that return.
    .target(name: "CJPEGStripes", dependencies: ["CJPEG"], cSettings: strictC),
    // Calls of Linux for a process that hosts a device.
    .target(name: "CHostCalls", cSettings: strictC),

    // The way of a picture, left to right.
    .target(name: "Devices", dependencies: ["CFileCalls"], swiftSettings: strict),
    // The declarations of the configuration's keys.
    .target(name: "Settings", dependencies: ["Devices"], swiftSettings: small),
    .target(name: "Digests", dependencies: ["CCrypto"], swiftSettings: strict),
    .target(
      name: "LinuxDevices",
      dependencies: ["CGPIOLines", "CIIO", "CLibcameraShim", "CSystemd", "Devices", logging],
      swiftSettings: strict),
    .target(name: "SimulatedDevices", dependencies: ["Devices"], swiftSettings: strict),
    .target(
      name: "CameraHost", dependencies: ["CHostCalls", "Devices", logging], swiftSettings: strict),
    // The service's side of the process that records movies; the service loads no part of FFmpeg.
    .target(name: "Recorder", dependencies: ["CameraHost", "Devices"], swiftSettings: strict),
    .target(
      name: "RecorderProgram",
      dependencies: ["CALSA", "CFFmpeg", "CameraHost", "Devices", "Recorder"],
      swiftSettings: strict),
    .target(
      name: "Imaging", dependencies: ["CEXIF", "CJPEGStripes", "CTIFF", "CTurboJPEG", "Devices"],
      swiftSettings: strict),
    // The reading of a page in a frame.
    .target(
      name: "PageSense", dependencies: ["CLeptonica", "Devices", "Imaging"], swiftSettings: fast),
    .target(name: "Capture", dependencies: ["Devices", logging], swiftSettings: strict),
    .target(
      name: "Spool",
      dependencies: ["CFileCalls", "CSQLiteCalls", "Devices", "Digests", grdb, logging],
      swiftSettings: strict),
    .target(name: "Transfer", dependencies: ["CCurl", "Devices"], swiftSettings: small),
    .target(
      name: "Upload",
      dependencies: ["CFileCalls", "Devices", "Digests", "Settings", "Transfer", logging],
      swiftSettings: small),
    .target(
      name: "API",
      dependencies: [
        "CPeerCalls", "Devices", "Digests", hummingbird, hummingbirdCore, logging, nioCore,
        nioHTTP1, nioHTTPTypes, serviceLifecycle,
      ],
      exclude: ["openapi-values.yaml", "openapi.yaml"], swiftSettings: small),
    .target(
      name: "Console",
      dependencies: [
        "API", "CEditLine", "CFileCalls", "Capture", "Devices", "Digests", "Settings", "Transfer",
      ],
      swiftSettings: small),
    // The configuration of a rig; a dependency has the name `Configuration`.
    .target(
      name: "RigConfiguration",
      dependencies: [
        "API", "Capture", "Devices", "Digests", "Imaging", "LinuxDevices", "Settings",
        "SimulatedDevices", "Spool", "Upload", logging, yams,
      ],
      swiftSettings: small),
    .target(
      name: "Doctor",
      dependencies: [
        "API", "CTimex", "CameraHost", "Capture", "Devices", "LinuxDevices", "Recorder",
        "RigConfiguration", "Settings", "Spool", "Transfer", "Upload",
      ],
      swiftSettings: small),
    .target(
      name: "Service",
      dependencies: [
        "API", "CFileCalls", "CSystemd", "CameraHost", "Capture", "Devices", "Doctor", "Imaging",
        "LinuxDevices", "PageSense", "Recorder", "RigConfiguration", "SimulatedDevices", "Spool",
        "Upload", logging, serviceLifecycle,
      ],
      swiftSettings: strict),
    // The commands of platenctl, which packages have in the program platend.
    .target(
      name: "Commands",
      dependencies: ["API", "Console", "Devices", "Settings", argumentParser, logging],
      swiftSettings: small),
    .executableTarget(
      name: "platend",
      dependencies: [
        "API", "CameraHost", "Commands", "Console", "Devices", "Doctor", "RigConfiguration",
        "Service", "Settings", argumentParser, logging,
      ],
      swiftSettings: strict),
    .executableTarget(name: "platenctl", dependencies: ["Commands"], swiftSettings: strict),
    .executableTarget(
      name: "platen-recorder", dependencies: ["Devices", "Recorder", "RecorderProgram"],
      swiftSettings: strict),
    .executableTarget(
      name: "platenbench",
      dependencies: [
        "Capture", "CTurboJPEG", "Devices", "Imaging", "PageSense", "RigConfiguration", "Service",
        "SimulatedDevices", "Spool", "Upload", argumentParser, grdb, logging,
      ],
      path: "Benchmarks", swiftSettings: strict),
    // The workload of the crash replay, and its judge.
    .executableTarget(
      name: "platencrash",
      dependencies: ["Devices", "Digests", "Spool", "TestSupport", argumentParser, logging],
      path: "Tests/platencrash", swiftSettings: strict),

    .target(
      name: "TestSupport", dependencies: ["CMalloc", "Devices", logging, inMemoryLogging],
      path: "Tests/TestSupport",
      swiftSettings: strict),
    .testTarget(
      name: "APITests",
      dependencies: [
        "API", "Console", "Devices", "TestSupport", "Transfer", "platenctl", "Commands",
        argumentParser, logging, serviceLifecycle, yams,
      ],
      swiftSettings: strict),
    // A camera process for tests: serves simulated or real cameras, or fails as it is told.
    .executableTarget(
      name: "camerahostfixture",
      dependencies: ["CameraHost", "Devices", "LinuxDevices", "SimulatedDevices", logging],
      path: "Tests/camerahostfixture", swiftSettings: strict),
    // Cameras of a Raspberry Pi in libcamera's place, for a camera process that loads them first.
    .target(
      name: "PiCameras", dependencies: ["CLibcameraSystem"], path: "Tests/PiCameras",
      cxxSettings: strictCXX),
    .testTarget(
      name: "CameraHostTests",
      dependencies: [
        "CHostCalls", "CameraHost", "Capture", "Devices", "SimulatedDevices", "TestSupport",
        "camerahostfixture", logging,
      ],
      swiftSettings: strict),
    .testTarget(
      name: "CaptureTests",
      dependencies: ["CMalloc", "Capture", "Devices", "SimulatedDevices", "TestSupport"],
      swiftSettings: strict),
    .systemLibrary(name: "CMalloc", path: "Tests/CMalloc"),
    .testTarget(
      name: "ConformanceTests",
      dependencies: [
        "CameraHost", "Devices", "LinuxDevices", "SimulatedDevices", "TestSupport",
        "camerahostfixture", logging,
      ],
      swiftSettings: strict),
    .testTarget(
      name: "ConsoleTests", dependencies: ["API", "Console", "Devices", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "DevicesTests", dependencies: ["Devices", "TestSupport"], swiftSettings: strict),
    .testTarget(name: "DigestsTests", dependencies: ["Digests"], swiftSettings: strict),
    .testTarget(
      name: "DoctorTests",
      dependencies: [
        "API", "Capture", "Devices", "Doctor", "LinuxDevices", "RigConfiguration", "Spool",
        "TestSupport",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "ImagingTests", dependencies: ["CTurboJPEG", "Devices", "Imaging", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "LinuxDevicesTests",
      dependencies: ["CSystemd", "Devices", "LinuxDevices", "TestSupport", logging],
      swiftSettings: strict),
    .testTarget(
      name: "PageSenseTests",
      dependencies: ["Devices", "Imaging", "PageSense", "SimulatedDevices", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "RecorderTests",
      dependencies: [
        "CFFmpeg", "CameraHost", "Devices", "Recorder", "RecorderProgram", "TestSupport",
        "platen-recorder",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "RigConfigurationTests",
      dependencies: [
        "API", "Capture", "Console", "Devices", "Imaging", "LinuxDevices", "RigConfiguration",
        "Settings", "SimulatedDevices", "Spool", "TestSupport", "Transfer", "Upload", logging,
      ],
      swiftSettings: strict),
    .testTarget(
      name: "ServiceTests",
      dependencies: [
        "API", "CameraHost", "Capture", "Devices", "Doctor", "Imaging", "PageSense", "Recorder",
        "RigConfiguration", "Service", "SimulatedDevices", "Spool", "TestSupport", "Upload",
        "platen-recorder", logging, serviceLifecycle,
      ],
      swiftSettings: strict),
    .testTarget(
      name: "SimulatedDevicesTests",
      dependencies: ["Devices", "Imaging", "SimulatedDevices", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "SpoolTests",
      dependencies: ["CSQLiteCalls", "Devices", "Digests", "Spool", "TestSupport", grdb],
      swiftSettings: strict),
    .testTarget(
      name: "UploadTests",
      dependencies: ["Devices", "Digests", "TestSupport", "Transfer", "Upload"],
      swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6],
  cLanguageStandard: .c11,
  cxxLanguageStandard: .cxx20
)

// Only these test targets, for builds that test a part: PLATEN_TESTS=CaptureTests,SpoolTests.
if let wanted = Context.environment["PLATEN_TESTS"]?.split(separator: ",").map(String.init) {
  package.targets.removeAll { $0.type == .test && !wanted.contains($0.name) }
}
