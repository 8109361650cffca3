import TideBindings
import TideScript
import TideSystem
import TideViews

// Names in specs that drive an app: views, keys, sizes and the app's file.
extension ScriptChecker {
  /// `ui.tap("save")`
  func check(viewID text: LuaToken) {
    mention(text, .ids)
    // Views are found by their titles as well.
    guard app.ids[text.text] == nil, !app.mayBe(text.text, app.unknownIDs),
      !app.shownTexts.contains(text.text)
    else { return }
    // The ids of views that an unread module creates are unknown.
    let hint = hint(for: text.text, in: idNames)
    if hint.isEmpty { return }
    report(.unknownView, "no view has the id \"\(text.text)\"\(hint)", at: offset(0, in: text))
  }

  /// `ui.press("Ctrl-S Tab")`
  func check(keys text: LuaToken) {
    guard let start = text.contentStart else { return }
    mention(words: text, .keys)
    for word in text.text.split(separator: " ") {
      do throws(TideError) { _ = try Key(String(word)) } catch {
        let offset = text.text.utf8.distance(from: text.text.startIndex, to: word.startIndex)
        report(error.code, error.message, at: start + offset)
      }
    }
  }

  private static let modifiers = ["Alt", "Ctrl", "Shift"]

  /// `ui.tap("save", "Ctrl-Shift")`
  func check(heldKeys text: LuaToken, _ function: String) {
    let words = text.text.split(separator: "-", omittingEmptySubsequences: false).map(String.init)
    guard let unknown = words.first(where: { !Self.modifiers.contains($0) }) else { return }
    report(
      .badArgument,
      "\(function) takes the keys that are held, as \"Shift\", \"Ctrl\" or \"Ctrl-Shift\", not "
        + "\"\(text.text)\"" + hint(for: unknown, in: Self.modifiers), at: offset(0, in: text))
  }

  /// `ui.mount("app.lua", "80x24")`
  func check(size text: LuaToken) {
    if Size(screen: text.text) != nil { return }
    report(
      .badArgument, "a size is columns x rows, as \"80x24\", not \"\(text.text)\"",
      at: offset(0, in: text))
  }

  /// `ui.mount "app.lua"`
  ///
  /// A spec may write the file that it shows. So only a name that is nearly that of an existing
  /// file is reported.
  func check(appFile text: LuaToken) {
    let name = text.text
    let parts = name.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard !name.hasPrefix("/"), index.finder.app(name, shownBy: script.source.path) == nil,
      !namedFiles.contains(parts.last ?? name)
    else { return }
    for home in ScriptFiles.homes(of: script.source.path) {
      let folder = parts.dropLast().reduce(home) { SystemPath.joined($0, $1) }
      if isUnsaved(SystemPath.joined(home, name)) { return }
      let files = index.finder.scripts(in: folder).filter { !index.finder.isSpec($0) }
        .map { $0.split(separator: "/").last ?? "" }
      let known = files.map { (parts.dropLast() + [String($0)]).joined(separator: "/") }
      hintBudget -= known.count
      if hintBudget < 0 { return }
      let whole = name + ".lua"
      let hint =
        known.contains(whole)
        ? NearestName.advice(whole)
        : hint(for: name, in: known.filter { NearestName.isSlip(name, for: $0) })
      if hint.isEmpty { continue }
      return report(.scriptFile, "there is no file \(name)\(hint)", at: offset(0, in: text))
    }
  }

  /// The names that stand in other texts than those of calls of `ui`. A spec may write such files.
  func findNamedFiles() -> Set<String> {
    var shown: Set<Int> = []
    for call in script.calls {
      guard case .call(let callee, let arguments) = call.kind,
        inference.path(of: callee)?.hasPrefix("ui.") == true
      else { continue }
      for text in arguments.compactMap(\.string) { shown.insert(text.range.lowerBound) }
    }
    var names: Set<String> = []
    for text in script.texts where !shown.contains(text.range.lowerBound) {
      for part in text.text.utf8.split(whereSeparator: { !$0.isPartOfFileName }) {
        names.insert(String(decoding: part, as: UTF8.self))
      }
    }
    return names
  }

  private func isUnsaved(_ file: String) -> Bool {
    let identity = index.finder.identity(of: file)
    return index.finder.unsaved(below: ScriptFiles.folder(of: file)).contains(identity)
  }
}

extension UInt8 {
  fileprivate var isPartOfFileName: Bool {
    continuesLuaName || self >= 0x80 || self == UInt8(ascii: ".") || self == UInt8(ascii: "-")
  }
}
