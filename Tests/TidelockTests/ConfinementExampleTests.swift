import Foundation
import Testing
import Tidelock

@Suite struct `The example of confinement` {
  /// Never called: a test that confined itself could do nothing more.
  private func example() {
    var confinement = Confinement()
    confinement.readable = ["/srv/fruit"]
    confinement.writable = ["/var/lib/fruit"]
    do {
      try confinement.apply()
    } catch {
      print(error)  // the process cannot be confined: files: the kernel has no Landlock
    }
  }

  @Test func `compiles as the article has it`() throws {
    let article = try #require(try Article.all.first { $0.name == "Confinement" })
    let source = try String(contentsOf: URL(filePath: #filePath), encoding: .utf8)
    let block = try #require(
      article.text.components(separatedBy: "```swift\n").dropFirst().first?
        .components(separatedBy: "\n```").first)
    let indented = block.split(separator: "\n").map { "    " + $0 }.joined(separator: "\n")
    #expect(source.contains(indented))
  }
}
