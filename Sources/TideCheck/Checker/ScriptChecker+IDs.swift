import TideScript
import TideBindings

// The ids of views that are created once.
extension ScriptChecker {
  /// Checks an id in the script's main body, where each view is created once.
  func check(id: LuaToken, _ position: SyntaxWalker.Position) {
    guard position.depth == 0, !position.isConditional, shows < 2 else { return }
    if ownIDs[id.text] == nil {
      ownIDs[id.text] = id.range.lowerBound
    } else {
      report(duplicate: id)
    }
  }

  /// Reports the same id twice in one tree.
  func checkIDs(below fields: [LuaField]) {
    var seen: Set<String> = []
    var rest = [fields]
    while let next = rest.popLast() {
      for field in next {
        if case .none = field.key, inference.viewClass(of: field.value) != nil,
          case .call(_, let arguments) = field.value.kind, let inner = arguments.first?.fields
        {
          rest.append(inner)
        } else if field.isID, let id = field.value.string, !seen.insert(id.text).inserted {
          report(duplicate: id)
        }
      }
    }
  }

  private func report(duplicate id: LuaToken) {
    guard reportedIDs.insert(id.range.lowerBound).inserted else { return }
    report(
      .duplicate, "another view has the id \"\(id.text)\"; views.\(id.text) finds the first",
      at: id.range.lowerBound, .warning)
  }
}
