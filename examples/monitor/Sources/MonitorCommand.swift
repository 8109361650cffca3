import ArgumentParser
import FoundationEssentials
import Glibc
import TideViews
import Tidelock

@main
struct MonitorCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "monitor",
    abstract: "Shows this machine's figures, live, through bindings written in Lua.",
    discussion: """
      Save examples/monitor/app.lua while it runs, and see. Not on a terminal it prints one picture.

      Example: monitor --recorded examples/monitor/recorded --snapshot --size 120x40
      """)

  @Option(help: "Another script than the example's own.")
  var app: String?

  @Option(help: "Shows the samples in this folder instead of this machine.")
  var recorded: String?

  @Option(help: "Seconds from sample to sample.")
  var interval = 1.0

  @Flag(help: "Prints the dashboard once, as text.")
  var snapshot = false

  @Option(
    name: .customLong("snapshot-svg"),
    help: ArgumentHelp("Writes the dashboard once, as an SVG picture.", valueName: "file"))
  var pictureFile: String?

  @Option(help: "The picture's columns and rows.", transform: Self.size)
  var size = Size(width: 80, height: 24)

  @Option(help: "Keys to press before the picture is taken, as in \"m / s w i f t\".")
  var keys = ""

  func validate() throws {
    guard interval >= 0.05 else { throw ValidationError("--interval takes 0.05 and more") }
  }

  @MainActor
  mutating func run() async throws {
    let source: any MachineSource = try recorded.map { try .recorded(in: $0) } ?? .live
    let dashboard = try Dashboard(app: app.map { URL(filePath: $0) } ?? Self.ownApp, source: source)
    // In the terminal this goes to the log, which F12 shows.
    dashboard.runtime.onError = { Self.report("\($0)\n") }
    try dashboard.runtime.load()
    if let pictureFile {
      dashboard.stepToEnd()
      let picture = try dashboard.picture(size: size, keys: keys)
      try Data(picture.utf8).write(to: URL(filePath: pictureFile))
      return
    }
    if snapshot || isatty(STDOUT_FILENO) == 0 || isatty(STDIN_FILENO) == 0 {
      dashboard.stepToEnd()
      try dashboard.runtime.scene?.send(keys: keys)
      print(dashboard.snapshot(size: size))
      return
    }
    dashboard.step(every: interval)
    throw ExitCode(try await dashboard.run(in: TerminalRenderer()))
  }

  private static func report(_ text: String) {
    _ = write(STDERR_FILENO, text, text.utf8.count)
  }

  /// Where the script was when the program was built.
  private static let ownApp = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "app.lua")

  private static func size(_ text: String) throws -> Size {
    let sides = text.split(separator: "x").compactMap { Int($0) }
    guard sides.count == 2, sides.allSatisfy({ 1...10_000 ~= $0 }) else {
      throw ValidationError("\"\(text)\" is not a size; write, for example, 80x24")
    }
    return Size(width: sides[0], height: sides[1])
  }
}
