import FoundationEssentials

/// What a text could go on with.
///
/// ```swift
/// session.completion(of: "string.form").words   // ["format"]
/// ```
public struct Completion: Equatable, Sendable {
  /// Where the word begins that is completed, in characters of the text.
  public let start: Int
  /// The words that fit, in alphabetical order; those that the app has before Lua's own.
  public let words: [String]

  /// Replaces the text from a character on by words.
  public init(start: Int, words: [String]) {
    self.start = start
    self.words = words
  }

  /// What all words begin with: as much as may be typed without choosing.
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
  /// Completes a word of a text by the names that begin with it, each once, group after group.
  ///
  /// There may be ten thousands of names: only those that fit are sorted and compared.
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

  /// Completes the name of a file.
  init(ofFile word: Substring, in text: String) {
    let folder = word.lastIndex(of: "/").map { String(word[...$0]) } ?? ""
    let names =
      (try? FileManager.default.contentsOfDirectory(atPath: folder.isEmpty ? "." : folder)) ?? []
    self.init(of: word, in: text, from: names.map { folder + $0 })
  }
}
