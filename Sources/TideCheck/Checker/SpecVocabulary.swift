/// What a test runner adds to the names that its specs find.
///
/// ```swift
/// import TideTest
///
/// let check = try ScriptCheck(specs: .tidelock)
/// ```
///
/// Without a vocabulary a check takes every global of a spec for one of the runner's.
public struct SpecVocabulary: Sendable {
  /// The runner's own words, such as `describe`.
  public let words: [String]
  /// What specs may name beside these: the whole of Lua's library, and what older specs ask for.
  package let libraryWords: [String]
  /// The words' types, for editors.
  package let definitions: String

  /// - Parameter definitions: as lua-language-server reads them.
  package init(words: [String], libraryWords: [String], definitions: String) {
    self.words = words
    self.libraryWords = libraryWords
    self.definitions = definitions
  }
}
