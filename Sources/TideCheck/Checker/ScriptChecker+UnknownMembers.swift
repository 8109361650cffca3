import TideBindings
import TideScript

// Members of values with an unknown type.
extension ScriptChecker {
  /// `child.totl`, if nothing in the app has such a member, but something has nearly that name.
  func check(unknownMember name: String, of base: LuaExpression, at offset: Int) {
    if let path = inference.path(of: base), isForeign(path) { return }
    check(unknownMember: name, at: offset, mentions: 0, ofOwnTable: isOwnTable(base))
  }

  /// Whether a path begins at a global that no script of the app defines.
  private func isForeign(_ path: String) -> Bool {
    let root = path.split(separator: ".", maxSplits: 1).first.map(String.init) ?? path
    return names.members[root] != nil || !app.globals.contains(root)
  }

  /// Whether a variable holds a literal table.
  private func isOwnTable(_ base: LuaExpression) -> Bool {
    guard case .name(_, let local?) = base.kind, !local.isReassigned else { return false }
    return local.value?.fields?.isEmpty == false
  }

  /// - Parameters:
  ///   - count: the mentions of the name in strings that are this use itself: 1 in a path,
  ///     otherwise 0.
  ///   - isOwn: whether the member is read from a literal table of the script.
  func check(
    unknownMember name: String, at offset: Int, mentions count: Int, ofOwnTable isOwn: Bool = false
  ) {
    guard mentions == nil, !hasProblem(at: offset), isOwn || !index.readsForeignTables,
      let meant = meant(by: name, mentions: count)
    else { return }
    report(
      .unknownMember, "nothing in the app has a \"\(name)\"\(NearestName.advice(meant))",
      at: offset,
      .warning)
  }

  /// The member for which an unknown name is a likely slip; nil if there is none.
  private func meant(by name: String, mentions count: Int) -> String? {
    if app.words[name] ?? 0 > count { return nil }
    if let known = membersMeant[name] { return known }
    let found = findMeant(by: name)
    membersMeant[name] = .some(found)
    return found
  }

  private func findMeant(by name: String) -> String? {
    guard name.utf8.count > 2, !app.makesGlobals, index.isWhole, index.writesAllKeys,
      app.assignedMembers[name] == nil, !app.texts.contains(name), !app.writtenNames.contains(name),
      !names.methods.contains(name), anyView?.contains(name) != true,
      !names.members.values.contains(where: { $0.contains(name) })
    else { return nil }
    let known = index.memberNames
    hintBudget -= known.count
    guard hintBudget >= 0, let meant = NearestName.find(name, in: known),
      NearestName.isSlip(name, for: meant)
    else { return nil }
    return meant
  }
}
