import Foundation
import TideViews
import Tidelock

/// Where the examples and their expected pictures are, and how those that are scripts alone are shown.
enum Examples {
  static let folder = package.appending(path: "examples")
  static let golden = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Golden")
  static let readme = package.appending(path: "README.md")

  /// The ones that need no program of their own.
  static let scripts = ["converter", "feed", "fruit", "people", "todo"]

  /// One of them, with something to look at.
  static func shown(
    _ name: String, size: Size = Size(width: 80, height: 24)
  ) throws -> RunningExample {
    let app = try RunningExample(name, size: size)
    // The first page of the feed has come by then.
    try app.advance(by: 1)
    return app
  }

  private static let package = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
}
