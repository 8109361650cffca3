import TideBindings
import TideScript

// Hints in messages: the name that was probably meant.
extension ScriptChecker {
  /// A hint, and whether a fix may apply it without review.
  struct Hint {
    let text: String
    /// Whether no other name is similarly near.
    var isClear: Bool
  }

  /// A hint with the name that was probably meant; empty if there is none.
  func hint(
    for name: String, in known: [String], spelledAs spell: (String) -> String = { $0 }
  ) -> String {
    lastHint = nil
    if mentions != nil { return "" }
    hintBudget -= known.count
    guard hintBudget >= 0, let meant = NearestName.find(name, in: known) else { return "" }
    let text = NearestName.advice(spell(meant))
    lastHint = Hint(text: text, isClear: NearestName.isClear(name, for: meant, in: known))
    return text
  }

  /// The same for unsorted names, which are sorted only if a hint is needed.
  func hint(
    for name: String, in known: Set<String>, or others: [String] = [],
    spelledAs spell: (String) -> String = { $0 }
  ) -> String {
    guard mentions == nil, known.count + others.count <= hintBudget else { return "" }
    return hint(for: name, in: known.sorted() + others, spelledAs: spell)
  }

  /// A hint for a message that lists the known words anyway: another of them is suggested only for
  /// a typing error, so that "online" is not taken for "offline".
  func hint(forCase word: String, in known: [String]) -> String {
    let hint = hint(for: word, in: known)
    guard let meant = NearestName.find(word, in: known),
      NearestName.slip(word, for: meant) != nil || meant.hasPrefix(word) || word.hasPrefix(meant)
    else { return "" }
    return hint
  }

  /// A hint with the name that was probably meant, or else with all available names.
  func hintOrNames(for name: String, in known: [String]) -> String {
    let hint = hint(for: name, in: known)
    return hint.isEmpty && mentions == nil && hintBudget >= 0 ? NearestName.listing(known) : hint
  }

  func hintOrNames(for name: String, in known: Set<String>, or others: [String] = []) -> String {
    guard mentions == nil, known.count + others.count <= hintBudget else { return "" }
    return hintOrNames(for: name, in: known.sorted() + others)
  }

  /// Marks the last hint as uncertain, so that its fix needs review.
  func doubtHint() { lastHint?.isClear = false }

  // MARK: Globals

  /// How a script uses a name, which restricts the names that can replace it.
  enum NameUse: Equatable {
    case value
    case called
    /// The member that is read; nil if it is computed.
    case owner(of: String?)
  }

  /// Records how an expression uses a global.
  func noteUse(_ expression: LuaExpression) {
    switch expression.kind {
    case .call(let callee, _): note(.called, of: callee)
    case .member(let base, let name, _), .method(let base, let name, _, _):
      note(.owner(of: name), of: base)
    case .index(let base, let key): note(.owner(of: key.string?.text), of: base)
    default: break
    }
  }

  private func note(_ use: NameUse, of expression: LuaExpression) {
    if case .name(_, nil) = expression.kind { nameUses[expression.range.lowerBound] = use }
  }

  /// A hint with the variable or constant that was probably meant by a global.
  func hint(forGlobal name: String, at offset: Int) -> String {
    let use = nameUses[offset] ?? .value
    let constants = use == .value ? ["nil", "true", "false"] : []
    let known = constants + allNames.filter { fits($0, use) }
    let text = hint(for: name, in: known)
    // A function is unlikely where nothing is called.
    guard use == .value, let meant = NearestName.find(name, in: known), isFunction(meant) else {
      return text
    }
    doubtHint()
    return NearestName.slip(name, for: meant).map { $0 < .change } == true ? text : ""
  }

  private func isFunction(_ name: String) -> Bool {
    if app.globals.contains(name) || names.members[name] != nil { return false }
    return isCallable(name)
  }

  /// Whether a name of the API or the library can be used in a way. The app's own names may be
  /// anything.
  private func fits(_ name: String, _ use: NameUse) -> Bool {
    guard names.globals.contains(name) else { return true }
    switch use {
    case .value: return true
    case .called: return !Self.libraryTables.contains(name) || isCallable(name)
    case .owner(let member):
      if isFunction(name) { return false }
      guard let member, let members = names.members[name] else { return true }
      return members.contains(member)
    }
  }

  private static let libraryTables = Set(
    LuaLibrary.functions.keys.compactMap { path in
      path.firstIndex(of: ".").map { String(path[..<$0]) }
    })

  private func isCallable(_ name: String) -> Bool {
    names.types.functions[name] != nil || LuaLibrary.functions[name] != nil
  }
}
