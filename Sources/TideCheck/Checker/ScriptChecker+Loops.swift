import TideBindings
import TideScript

// Loops over the indexes of a list that their bodies change.
extension ScriptChecker {
  /// Reports `for i = 1, #rows do` if its body changes the list or what the list depends on. Such a
  /// loop reads the current list at each step, and so skips or repeats elements.
  ///
  /// - Parameter mayFail: whether the loops are expected to fail, as in a call of `pcall`.
  func checkLoops(_ statements: [LuaStatement], mayFail: Bool = false) {
    for statement in statements {
      switch statement {
      case .forLoop(let locals, let values, let block):
        if locals.first?.isCounter == true {
          check(limits: values, locals, block)
          check(start: values, locals, block)
          check(counting: values, block)
        } else {
          check(iterating: values, locals, block)
        }
        checkLoops(block, mayFail: mayFail)
      case .block(let block): checkLoops(block, mayFail: mayFail)
      case .whileLoop(let condition, let block):
        if !mayFail { check(endless: condition, block, ending: false) }
        check(constantTest: condition)
        checkLoops(block, mayFail: mayFail)
      case .repeatLoop(let block, let condition):
        if !mayFail { check(endless: condition, block, ending: true) }
        checkLoops(block, mayFail: mayFail)
      case .branches(let branches, let otherwise):
        for (condition, block) in branches {
          check(constantTest: condition)
          checkLoops(block, mayFail: mayFail)
        }
        checkLoops(otherwise, mayFail: mayFail)
      case .function(_, let body), .localFunction(_, let body):
        checkLoops(body.block, mayFail: mayFail)
      case .local, .assignment, .call, .results: break
      }
    }
  }

  private func check(counting values: [LuaExpression], _ block: [LuaStatement]) {
    guard let list = values.prefix(2).lazy.compactMap(Self.counted).first, isList(list) else {
      return
    }
    let isBackwards = values.count > 2 && Self.isNegative(values[2])
    let followed = Followed(by: list)
    var change: (offset: Int, what: String)?
    func note(_ offset: Int, _ end: Int, _ what: String) {
      if change == nil, !leavesLoop(after: end) { change = (offset, what) }
    }
    SyntaxWalker(
      visit: { [self] expression, position in
        guard position.depth == 0,
          case .method(let base, let name, let offset, _) = expression.kind,
          Self.moving.contains(name)
        else { return }
        // In a backward loop, removing the current element does not move the remaining ones.
        if isSame(base, list) {
          if !isBackwards { note(offset, expression.range.upperBound, "this changes the list") }
        } else if let source = followed.source, isSame(base, source) {
          note(offset, expression.range.upperBound, "this changes what the list follows")
        }
      },
      assign: { target, value, position in
        guard position.depth == 0, case .member(_, let name, let offset) = target.kind,
          followed.properties.contains(name)
        else { return }
        note(offset, (value ?? target).range.upperBound, "the list follows \"\(name)\"")
      }
    ).walk(block)
    guard let change else { return }
    report(
      .changedLoop,
      "\(change.what), which the loop reads as it is at each step, so that it skips elements or "
        + "meets them again; write for _, row in ipairs(…) do, which goes over what the list held "
        + "at first", at: change.offset, .warning)
  }

  private func isList(_ expression: LuaExpression) -> Bool {
    if case .member(_, let name, _) = expression.kind, Self.arranged.contains(name) { return true }
    guard case .list? = inference.inferredType(of: expression) else { return false }
    return true
  }

  /// Lists of controllers that depend on their rows.
  private static let arranged: Set = ["arrangedObjects", "selectedObjects"]

