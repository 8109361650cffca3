import Foundation
import Testing
import TideBindings
import TideScript
import TideViews

@Suite struct `A script's image` {
  @Test func `is read from below the app's folder alone`() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    let app = folder.appending(path: "app")
    try FileManager.default.createDirectory(at: app, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try Data("secret".utf8).write(to: folder.appending(path: "outside.png"))
    try Data("no png".utf8).write(to: app.appending(path: "inside.png"))
    try FileManager.default.createSymbolicLink(
      at: app.appending(path: "link.png"), withDestinationURL: folder.appending(path: "outside.png")
    )
    let runtime = try Runtime(file: app.appending(path: "app.lua").path)
    func message(_ source: String) throws -> String {
      try runtime.evaluate("i = view.image {} show(i) i.source = '\(source)'", as: Value.self)
      try #require(runtime.scene).commit()
      return try runtime.evaluate("i.error", as: String?.self) ?? ""
    }
    #expect(try message("inside.png").contains("cannot be read"))
    #expect(try message("../outside.png").contains("not below the app's folder"))
    #expect(try message("link.png").contains("not below the app's folder"))
    #expect(try message("/etc/hostname").contains("not below the app's folder"))
    #expect(try message("missing.png").contains("cannot open missing.png"))
    #expect(try message(".").contains("folder"))
  }
}
