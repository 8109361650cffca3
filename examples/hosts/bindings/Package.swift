// swift-tools-version: 6.2
import PackageDescription

// Without traits the package brings bindings alone: no Lua, no terminal, no other package.
let package = Package(
  name: "bindings",
  dependencies: [.package(name: "tidelock", path: "../../..", traits: [])],
  targets: [
    .executableTarget(
      name: "Badges", dependencies: [.product(name: "TideBindings", package: "tidelock")],
      path: "Sources")
  ],
  swiftLanguageModes: [.v6]
)
