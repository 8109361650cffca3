import Tidelock

/// A service that keeps a thousand documents on a few actors, and answers many callers at once.
@main struct Documents {
  static let numbers = 1...1000

  static func main() async throws {
    let script = CommandLine.arguments.dropFirst().first ?? "document.lua"
    let shelves = (0..<4).map { _ in Shelf(script: script) }

    func edit(_ number: Int, _ text: String) async -> Result<Shelf.Summary, any Error> {
      do { return .success(try await shelves[number % shelves.count].edit(number, text)) } catch {
        return .failure(error)
      }
    }

    let words = await withTaskGroup(of: Int.self) { group in
      for number in numbers {
        group.addTask {
          let text = "# Number \(number)\n" + String(repeating: "word ", count: number % 7)
          guard case .success(let summary) = await edit(number, text) else { return 0 }
          return summary.title == "Number \(number)" ? summary.words : 0
        }
      }
      var words = 0
      for await some in group { words += some }
      return words
    }
    var count = 0
    for shelf in shelves { count += await shelf.count }
    print("\(count) documents with \(words) words")

    // One script is kept busy for ever; it is stopped, and every other document answers meanwhile.
    async let endless = edit(13, "loop")
    async let other = edit(14, "# Fourteen\nstill here")
    if case .success(let summary) = await other {
      print("\(summary.title): \(summary.words) words")
    }
    if case .failure(let error as TideError) = await endless { print("document 13: \(error.code)") }
    if case .success(let summary) = await edit(13, "# Thirteen") { print("then: \(summary.title)") }
  }
}
