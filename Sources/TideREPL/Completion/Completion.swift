import Foundation

/// What a text could go on with.
public struct Completion: Equatable, Sendable {
  /// Where the word begins that is completed, in characters of the text.
  public let start: Int
  /// The words that fit, in alphabetical order; those that the app has before Lua's own.
  public let words: [String]

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
  /// Completes a word of a text by the names that begin with it, each once.
  init(of word: Substring, in text: String, from names: [String]) {
    var seen: Set<String> = []
    words = names.filter { $0.hasPrefix(word) && seen.insert($0).inserted }
    start = text.distance(from: text.startIndex, to: word.startIndex)
  }

  /// Completes the name of a file.
  init(ofFile word: Substring, in text: String) {
    let folder = word.lastIndex(of: "/").map { String(word[...$0]) } ?? ""
    let names =
      (try? FileManager.default.contentsOfDirectory(atPath: folder.isEmpty ? "." : folder)) ?? []
    self.init(of: word, in: text, from: names.sorted().map { folder + $0 })
  }
}
