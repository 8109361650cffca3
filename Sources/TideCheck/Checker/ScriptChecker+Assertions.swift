import TideBindings
import TideScript
import TideViews

// Assertions in specs.
extension ScriptChecker {
  /// Checks a member of `assert` or of an assertion; false if the base is something else.
  ///
  /// A spec may register assertions of its own. So only a word that is nearly one of the grammar's
  /// is reported.
  func check(assertion name: String, of base: LuaExpression, at offset: Int) -> Bool {
    guard script.isSpec, let grammar = names.assertions, !app.globals.contains("assert"),
      let chain = assertionChain(base)
    else { return false }
    if let called = chain.called, let known = grammar.continuations[called] {
      if name == "does_not_exist" { assertionsOfMissing.insert(ObjectIdentifier(base)) }
      mention(name, at: offset, .cases(known))
      if !known.contains(name) {
        report(
          .unknownMember,
          "assert.\(called)(…) has no \"\(name)\"\(hintOrNames(for: name, in: known))", at: offset)
      }
      return true
    }
    mention(name, at: offset, .library("assert"))
    guard let word = grammar.unknownWord(in: name), !app.texts.contains(word) else { return true }
    let hint =
      grammar.separated(name).map(NearestName.advice)
      ?? hint(for: word, in: grammar.knownWords) { name.replacing(word, with: $0) }
    if hint.isEmpty { return true }
    report(.unknownMember, "assert has no \"\(name)\"\(hint)", at: offset)
    return true
  }

  /// Reports an assertion that lacks an argument.
  func check(_ arguments: [LuaExpression], ofAssertion name: String, at offset: Int) {
    guard !app.globals.contains("assert"), let required = names.assertions?.required[name],
      arguments.count < required.count, arguments.last.map(givesSeveral) != true
    else { return }
    report(
      .badArgument,
      "assert.\(name) lacks an argument, \"\(required[arguments.count])\": "
        + "write assert.\(name)(\(required.joined(separator: ", ")))", at: offset)
  }

  /// Reports an assertion that no values can pass: `assert.equal({ 1 }, rows)`, which compares
  /// identities, `assert.equal(2, views.count.text)`, and `assert.has_error(remove())`.
  func check(values arguments: [LuaExpression], ofAssertion name: String, _ path: String) {
    let words = path.lowercased().split { $0 == "." || $0 == "_" }
    guard mentions == nil, !app.globals.contains("assert"), !words.contains("not"),
      !words.contains("no"), arguments.count > 0
    else { return }
    switch name {
    case "error", "errors", "error_matches", "eventually":
      check(isFunction: arguments[0])
      guard let kind = kind(of: arguments[0]), LiteralKind(arguments[0]) == nil,
        !hasProblem(at: arguments[0].range.lowerBound)
      else {
        return
      }
      report(
        .badArgument,
        "assert.\(name) takes a function, and \(text(of: arguments[0])) is \(kind.rawValue)",
        at: arguments[0].range.lowerBound)
    case "equal", "equals", "same":
      guard arguments.count > 1 else { return }
      if name != "same", let table = arguments.prefix(2).first(where: { $0.fields != nil }) {
        return report(
          .wrongType,
          "a new table is equal to no other value; write assert.same to compare the content",
          at: table.range.lowerBound, .warning)
      }
      let kinds = arguments.prefix(2).map { isShownText($0) ? .text : kind(of: $0) }
      let plain: Set<ValueKind> = [.number, .boolean, .text]
      guard let one = kinds[0], let other = kinds[1], one != other, plain.contains(one),
        plain.contains(other)
      else { return }
      report(
        .wrongType,
        "\(text(of: arguments[0])) is \(one.rawValue), and \(text(of: arguments[1])) "
          + "\(other.rawValue), which are never equal", at: arguments[1].range.lowerBound, .warning)
    default: break
    }
  }

  /// Whether an expression is a text that a view shows, which may have styles.
  private func isShownText(_ expression: LuaExpression) -> Bool {
    guard case .member(let base, let name, _) = expression.kind,
      case .view(let viewClass?)? = inference.inferredType(of: base),
      let shape = names.viewClasses[viewClass]?.shape, let index = shape.index(of: name)
    else { return false }
    return shape.propertiesByIndex[index].takesStyledText
  }

  /// A part of a chain of assertions.
  private struct AssertionChain {
    /// The assertion that the chain's end calls; nil if it ends with a member.
    var called: String?
  }

  /// Reads an expression as `assert` or a part of an assertion.
  private func assertionChain(
    _ expression: LuaExpression, _ budget: Int = 12
  ) -> AssertionChain? {
    guard budget > 0 else { return nil }
    switch expression.kind {
    case .name("assert", nil): return AssertionChain()
    case .member(let base, _, _):
      return assertionChain(base, budget - 1) == nil ? nil : AssertionChain()
    case .call(let callee, _):
      guard case .member(let base, let name, _) = callee.kind,
        assertionChain(base, budget - 1) != nil
      else { return nil }
      return AssertionChain(called: name.split(separator: "_").last.map(String.init))
    default: return nil
    }
  }
}
