import Foundation

/// Where the examples and their expected pictures are.
enum Examples {
  static let folder = package.appending(path: "examples")
  static let golden = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Golden")

  private static let package = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
}
