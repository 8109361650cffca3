import FoundationEssentials

/// The possible completions of a text.
///
/// ```swift
/// session.completion(of: "string.form").words   // ["format"]
/// ```
public struct Completion: Equatable, Sendable {
  /// The start of the completed word, as a character offset in the text.
  public let start: Int
  /// The matching words in alphabetical order; the app's names precede those of Lua's library.
  public let words: [String]

  /// Replaces the text from a character offset on with one of the words.
  public init(start: Int, words: [String]) {
    self.start = start
    self.words = words
  }

  /// The longest common prefix of all words.
  public var common: String {
    guard var common = words.first?[...] else { return "" }
    for word in words.dropFirst() {
      let shared = zip(common, word).prefix { $0 == $1 }.count
      common = common.prefix(shared)
    }
    return String(common)
  }
}

extension Completion {
  /// Completes a word with the names that begin with it. Groups keep their order, and duplicates
  /// are removed.
  ///
  /// There may be tens of thousands of names: only the matching ones are sorted and compared.
  init(of word: Substring, in text: String, from groups: [String]...) {
    let word = (start: word.startIndex, text: String(word))
    var words: [String] = []
    for group in groups {
      let fitting = group.filter { $0.hasPrefix(word.text) }.sorted()
      let former = fitting.count < 32 ? [] : Set(words)
      let count = words.count
      for name in fitting where words.last != name {
        let isKnown =
          fitting.count < 32 ? words[..<count].contains(name) : former.contains(name)
        if !isKnown { words.append(name) }
      }
    }
    self.words = words
    start = text.distance(from: text.startIndex, to: word.start)
  }

  /// Completes a file name.
  init(ofFile word: Substring, in text: String) {
    let folder = word.lastIndex(of: "/").map { String(word[...$0]) } ?? ""
    let names =
      (try? FileManager.default.contentsOfDirectory(atPath: folder.isEmpty ? "." : folder)) ?? []
    self.init(of: word, in: text, from: names.map { folder + $0 })
  }
}
