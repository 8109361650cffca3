import Foundation

/// Where the monitor's recorded samples are.
enum Recordings {
  static let path = folder.appending(path: "recorded").path
  static let app = folder.appending(path: "app.lua")

  private static let folder = Examples.folder.appending(path: "monitor")
}
