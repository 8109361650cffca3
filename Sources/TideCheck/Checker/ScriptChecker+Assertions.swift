import TideBindings
import TideScript

// The words of assertions in specs.
extension ScriptChecker {
  /// Checks a member of `assert`, or of what follows it; false for that of something else.
  ///
  /// A spec may register words of its own, so that only one that is nearly the grammar's is
  /// mistyped.
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

  /// A part of an assertion.
  private struct AssertionChain {
    /// The assertion whose call it ends with.
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
