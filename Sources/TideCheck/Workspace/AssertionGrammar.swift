/// The words that may follow `assert` in a spec.
///
/// ```lua
/// assert.is_not.same(a, b)      -- two modifiers and an assertion; `_` and `.` separate words
/// ```
package struct AssertionGrammar: Sendable {
  /// What is asserted: `same`, `error_matches`.
  package let assertions: [String]
  package let modifiers: [String]
  /// The functions that `assert` has besides, such as `register`.
  package let functions: [String]
  /// What may follow an assertion that is called for more: `assert.property(o, "name").is("fig")`.
  package let continuations: [String: [String]]

  /// All words, each by itself.
  private let words: Set<String>
  /// What an editor lists after `assert.`.
  package let candidates: Set<String>

  package init(
    assertions: [String], modifiers: [String], functions: [String],
    continuations: [String: [String]]
  ) {
    self.assertions = assertions
    self.modifiers = modifiers
    self.functions = functions
    self.continuations = continuations
    words = Set((assertions + modifiers).flatMap(Self.words))
    candidates = Set(assertions + modifiers + functions)
  }

  /// The words of a member's name, which are compared without case.
  private static func words(_ name: String) -> [String] {
    name.lowercased().split(separator: "_").map(String.init)
  }

  /// The first word of a member's name that the grammar does not know.
  func unknownWord(in name: String) -> String? {
    candidates.contains(name) ? nil : Self.words(name).first { !words.contains($0) }
  }

  /// The words to compare a mistyped one with.
  var knownWords: [String] { words.sorted() }

  /// The assertion that a path such as `assert.is_not.bound` comes to.
  func assertion(in path: String) -> String? {
    guard path.hasPrefix("assert."), let last = path.split(separator: ".").last.map(String.init)
    else { return nil }
    return Self.words(last).last.flatMap { assertions.contains($0) ? $0 : nil }
  }
}
