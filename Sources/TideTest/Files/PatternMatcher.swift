import TideLua

/// Matches texts with the Lua patterns of a command line or a project.
///
/// A pattern that is invalid, or takes too long to match, counts as broken and matches nothing from
/// then on. So do all patterns once matching has taken too long in total.
final class PatternMatcher {
  private let lua: LuaState
  private let find: LuaFunction
  private var broken: Set<String> = []
  private var seconds = 0.0
  /// What is wrong with broken patterns, in the order in which that was found.
  private(set) var problems: [String] = []

  /// In seconds, for all matches together.
  static let longestTotal = 10.0

  init() throws {
    var configuration = LuaConfiguration()
    configuration.turn = .seconds(1)
    lua = try LuaState(configuration)
    find = try lua.load("local find = string.find return find(...) ~= nil", name: "=find")
  }

  /// Whether the pattern is found in the text.
  func matches(_ text: String, _ pattern: String) -> Bool {
    if broken.contains(pattern) { return false }
    let start = Seconds.monotonic
    defer { seconds += Seconds.monotonic - start }
    do {
      guard seconds < Self.longestTotal else {
        throw LuaError(.time, "matching has taken more than \(Int(Self.longestTotal)) seconds")
      }
      return try find.call([.string(text), .string(pattern)]).first?.boolean == true
    } catch {
      broken.insert(pattern)
      let error = error as? LuaError ?? LuaError(.runtime, "\(error)")
      let what = error.kind == .time ? "takes too long to match" : "is not a Lua pattern"
      problems.append("\"\(pattern.prefix(200))\" \(what): \(error.message)")
      return false
    }
  }
}
