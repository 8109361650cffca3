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
  /// The arguments without which an assertion is refused.
  let required: [String: [String]]

  /// All words, each by itself.
  private let words: Set<String>
  /// What an editor lists after `assert.`.
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

  /// A name whose words are known but written together, or apart in the wrong places: `is_nil` for
  /// `isNil`.
  func separated(_ name: String) -> String? {
    let letters = Array(name.lowercased().utf8.filter { $0 != UInt8(ascii: "_") })
    guard letters.count <= 64 else { return nil }
    // Where the last word of the letters up to each offset begins; the longest one wins.
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

  /// The assertion that a path such as `assert.is_not.bound` comes to: the longest one that its last
  /// name ends with, as the runner finds it.
  func assertion(in path: String) -> String? {
    guard path.hasPrefix("assert."), let last = path.split(separator: ".").last.map(String.init)
    else { return nil }
    let words = Self.words(last)
    return words.indices.lazy.map { words[$0...].joined(separator: "_") }
      .first { assertions.contains($0) }
  }
}
