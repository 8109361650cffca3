import FoundationEssentials
import TideBindings
import TideGraph
import TideScript
import TideStore
import Testing

/// The examples in Lua of every article, as they stand there.
///
/// Each is an app of its own, named `app.lua`, that has nothing but what every script has, and
/// `fetch` as a host might give it. Time is virtual, and stubs stand in for a server, files and
/// programs. What stands in a block without a language right after an example is what the example
/// prints. An example whose errors stay listed asks for them with `errors()`.
@Suite struct `Examples in Lua of the articles` {
  struct Example: CustomTestStringConvertible, Sendable {
    let article: String
    let line: Int
    let source: String
    let output: [String]?
    var testDescription: String { "\(article):\(line)" }
  }

  private static let sources = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Sources")

  static let examples: [Example] = {
    // Those on testing are specs, which the runner's own tests run.
    contents(of: "").filter { $0 != "TideTest" }.flatMap { target in
      contents(of: target).filter { $0.hasSuffix(".docc") }.flatMap { catalog in
        contents(of: "\(target)/\(catalog)").filter { $0.hasSuffix(".md") }
          .flatMap { examples(of: "\(target)/\(catalog)/\($0)") }
      }
    }
  }()

  private static func contents(of folder: String) -> [String] {
    let found = try? FileManager.default.contentsOfDirectory(
      atPath: sources.appending(path: folder).path)
    return (found ?? []).sorted()
  }

  private static func examples(of path: String) -> [Example] {
    let text = (try? String(contentsOf: sources.appending(path: path), encoding: .utf8)) ?? ""
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let name = path.split(separator: "/").last.map(String.init) ?? path
    /// The lines up to the end of a block, and where it is.
    func block(from start: Int) -> (lines: [String], end: Int) {
      let end = lines[start...].firstIndex(of: "```") ?? lines.count
      return (Array(lines[start..<end]), end)
    }
    return lines.indices.filter { lines[$0] == "```lua" }.map { fence in
      let (source, end) = block(from: fence + 1)
      let shows = end + 2 < lines.count && lines[end + 1].isEmpty && lines[end + 2] == "```"
      return Example(
        article: name, line: fence + 2, source: source.joined(separator: "\n"),
        output: shows ? block(from: end + 3).lines : nil)
    }
  }

  @Test func `there are examples`() {
    #expect(Self.examples.count >= 75)
    #expect(Set(Self.examples.map(\.article)).count >= 10)
  }

  @Test(arguments: examples)
  func `run, and say what is so`(_ example: Example) throws {
    #expect(example.source.contains("assert(") || example.output != nil)
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "tidelock-articles-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "app.lua")
    try Data("\(example.source)\nfinished = true\n".utf8).write(to: file)

    // A busy machine may take its time.
    var configuration = Runtime.Configuration(turn: .seconds(60))
    configuration.clock = VirtualClock()
    configuration.takesStubs = true
    configuration.addStores()
    let printed = Guarded<[String]>([])
    configuration.print = { text in
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        .map { String($0).replacing("\(folder.path)/", with: "") }
      printed.withLock { $0 += lines }
    }
    let runtime = try Runtime(file: file.path, configuration: configuration)
    try runtime.evaluate(Self.host, as: Value.self)
    try runtime.load()
    var turns = 0
    while try runtime.evaluate("finished", as: Value.self) != true, runtime.loop.hasWork,
      turns < 10_000
    {
      runtime.turn()
      turns += 1
    }
    #expect(try runtime.evaluate("finished", as: Value.self) == true, "it does not come to its end")
    // Nobody is there to answer, as in an app without a display.
    while runtime.dismissQuestions() { runtime.turn() }
    if !example.source.contains("errors()") {
      for error in runtime.errors { Issue.record(error) }
    }
    if let output = example.output { #expect(printed.withLock { $0 } == output) }
  }

  private static let host = """
    function fetch(address)
      sleep(0.5)
      return "page of " .. address
    end
    http.stub {
      ["http://localhost:8080/*"] = function(request)
        return {
          delay = 0.2,
          json = { city = request.url:match("[^/]*$"), temperature = 21.5, wind = { speed = 3 } },
        }
      end,
      ["http://localhost:8080/down"] = { error = "the server refuses connections" },
      ["http://localhost:8080/events"] = {
        headers = { ["content-type"] = "text/event-stream" }, body = "data: started\\n\\n",
      },
    }
    file.stub { ["notes.txt"] = "milk\\neggs\\n", ["app.log"] = "one\\ntwo\\n" }
    process.stub {
      ["git status --short"] = " M app.lua\\n", ["journalctl -f"] = "a\\nb\\n",
      cat = function(_, input) return input end,
    }
    stdin.stub { "first", "second" }
    """
}
