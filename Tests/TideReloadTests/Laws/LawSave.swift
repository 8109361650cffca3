import Fuzzing

/// What somebody saves in the middle of things. All of it leaves the app's meaning as it was: in
/// the end, at least.
struct LawSave: CustomStringConvertible {
  private let kind: Int
  private let choice: Int

  private static let kinds = [
    "comment", "comment", "moved", "renamed", "label", "broken", "broken, then old",
  ]

  init(_ source: inout ByteSource) {
    kind = source.number(below: Self.kinds.count)
    choice = source.number(below: 256)
  }

  var description: String { "\(Self.kinds[kind]) \(choice)" }

  /// Whether what is saved last is refused.
  var isBroken: Bool { Self.kinds[kind] == "broken" }

  /// Whether one of the texts is to be refused.
  func isRefused(at index: Int) -> Bool {
    isBroken || Self.kinds[kind] == "broken, then old" && index == 0
  }

  /// The texts to be saved one after the other.
  func texts(of script: String) -> [String] {
    switch Self.kinds[kind] {
    case "moved": [moved(script)]
    case "renamed": [renamed(script)]
    case "label": [relabelled(script), script + "\n"]
    case "broken": [broken(script)]
    case "broken, then old": [broken(script), script]
    default: [commented(script)]
    }
  }

  private func commented(_ script: String) -> String {
    choice % 2 == 0 ? "-- \(choice)\n" + script : script + "\n-- \(choice)\n"
  }

  /// All lines move down, by one number here and by another there.
  private func moved(_ script: String) -> String {
    var lines = script.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let starts = lines.indices.filter {
      lines[$0].hasPrefix("local ") || lines[$0].hasPrefix("show")
    }
    if let start = starts.isEmpty ? nil : starts[choice % starts.count] {
      lines.insert(contentsOf: Array(repeating: "", count: 1 + choice % 5), at: start)
    }
    return String(repeating: "\n", count: choice % 7) + lines.joined(separator: "\n")
  }

  /// A local variable has another name everywhere.
  private func renamed(_ script: String) -> String {
    let words = ScriptWords(script)
    let names = words.locals
    if names.isEmpty { return commented(script) }
    return words.renaming(names[choice % names.count])
  }

  /// A text that shows is another one.
  private func relabelled(_ script: String) -> String {
    let all = script.matches(
      of: /view\.(?:button|window|dialog|toggle|box) \{[^\n]*?title = "([A-Za-z][^"\\]*)"/)
    if all.isEmpty { return commented(script) }
    var script = script
    let range = all[choice % all.count].output.1
    script.replaceSubrange(range.startIndex..<range.endIndex, with: "another")
    return script
  }

  /// What makes a version no good: each after it has done all that a version does.
  private static let faults = [
    "local x = (", "error('halt')", "effect(function() error('in an effect') end)",
    "bind('nobody.n -> nothing.text')", "model('spoilt') { a = 1 }.b = 2",
    "require 'missing'", "view.label { txt = 'no' }",
    "hot.data.spoilt = 1 global_spoilt = 2 view.placeholders('label', { text = { null = 'spoilt' } })"
      + " transformer('spoilt', function(v) return v end) error 'late'",
  ]

  private func broken(_ script: String) -> String {
    let fault = Self.faults[choice % Self.faults.count]
    if fault.hasPrefix("local x") { return script + "\n" + fault }
    var lines = script.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let last = lines.lastIndex { $0.hasPrefix("return ") || $0 == "return" }
    lines.insert("do \(spoiling(script)) \(fault) end", at: last ?? lines.count)
    return lines.joined(separator: "\n")
  }

  /// Writes to all models, which has to be taken back.
  private func spoiling(_ script: String) -> String {
    if choice < 128 { return "" }
    let all = script.matches(of: /model\s*"(\w+)"\s*\{\s*(\w+)\s*=/)
    return all.map { match in
      "pcall(function() models.\(match.output.1).\(match.output.2) = 'spoilt' end) "
        + "pcall(function() models.\(match.output.1).\(match.output.2) = 77 end)"
    }.joined(separator: " ")
  }
}
