import FoundationEssentials
import Testing

@testable import TideTest

@Suite struct `Embedded sources` {
  @Test func `every Lua file of the runner is in the program, as it is`() throws {
    let folder =
      URL(filePath: #filePath).deletingLastPathComponent().path
      + "/../../../Sources/CTideTest/Lua/"
    let files = try FileManager.default.subpathsOfDirectory(atPath: folder)
      .filter { $0.hasSuffix(".lua") }
    for file in files {
      var name = file.dropLast(4).replacing("/", with: ".")
      if name.hasSuffix(".init") { name.removeLast(5) }
      if name.hasPrefix("runner.") { name = "tidelock.test." + name.dropFirst(7) }
      let text = try String(contentsOf: URL(filePath: folder + file), encoding: .utf8)
      #expect(EmbeddedSource.all[String(name)]?.text == text, "\(file)")
    }
    #expect(files.count == EmbeddedSource.all.count)
  }
}
