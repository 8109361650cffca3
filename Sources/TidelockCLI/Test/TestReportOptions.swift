import ArgumentParser
import TideTest

/// Flags for the report.
struct TestReportOptions: ParsableArguments {
  @Option(
    name: .shortAndLong,
    help: """
      utfTerminal (default on a terminal), plainTerminal (default elsewhere), TAP, json, junit, gtest, \
      or a report written for busted: a file or a module.
      """)
  var output: String?

  @Flag(help: "Print an object a line as tests end, errors too.")
  var json = false

  @Option(help: "When to use colours: auto, always or never.")
  var color = ColorChoice.auto

  @Option(
    name: .customLong("Xoutput", withSingleDash: true), parsing: .unconditionalSingleValue,
    help: "Arguments of the report, split by commas.")
  var outputArguments: [String] = []

  @Option(help: "The language of the report.")
  var lang: String?

  @Flag(name: .shortAndLong, inversion: .prefixedNo, help: "Show the calls that led to an error.")
  var verbose: Bool?
  @Flag(inversion: .prefixedNo, help: "Leave pending tests out of the report.")
  var suppressPending: Bool?
  @Flag(inversion: .prefixedNo, help: "Print nothing before all tests have run.")
  var deferPrint: Bool?
  @Flag(
    name: [.customShort("s"), .long], inversion: .prefixedNo,
    help: "Say aloud at the end how it went.")
  var enableSound: Bool?

  @Flag(
    name: [.customShort("c"), .long], inversion: .prefixedNo,
    help: """
      Show which lines of the scripts under test have run, and write coverage/lcov.info, \
      coverage/report.txt and coverage/index.html.
      """)
  var coverage: Bool?
  @Option(
    help: "Read which files count from this file (default: .luacov).", completion: .file())
  var coverageConfigFile: String?

  @Option(
    help: ArgumentHelp(
      "Exit with 1 where fewer lines have run; measures the coverage.", valueName: "percent"))
  var coverageThreshold: Double?

  @Option(
    help: ArgumentHelp(
      "For each failed test, write what it saw to this folder: its last picture, a cast of it, its acts, its turns and the listed errors.",
      valueName: "folder"), completion: .directory)
  var artifacts: String?

  @Option(help: "Show so many of the slowest tests.")
  var slowest: Int?

  func apply(to options: inout TestOptions) throws {
    if let artifacts { options.artifacts = try ArtifactFolder(artifacts) }
    if let slowest { options.slowest = slowest }
    if let coverageThreshold {
      options.coverageThreshold = coverageThreshold
      options.measuresCoverage = true
    }
    if let output { options.output = output }
    if json { options.writesLines = true }
    if let isColored = color.forRenderer { options.hasColors = isColored }
    if !outputArguments.isEmpty {
      options.outputArguments = outputArguments.flatMap(\.commaParts)
    }
    if let lang { options.language = lang }
    if let verbose { options.isVerbose = verbose }
    if let suppressPending { options.suppressesPending = suppressPending }
    if let deferPrint { options.defersPrint = deferPrint }
    if let enableSound { options.hasSound = enableSound }
    if let coverage { options.measuresCoverage = coverage }
    if let coverageConfigFile { options.coverageConfiguration = coverageConfigFile }
  }
}
