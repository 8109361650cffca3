import TideBindings
import TideScript

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
