import TideBindings
import TideScript

// Members of values about which nothing is known.
extension ScriptChecker {
  /// `child.totl`, where nothing in the app has such a member, and something nearly that name.
  func check(unknownMember name: String, of base: LuaExpression, at offset: Int) {
    if let path = inference.path(of: base), isForeign(path) { return }
    check(unknownMember: name, at: offset, mentions: 0, ofOwnTable: isOwnTable(base))
  }

  /// Whether a path begins at a global that no script of the app makes.
  private func isForeign(_ path: String) -> Bool {
    let root = path.split(separator: ".", maxSplits: 1).first.map(String.init) ?? path
    return names.members[root] != nil || !app.globals.contains(root)
  }

  /// Whether a variable holds a table that is written out.
  private func isOwnTable(_ base: LuaExpression) -> Bool {
    guard case .name(_, let local?) = base.kind, !local.isReassigned else { return false }
    return local.value?.fields?.isEmpty == false
  }

  /// - Parameters:
  ///   - count: how often texts contain the name where it is read.
  ///   - isOwn: whether it is asked of a table that the script writes out.
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

  /// The member that a name which nothing has is a slip of the pen for.
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
