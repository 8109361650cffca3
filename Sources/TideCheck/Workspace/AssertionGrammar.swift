/// The grammar of members of `assert` in specs.
///
/// ```lua
/// assert.is_not.same(a, b)      -- two modifiers and an assertion; `_` and `.` separate words
/// ```
package struct AssertionGrammar: Sendable {
  /// What is asserted: `same`, `error_matches`.
  package let assertions: [String]
  package let modifiers: [String]
  /// Further functions of `assert`, such as `register`.
  package let functions: [String]
  /// The members that may follow the call of an assertion: `assert.property(o, "name").is("fig")`.
  package let continuations: [String: [String]]
  /// The required arguments of assertions.
  let required: [String: [String]]

  /// All words, separately.
  private let words: Set<String>
  /// The members that an editor lists after `assert.`.
  package let candidates: Set<String>

  package init(
    assertions: [String], modifiers: [String], functions: [String],
    continuations: [String: [String]], required: [String: [String]] = [:]
  ) {
    self.assertions = assertions
    self.modifiers = modifiers
    self.functions = functions
    self.continuations = continuations
    self.required = required
    words = Set((assertions + modifiers).flatMap(Self.words))
    candidates = Set(assertions + modifiers + functions)
  }

  /// The words of a member's name, in lower case.
  private static func words(_ name: String) -> [String] {
    name.lowercased().split(separator: "_").map(String.init)
  }

  /// The first word of a member's name that the grammar does not know.
  func unknownWord(in name: String) -> String? {
    candidates.contains(name) ? nil : Self.words(name).first { !words.contains($0) }
  }

  /// The words with which a mistyped one is compared.
  var knownWords: [String] { words.sorted() }

  /// The correct name if only the separation of its known words is wrong: `is_nil` for `isNil`.
  func separated(_ name: String) -> String? {
    let letters = Array(name.lowercased().utf8.filter { $0 != UInt8(ascii: "_") })
    guard letters.count <= 64 else { return nil }
    // The start of the last word before each offset. The longest word takes precedence.
    var starts: [Int?] = [0] + letters.map { _ in nil }
    for end in 1..<starts.count {
      starts[end] = (0..<end).first { start in
        let word = String(decoding: letters[start..<end], as: UTF8.self)
        return starts[start] != nil && words.contains(word)
      }
    }
    var found: [String] = []
    var end = letters.count
    while end > 0 {
      guard let start = starts[end] else { return nil }
      found.insert(String(decoding: letters[start..<end], as: UTF8.self), at: 0)
      end = start
    }
    return found.isEmpty ? nil : found.joined(separator: "_")
  }

  /// The assertion of a path such as `assert.is_not.bound`: the longest one with which its last
  /// name ends, as in the test runner.
  func assertion(in path: String) -> String? {
    guard path.hasPrefix("assert."), let last = path.split(separator: ".").last.map(String.init)
    else { return nil }
    let words = Self.words(last)
    return words.indices.lazy.map { words[$0...].joined(separator: "_") }
      .first { assertions.contains($0) }
  }
}
