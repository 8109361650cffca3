import TideLua

/// Matches strings with Lua patterns from the command line or a project's configuration.
///
/// A pattern that is invalid or takes too long to match is marked broken and never matches again.
/// If all matching together exceeds its time limit, every pattern is marked broken.
final class PatternMatcher {
  private let lua: LuaState
  private let find: LuaFunction
  private var broken: Set<String> = []
  private var seconds = 0.0
  /// Error messages for broken patterns, in order of occurrence.
  private(set) var problems: [String] = []

  /// The time limit for all matching, in seconds.
  static let longestTotal = 10.0

  init() throws {
    var configuration = LuaConfiguration()
    configuration.turn = .seconds(1)
    lua = try LuaState(configuration)
    find = try lua.load("local find = string.find return find(...) ~= nil", name: "=find")
  }

  /// Whether a pattern occurs in a string.
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