  /// Whether the loop is left at the end of the block that contains an offset.
  private func leavesLoop(after offset: Int) -> Bool {
    let rest = source.bytes[offset...]
    var start = rest.startIndex
    while start < rest.endIndex {
      let word = rest[start...].prefix { $0.isLuaWord }
      if word.isEmpty {
        start += 1
        continue
      }
      let text = String(decoding: word, as: UTF8.self)
      if Self.leaving.contains(text) { return true }
      if Self.blocks.contains(text) { return false }
      start = word.endIndex
    }
    return false
  }

  private static let leaving: Set = ["break", "return", "goto"]
  private static let blocks: Set = [
    "end", "else", "elseif", "until", "if", "for", "while", "repeat", "function", "do",
  ]

  /// Methods that move elements of a list.
  private static let moving: Set = [
    "append", "insert", "remove", "removeObject", "move", "set", "clear",
  ]

  /// The list whose length is a bound of the loop.
  private static func counted(_ bound: LuaExpression) -> LuaExpression? {
    switch bound.kind {
    case .unary("#", let list): list
    case .parenthesized(let inner): counted(inner)
    case .operation(let parts, _): parts.lazy.compactMap(counted).first
    default: nil
    }
  }

  private static func isNegative(_ step: LuaExpression) -> Bool {
    switch step.kind {
    case .unary("-", _): true
    case .constant(let text): text.hasPrefix("-")
    default: false
    }
  }

  /// Whether two expressions refer to the same variable or member.
  func isSame(_ one: LuaExpression, _ other: LuaExpression) -> Bool {
    switch (one.kind, other.kind) {
    case (.name(let name, let local), .name(let otherName, let otherLocal)):
      name == otherName && local === otherLocal
    case (.member(let base, let name, _), .member(let otherBase, let otherName, _)):
      name == otherName && isSame(base, otherBase)
    case (.parenthesized(let inner), _): isSame(inner, other)
    case (_, .parenthesized(let inner)): isSame(one, inner)
    default: false
    }
  }
}

/// What the order and the elements of a list depend on.
private struct Followed {
  /// The list that it is derived from.
  private(set) var source: LuaExpression?
  /// Properties of its elements that are used to filter, sort or group them.
  private(set) var properties: Set<String> = []

  init(by list: LuaExpression) { add(list, 8) }

  private mutating func add(_ expression: LuaExpression, _ budget: Int) {
    if budget == 0 { return }
    switch expression.kind {
    case .parenthesized(let inner): add(inner, budget - 1)
    case .name(_, let local?):
      if !local.isReassigned, let value = local.value { add(value, budget - 1) }
    case .method(let base, let name, _, let arguments):
      guard Self.deriving.contains(name) else { return }
      source = base
      for argument in arguments { addRead(argument) }
      add(base, budget - 1)
    case .member(let base, "arrangedObjects", _), .member(let base, "selectedObjects", _):
      guard case .name(_, let local?) = base.kind, !local.isReassigned,
        case .call(_, let arguments)? = local.value?.kind, let options = arguments.first?.fields
      else { return }
      source = options["content"]
      for name in ["filter", "sort", "group", "distinct"] {
        if let option = options[name] { addRead(option) }
      }
    default: break
    }
  }

  private static let deriving: Set = ["filter", "sorted", "group", "slice", "map"]

  /// Adds the properties that a function reads, or that a string or a table names.
  private mutating func addRead(_ option: LuaExpression) {
    var read: Set<String> = []
    func note(_ expression: LuaExpression) {
      switch expression.kind {
      case .member(_, let name, _): read.insert(name)
      case .string(let token): read.insert(Self.word(token.text))
      default: break
      }
    }
    SyntaxWalker(visit: { expression, _ in note(expression) }).walk([.results([option])])
    properties.formUnion(read)
  }

  /// The property of `"rank"`, `"-rank"` and `"rank desc"`.
  private static func word(_ text: String) -> String {
    let start = text.drop { $0 == "-" || $0 == "+" }
    return String(start.prefix { $0.isLetter || $0.isNumber || $0 == "_" })
  }
}

extension UInt8 {
  fileprivate var isLuaWord: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}
