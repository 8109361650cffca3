package import TideBindings
import TideScript

/// Answers an editor's requests about one script of a workspace.
///
/// ```swift
/// let analysis = snapshot.analysis(of: "app.lua")
/// analysis?.completions(at: 42).candidates.map(\.name)
/// ```
///
/// Offsets count bytes of the script's text. The answers refer to the texts at the time of the
/// snapshot, which must be retained for as long.
package final class ScriptAnalysis {
  /// A part of a script.
  package struct Location: Hashable {
    package let file: String
    package let range: Range<Int>

    package init(file: String, range: Range<Int>) {
      self.file = file
      self.range = range
    }
  }

  let script: Script
  let app: AppIndex
  let names: KnownNames
  private let check: ScriptCheck
  /// The analyses of the app's other scripts.
  private let others: (Script) -> ScriptAnalysis
  /// Whether the request was cancelled, so that the answer may be incomplete.
  let isCancelled: () -> Bool
  private(set) lazy var mentions = check.checker(script, of: app).findMentions()
  private(set) lazy var tokens = SourceTokens(script.source.bytes)
  private(set) lazy var describer = Describer(app, names)
  private lazy var resolver = SymbolResolver(app: app, names: names)

  init(
    _ script: Script, of app: AppIndex, _ check: ScriptCheck,
    isCancelled: @escaping () -> Bool, others: @escaping (Script) -> ScriptAnalysis
  ) {
    self.isCancelled = isCancelled
    self.script = script
    self.app = app
    self.check = check
    self.others = others
    names = check.names(for: script)
  }

  package var path: String { script.source.path }
  package var bytes: [UInt8] { script.source.bytes }

  /// The offset of a message's location, whose columns count bytes from 1.
  package func offset(of location: SourceLocation) -> Int {
    script.source.lines.offset(line: location.line, column: location.column ?? 1)
  }

  // MARK: Mentions

  /// The name at an offset, or the one that ends there.
  func mention(at offset: Int) -> Mention? {
    var found: Mention?
    for mention in mentions where mention.range.lowerBound <= offset {
      if mention.range.contains(offset) { return mention }
      if mention.range.upperBound == offset { found = mention }
    }
    return found
  }

  func symbol(at offset: Int) -> (symbol: Symbol, mention: Mention)? {
    guard let mention = mention(at: offset), !mention.range.isEmpty,
      let symbol = symbol(of: mention)
    else { return nil }
    return (symbol, mention)
  }

  func symbol(of mention: Mention) -> Symbol? { resolver.symbol(of: mention) }

  /// The mentions that a checker finds while somebody types at a caret.
  func mentions(completingAt caret: Int) -> [Mention] {
    check.checker(script, of: app).findMentions(completingAt: caret)
  }

  /// The analyses of the scripts of the app that contain a word, this one first.
  func analyses(containing word: String) -> [ScriptAnalysis] {
    [self]
      + app.scripts.filter { other in
        other !== script && !isCancelled() && other.source.bytes.contains(word: word)
      }.map(others)
  }

  /// The analysis of another script of the app.
  func analysis(of other: Script) -> ScriptAnalysis { other === script ? self : others(other) }
}
