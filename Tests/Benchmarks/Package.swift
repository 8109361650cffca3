// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that none of the peers becomes a dependency of the library. Each peer is
// one program that speaks the little protocol of Measure.h; `scripts/bench` builds and runs all.

let package = Package(
  name: "benchmarks",
  dependencies: [
    .package(name: "tidelock", path: "../.."),
    .package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0"),
  ],
  targets: [
    // The command line too, because its start is measured.
    .executableTarget(
      name: "Bench", dependencies: [.product(name: "tidelock", package: "tidelock")]),
    .target(name: "Measure"),
    .target(name: "Driver", dependencies: ["Measure"]),
    .target(name: "LuaWorkloads"),
    .target(name: "StockLua"),
    .executableTarget(
      name: "TidelockDriver",
      dependencies: [
        "Driver", "LuaWorkloads", "StockLua", .product(name: "Tidelock", package: "tidelock"),
      ],
      path: "Tidelock"),
    .target(
      name: "Terminal", dependencies: [.product(name: "Tidelock", package: "tidelock")]),
    .executableTarget(
      name: "ViewsDriver",
      dependencies: ["Driver", "Terminal", .product(name: "Tidelock", package: "tidelock")],
      path: "Views"),
    .executableTarget(
      name: "ReloadDriver",
      dependencies: ["Driver", "Terminal", .product(name: "Tidelock", package: "tidelock")],
      path: "Reload"),
    .executableTarget(
      name: "NcursesPeer", dependencies: ["Measure"], path: "Peers/Ncurses",
      linkerSettings: [.linkedLibrary("ncurses"), .linkedLibrary("tinfo")]),
    .executableTarget(
      name: "MonitorDriver",
      dependencies: [
        "Driver", "Terminal", .product(name: "Tidelock", package: "tidelock"),
      ],
      path: "Monitor",
      exclude: ["Application/MonitorCommand.swift", "Application/Dashboard+Terminal.swift"]),
    .executableTarget(name: "SpecsDriver", dependencies: ["Driver"], path: "Specs"),
    .executableTarget(
      name: "DataDriver",
      dependencies: [
        "Driver", .product(name: "Tidelock", package: "tidelock"),
        .product(name: "TideShare", package: "tidelock"),
        .product(name: "TideStore", package: "tidelock"),
      ],
      path: "Data"),
    .executableTarget(
      name: "FunctionPointers", dependencies: ["Measure"], path: "Peers/FunctionPointers"),
    .executableTarget(name: "Closures", dependencies: ["Driver"], path: "Peers/Closures"),
    .systemLibrary(
      name: "CGObject", path: "Peers/GObject/Library", pkgConfig: "gobject-2.0",
      providers: [.apt(["libglib2.0-dev"])]),
    .executableTarget(
      name: "GObjectPeer", dependencies: ["Measure", "CGObject"], path: "Peers/GObject/Driver",
      linkerSettings: [.linkedLibrary("gio-2.0")]),
    .executableTarget(
      name: "OpenCombinePeer",
      dependencies: ["Driver", .product(name: "OpenCombine", package: "OpenCombine")],
      path: "Peers/OpenCombine"),
    .executableTarget(name: "ObservationPeer", dependencies: ["Driver"], path: "Peers/Observation"),
    .executableTarget(
      name: "PlainLua", dependencies: ["Measure", "LuaWorkloads"], path: "Peers/PlainLua",
      linkerSettings: [
        .linkedLibrary(":liblua5.4.a"), .linkedLibrary("m"), .linkedLibrary("dl"),
      ]),
    .executableTarget(
      name: "SQLitePeer", dependencies: ["Measure"], path: "Peers/SQLite",
      linkerSettings: [.linkedLibrary("sqlite3")]),
    .executableTarget(
      name: "NATSPeer", dependencies: ["Measure"], path: "Peers/NATS",
      linkerSettings: [.linkedLibrary("nats")]),
    // The shared Lua, because that is the one that a module finds its functions in.
    .executableTarget(
      name: "CJSONPeer", dependencies: ["Measure", "LuaWorkloads"], path: "Peers/CJSON",
      linkerSettings: [.linkedLibrary("lua5.4")]),
  ],
  swiftLanguageModes: [.v6],
  cxxLanguageStandard: .cxx17
)

// Qt is measured where its package is installed; `scripts/bench` looks, because a manifest may not.
if Context.environment["BENCH_QT"] == "1" {
  package.targets += [
    .systemLibrary(
      name: "CQt", path: "Peers/Qt/Library", pkgConfig: "Qt6Core",
      providers: [.apt(["qt6-base-dev"])]),
    .executableTarget(
      name: "QtPeer", dependencies: ["Measure", "CQt"], path: "Peers/Qt/Driver",
      linkerSettings: [.linkedLibrary("Qt6Core")]),
  ]
}
