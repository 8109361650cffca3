// swift-tools-version: 6.2
import PackageDescription

let exportsOfLua = Context.packageDirectory + "/Sources/TidelockCLI/Lua.exports"
// The program that scripts/install makes needs nothing that a machine may not have.
let isStandalone = Context.environment["TIDELOCK_STANDALONE"] == "1"
func inside(_ archives: String..., else shared: [LinkerSetting] = []) -> [LinkerSetting] {
  isStandalone ? archives.map { .linkedLibrary(":\($0)") } : shared
}

/// The versions that the tests ran with are those of the program that is installed. Other packages may
/// take later ones.
func recorded(_ version: Version) -> Range<Version> {
  isStandalone
    ? version..<Version(version.major, version.minor, version.patch + 1)
    : version..<Version(version.major + 1, 0, 0)
}

/// A product of the libraries for servers, which only apps in a browser need.
func web(_ product: String, of package: String = "swift-nio") -> Target.Dependency {
  .product(name: product, package: package, condition: .when(traits: ["Web"]))
}

let package = Package(
  name: "tidelock",
  products: [
    // The umbrella, and the modules whose types with everyday names it does not bring.
    .library(
      name: "Tidelock",
      targets: [
        "Tidelock", "TideBindings", "TideCheck", "TideREPL", "TideReload", "TideRun", "TideScript",
        "TideSystem", "TideTerminal", "TideViews",
      ]),
    .library(name: "TideBindings", targets: ["TideBindings"]),
    .library(name: "TideLua", targets: ["TideLua"]),
    .library(name: "TideValues", targets: ["TideValues"]),
    .library(name: "TideTest", targets: ["TideTest"]),
    .library(name: "TideFoundation", targets: ["TideFoundation"]),
    .library(name: "TideShare", targets: ["TideShare"]),
    .library(name: "TideStore", targets: ["TideStore"]),
    .library(name: "TideWeb", targets: ["TideWeb"]),
    .executable(name: "tidelock", targets: ["TidelockCLI"]),
    .executable(name: "monitor", targets: ["Monitor"]),
  ],
  traits: [
    .trait(name: "Engine", description: "Bindings, views and scripts that reload."),
    .trait(
      name: "Command", description: "The program tidelock.", enabledTraits: ["Engine"]),
    .trait(
      name: "Web", description: "Apps in a browser: the module TideWeb, and tidelock serve.",
      enabledTraits: ["Engine"]),
    .trait(
      name: "Share",
      description: "Models between machines: the module TideShare in the program tidelock.",
      enabledTraits: ["Engine"]),
    .trait(
      name: "Store", description: "Databases: the module TideStore in the program tidelock.",
      enabledTraits: ["Engine"]),
    .default(enabledTraits: ["Engine", "Command", "Share", "Store", "Web"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", recorded("1.8.2")),
    .package(url: "https://github.com/apple/swift-log", recorded("1.16.2")),
    .package(url: "https://github.com/apple/swift-nio", recorded("2.101.2")),
    .package(url: "https://github.com/apple/swift-nio-ssl", recorded("2.37.6")),
  ],
  targets: [
    .target(name: "CTideJSON"),
    .target(name: "CTideSystem"),
    .target(
      name: "TideSystem", dependencies: ["CTideJSON", "CTideSlots", "CTideSystem", "TideValues"]),
    // Not by pkg-config, which would link the shared library into release builds as well.
    .systemLibrary(name: "CLua54", providers: [.apt(["liblua5.4-dev"])]),
    .target(name: "CTideSlots"),
    .target(
      name: "CTideLua",
      dependencies: ["CLua54", "CTideSlots"],
      linkerSettings: [
        .linkedLibrary("lua5.4", .when(configuration: .debug)),
        .linkedLibrary(":liblua5.4.a", .when(configuration: .release)),
        .linkedLibrary("m"),
        .linkedLibrary("dl"),
      ]),
    .target(name: "CTideLuaLibrary", dependencies: ["CTideJSON", "CTideLua"]),
    .target(name: "TideValues", dependencies: ["CTideSlots"]),
    .target(name: "TideLua", dependencies: ["CTideLua", "CTideLuaLibrary", "TideValues"]),
    .target(name: "TideGraph", dependencies: ["CTideSlots", "TideValues"]),
    .target(name: "TideBindings", dependencies: ["TideGraph", "TideSystem", "TideValues"]),
    .systemLibrary(
      name: "CPNG", pkgConfig: isStandalone ? nil : "libpng", providers: [.apt(["libpng-dev"])]),
    .target(
      name: "CTideImage", dependencies: ["CPNG"],
      linkerSettings: inside("libpng16.a", "libz.a")),
    .target(name: "TideViews", dependencies: ["CTideImage", "TideBindings", "TideSystem"]),
    // What pkg-config says of it has flags that SwiftPM refuses, with a warning in every dependent.
    .systemLibrary(name: "CTerminfo", providers: [.apt(["libncurses-dev"])]),
    .target(
      name: "CTideTerminal", dependencies: ["CTerminfo"],
      linkerSettings: inside("libtinfo.a", else: [.linkedLibrary("tinfo")])),
    .target(name: "TideTerminal", dependencies: ["CTideTerminal", "TideSystem", "TideViews"]),
    .target(
      name: "TideScript",
      dependencies: [
        "TideLua", "TideBindings", "TideSystem", "TideViews",
        .product(name: "Logging", package: "swift-log", condition: .when(traits: ["Engine"])),
      ]),
    .target(name: "TideCheck", dependencies: ["TideScript", "TideSystem"]),
    .target(
      name: "TideLanguageServer",
      dependencies: [
        "TideBindings", "TideCheck", "TideLua", "TideREPL", "TideScript", "TideSystem",
        "TideValues",
      ]),
    .target(name: "TideReload", dependencies: ["TideScript", "TideSystem"]),
    .target(name: "TideRun", dependencies: ["TideScript", "TideSystem"]),
    .target(name: "CTideInspector", exclude: ["Lua"]),
    .target(name: "TideREPL", dependencies: ["CTideInspector", "TideScript", "TideSystem"]),
    .systemLibrary(name: "CSQLite", providers: [.apt(["libsqlite3-dev"])]),
    .target(
      name: "CTideSQLite", dependencies: ["CSQLite", "CTideSlots"],
      linkerSettings: inside("libsqlite3.a", else: [.linkedLibrary("sqlite3")])),
    .target(
      name: "TideStore",
      dependencies: [
        "CSQLite", "CTideSQLite", "TideBindings", "TideGraph", "TideLua", "TideScript",
        "TideSystem", "TideValues",
      ]),
    .target(name: "CTideWeb", exclude: ["client"]),
    .target(
      name: "TideWeb",
      dependencies: [
        "CTideWeb", "TideBindings", "TideGraph", "TideReload", "TideRun", "TideScript",
        "TideSystem", "TideValues", "TideViews", web("NIOCore"), web("NIOHTTP1"), web("NIOPosix"),
        web("NIOSSL", of: "swift-nio-ssl"), web("NIOWebSocket"),
      ]),
    .target(name: "CTideNats", linkerSettings: [.linkedLibrary("dl")]),
    .target(
      name: "TideShare",
      dependencies: ["CTideNats", "TideBindings", "TideScript", "TideSystem", "TideValues"]),
    .target(name: "CTideTest", exclude: ["Lua"]),
    .target(name: "CTideTemplates", exclude: ["Editors"]),
    .target(
      name: "TideTest",
      dependencies: [
        "CTideTest", "TideCheck", "TideRun", "TideScript", "TideSystem", "TideTerminal",
      ]),
    .target(
      name: "Tidelock",
      dependencies: [
        "TideLua", "TideValues", "TideGraph", "TideBindings", "TideViews", "TideTerminal",
        "TideCheck", "TideScript", "TideReload", "TideREPL", "TideRun", "TideSystem",
      ]),
    .target(name: "TideFoundation", dependencies: ["TideBindings"]),
    .executableTarget(
      name: "TidelockCLI",
      dependencies: [
        "CTideTemplates", "TideBindings", "TideCheck", "TideLanguageServer", "TideLua", "TideREPL",
        "TideReload",
        .target(name: "TideShare", condition: .when(traits: ["Share"])),
        .target(name: "TideStore", condition: .when(traits: ["Store"])),
        .target(name: "TideWeb", condition: .when(traits: ["Web"])),
        "TideRun", "TideScript",
        "TideSystem", "TideTerminal", "TideTest", "TideViews",
        .product(
          name: "ArgumentParser", package: "swift-argument-parser",
          condition: .when(traits: ["Command"])),
        .product(name: "Logging", package: "swift-log", condition: .when(traits: ["Engine"])),
      ],
      exclude: ["Lua.exports", "Standalone.ld"],
      linkerSettings: [
        // Native modules, which specs may load, call the interpreter that is in the program.
        .unsafeFlags(
          ["-Xlinker", "--dynamic-list=\(exportsOfLua)"],
          .when(platforms: [.linux], configuration: .release))
      ]),
    .executableTarget(
      name: "Monitor",
      dependencies: [
        "Tidelock",
        .product(
          name: "ArgumentParser", package: "swift-argument-parser",
          condition: .when(traits: ["Command"])),
      ],
      path: "examples/monitor", exclude: ["app.lua", "monitor.svg", "recorded", "spec"],
      sources: ["Sources"]),
    .target(
      name: "AttackFiles", path: "Tests/AttackFiles",
      exclude: ["Doors", "Harness"]),
    .testTarget(
      name: "TideLuaTests", dependencies: ["AttackFiles", "Fuzzing", "TideLua", "TideValues"],
      exclude: ["Attacks"]),
    .testTarget(name: "TideGraphTests", dependencies: ["Fuzzing", "OwnThread", "TideGraph"]),
    .target(name: "Fuzzing", path: "Tests/Fuzzing"),
    .target(name: "OwnThread", path: "Tests/OwnThread"),
    .target(name: "TestFolders", path: "Tests/TestFolders"),
    .target(
      name: "EditedRecords",
      dependencies: [
        "Fuzzing", "TestFolders", "TideBindings", "TideGraph", "TideReload", "TideScript",
        "TideViews",
      ],
      path: "Tests/EditedRecords", exclude: ["app.lua", "law_spec.lua"]),
    .target(name: "NatsServers", dependencies: ["TestFolders"], path: "Tests/NatsServers"),
    .target(
      name: "EditorClients", dependencies: ["TideLanguageServer", "TideSystem"],
      path: "Tests/EditorClients"),
    .target(name: "WebClients", dependencies: ["TideSystem"], path: "Tests/WebClients"),
    .executableTarget(
      name: "Isolated",
      dependencies: ["Fuzzing", "OwnThread", "TideBindings", "TideLua", "TideRun", "TideScript"],
      path: "Tests/Isolated"),
    .executableTarget(
      name: "MainActorHost", dependencies: ["Tidelock"], path: "Tests/MainActorHost"),
    .target(name: "TaskThreads", dependencies: ["CTideSlots"], path: "Tests/TaskThreads"),
    .target(name: "NativeAttacks", dependencies: ["CTideSystem"], path: "Tests/NativeAttacks"),
    .executableTarget(
      name: "Confined", dependencies: ["CSQLite", "CTideSQLite", "NativeAttacks", "TideSystem"],
      path: "Tests/Confined"),
    .testTarget(
      name: "TideSystemTests",
      dependencies: [
        "CTideSystem", "Confined", "Fuzzing", "OwnThread", "TestFolders", "TideSystem",
        "TideValues",
      ]),
    .testTarget(
      name: "TideBindingsTests", dependencies: ["Fuzzing", "OwnThread", "TideBindings"],
      exclude: ["Corpus"]),
    .testTarget(name: "TideViewsTests", dependencies: ["Fuzzing", "OwnThread", "TideViews"]),
    .target(
      name: "VirtualTerminals", dependencies: ["TideSystem", "TideTerminal", "TideViews"],
      path: "Tests/VirtualTerminals"),
    .testTarget(
      name: "TideTerminalTests",
      dependencies: [
        "EditedRecords", "Fuzzing", "Monitor", "OwnThread", "TideReload", "TideTerminal",
        "TideViews", "Tidelock", "VirtualTerminals",
      ],
      exclude: ["Corpus"]),
    .testTarget(
      name: "TideScriptTests",
      dependencies: [
        "AttackFiles", "EditedRecords", "Fuzzing", "OwnThread", "TideCheck", "TideReload",
        "TideRun", "TideScript", "TideStore",
      ],
      exclude: ["Attacks", "Cases", "Corpus", "Failures", "Worlds"]),
    .testTarget(
      name: "TideWebTests",
      dependencies: [
        "EditedRecords", "Fuzzing", "OwnThread", "TestFolders", "TideBindings", "TideGraph",
        "TideReload", "TideRun", "TideScript", "TideStore", "TideSystem", "TideViews", "TideWeb",
        "WebClients", web("NIOCore"), web("NIOEmbedded"), web("NIOHTTP1"), web("NIOWebSocket"),
      ],
      exclude: ["Corpus"]),
    .testTarget(
      name: "TideShareTests",
      dependencies: [
        "NatsServers", "TestFolders", "TideBindings", "TideScript", "TideShare", "TideSystem",
        "TideValues",
      ]),
    .testTarget(
      name: "TideStoreTests",
      dependencies: [
        "AttackFiles", "CSQLite", "Fuzzing", "OwnThread", "TestFolders", "TideReload",
        "TideScript", "TideStore", "TideSystem",
      ],
      exclude: ["Attacks", "Corpus"]),
    .testTarget(name: "TideRunTests", dependencies: ["Fuzzing", "TideRun"]),
    .testTarget(
      name: "TideCheckTests",
      dependencies: [
        "Fuzzing", "TestFolders", "TideCheck", "TideScript", "TideStore", "TideSystem", "TideTest",
      ],
      exclude: ["PlantedMistakes"]),
    .testTarget(
      name: "TideLanguageServerTests",
      dependencies: [
        "EditorClients", "Fuzzing", "OwnThread", "TestFolders", "TideLanguageServer", "TideSystem",
        "TideTest", "TideValues",
      ]),
    .testTarget(
      name: "TideReloadTests",
      dependencies: [
        "Fuzzing", "Monitor", "TestFolders", "TideLua", "TideReload", "TideStore", "TideViews",
      ],
      exclude: ["Corpus"]),
    .testTarget(
      name: "TideREPLTests",
      dependencies: ["Fuzzing", "OwnThread", "TestFolders", "TideREPL", "TideReload"],
      exclude: ["Corpus"]),
    .testTarget(
      name: "TideTestTests",
      dependencies: ["EditedRecords", "Fuzzing", "TideStore", "TideTest"],
      exclude: ["Assertions", "Attacks", "Golden", "OwnSpecs", "Specs"]),
    .testTarget(
      name: "TidelockCLITests",
      dependencies: [
        "AttackFiles", "Confined", "EditorClients", "Fuzzing", "NatsServers", "OwnThread",
        "TestFolders", "TideLanguageServer", "TideREPL", "TideReload", "TideStore", "TideSystem",
        "TideWeb", "TidelockCLI", "WebClients",
      ],
      exclude: ["Corpus"]),
    .testTarget(
      name: "TidelockTests",
      dependencies: [
        "Isolated", "MainActorHost", "TideBindings", "TideFoundation", "TideViews", "Tidelock",
      ]),
    .testTarget(name: "TideFoundationTests", dependencies: ["TideFoundation", "Tidelock"]),
    .testTarget(
      name: "ExamplesTests",
      dependencies: [
        "Monitor", "TideBindings", "TideTerminal", "TideViews", "Tidelock", "VirtualTerminals",
      ],
      exclude: ["Golden"]),
  ],
  swiftLanguageModes: [.v6]
)

// Only who makes the documentation needs the plugin; nobody else fetches it.
if Context.environment["TIDELOCK_DOCS"] == "1" {
  package.dependencies.append(
    .package(url: "https://github.com/swiftlang/swift-docc-plugin", recorded("1.5.0")))
}

for target in package.targets where [.regular, .executable, .test].contains(target.type) {
  target.swiftSettings = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
  ]
  if target.type == .test { target.dependencies.append("TaskThreads") }
  if target.name == "MainActorHost" {
    target.swiftSettings?.append(.defaultIsolation(MainActor.self))
  }
  if Context.environment["TIDELOCK_STRICT"] == "1" {
    target.swiftSettings?.append(.treatAllWarnings(as: .error))
  }
}
