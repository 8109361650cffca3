import ArgumentParser
import TideTest

/// Flags that select files and tests.
struct TestChoiceOptions: ParsableArguments {
  @Option(
    name: .shortAndLong, parsing: .unconditionalSingleValue,
    help: "Run files whose names match this Lua pattern (default: _spec).")
  var pattern: [String] = []

  @Option(
    parsing: .unconditionalSingleValue, help: "Do not run files whose names match this Lua pattern."
  )
  var excludePattern: [String] = []

  @Option(name: .shortAndLong, help: "Run tests with these #tags only, split by commas.")
  var tags: [String] = []

  @Option(help: "Do not run tests with these #tags.")
  var excludeTags: [String] = []

  @Option(
    parsing: .unconditionalSingleValue, help: "Run tests whose names match this Lua pattern only.")
  var filter: [String] = []

  @Option(
    parsing: .unconditionalSingleValue, help: "Do not run tests whose names match this Lua pattern."
  )
  var filterOut: [String] = []

  @Flag(
    name: [.customShort("R"), .long], inversion: .prefixedNo,
    help: "Look into folders below (default).")
  var recursive: Bool?

  @Flag(help: "Run the tests alone that failed when these specs last ran; all where none did.")
  var failed = false

  @Flag(inversion: .prefixedNo, help: "Run the tests first that failed when these specs last ran.")
  var failedFirst: Bool?

  @Flag(name: .shortAndLong, help: "Print the names of the tests instead of running them.")
  var list = false

  func apply(to options: inout TestOptions) {
    if !pattern.isEmpty { options.patterns = pattern }
    if !excludePattern.isEmpty { options.excludedPatterns = excludePattern }
    if !tags.isEmpty { options.tags = tags.flatMap(\.commaParts) }
    if !excludeTags.isEmpty { options.excludedTags = excludeTags.flatMap(\.commaParts) }
    if !filter.isEmpty { options.filters = filter }
    if !filterOut.isEmpty { options.excludedFilters = filterOut }
    if let recursive { options.isRecursive = recursive }
    if failed { options.runsOnlyFailed = true }
    if let failedFirst { options.runsFailedFirst = failedFirst }
    if list { options.listsOnly = true }
  }
}
