// swift-tools-version: 6.2
import PackageDescription

// Without traits the package brings the interpreter's host and resolves no other package.
let package = Package(
  name: "pricing",
  dependencies: [.package(name: "tidelock", path: "../../..", traits: [])],
  targets: [
    .executableTarget(
      name: "Pricing", dependencies: [.product(name: "TideLua", package: "tidelock")],
      path: "Sources")
  ],
  swiftLanguageModes: [.v6]
)
