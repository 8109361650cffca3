// swift-tools-version: 6.2
import PackageDescription

// Programs that embed Tidelock, each the example of an article. They are one package so that the
// library is built once for all of them; what uses the interpreter alone is in pricing, and what uses
// bindings alone in bindings.
let tidelock: Target.Dependency = .product(name: "Tidelock", package: "tidelock")

let package = Package(
  name: "hosts",
  dependencies: [.package(name: "tidelock", path: "../..")],
  targets: [
    .executableTarget(name: "Thermostat", dependencies: [tidelock], path: "thermostat/Sources"),
    .executableTarget(name: "Documents", dependencies: [tidelock], path: "documents/Sources"),
    .executableTarget(name: "Kitchen", dependencies: [tidelock], path: "kitchen/Sources"),
    .executableTarget(name: "Game", dependencies: [tidelock], path: "game/Sources"),
    .executableTarget(name: "Server", dependencies: [tidelock], path: "server/Sources"),
    .target(name: "Ledger", dependencies: [tidelock], path: "ledger/Sources"),
    .testTarget(
      name: "LedgerTests",
      dependencies: ["Ledger", .product(name: "TideTest", package: "tidelock")],
      path: "ledger/Tests"),
  ],
  swiftLanguageModes: [.v6]
)
