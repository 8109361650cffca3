import Foundation

/// A project of specs, gone with this.
final class SpecFolder {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appending(path: "bench-\(UUID().uuidString)")
    for name in ["spec", "src"] {
      try FileManager.default.createDirectory(
        at: url.appending(path: name), withIntermediateDirectories: true)
    }
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  func write(_ name: String, _ text: String) throws {
    try Data(text.utf8).write(to: url.appending(path: name))
  }
}
