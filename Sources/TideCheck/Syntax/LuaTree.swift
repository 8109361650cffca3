import TideBindings
import TideScript

/// A script's text, with the line and column of each byte.
struct LuaSource {
  let path: String
  let lines: ScriptLines

  var bytes: [UInt8] { lines.bytes }

  init(path: String, bytes: [UInt8]) {
    self.path = path
    lines = ScriptLines(bytes)
  }

  /// The location of a byte; its column counts bytes from 1.
  func location(of offset: Int) -> SourceLocation {
    let found = lines.location(of: offset)
    return SourceLocation(file: path, line: found.line, column: found.column)
  }
}

/// A local variable of a script, a parameter or the variable of a loop.
final class LuaLocal {
  let name: String
  /// The offset of its declaration.
  let start: Int
  /// The number of functions that enclose it: 0 in the script's main body.
  let depth: Int
  /// The end of its scope.
  var scopeEnd = Int.max
  /// The initial value, if an expression of its own provides it.
  ///
  /// Weak, because the declaration owns the value. A value refers to other variables, so strong
  /// references would form a chain as long as the script, and releasing the first would recurse
  /// down the whole chain.
  weak var value: LuaExpression? {
    didSet { holdsTable = value.map(\.mayBeTable) ?? false }
  }
  /// The call whose second or later result is the initial value. Weak for the same reason.
  weak var sharedCall: LuaExpression?
  /// Whether the value is a table, or a call that may return one.
  private(set) var holdsTable = false
  /// The function of a declaration `local function name()`. Weak for the same reason.
  weak var function: LuaFunctionBody?
  /// For a parameter, its function.
  fileprivate(set) weak var parameterOf: LuaFunctionBody?
  /// For a loop variable, the expression that the loop iterates over, and the index of the
  /// variable.
  weak var iterated: LuaExpression?
  var loopIndex = 0
  /// Whether it is the counter of a numeric loop.
  var isCounter = false
  /// Whether it is the counter of a loop that begins with 0.
  var startsAtZero = false
  /// Whether it is declared without a value. Its first assignment then counts as its initial value.
  var isEmpty = false
  var isReassigned = false
  var isRead = false
  /// Whether it begins as nil: it is declared without a value, or with nil.
  var beginsAsNil = false
  /// Whether a statement adds a function to its table: `function name.member()`.
  var isExtended = false
  /// Whether it is declared as `<close>`, so that the end of its scope uses it.
  var isClosed = false

  init(_ name: String, at start: Int, depth: Int) {
    self.name = name
    self.start = start
    self.depth = depth
  }
}

/// An expression and the bytes that it spans.
///
/// A chain of operators is one flat list, regardless of precedence. The checker only examines names
/// and computes nothing, and this way a long sum does not make a deep tree.
final class LuaExpression {
  indirect enum Kind {
    /// nil, a boolean, a number or `...`.
    case constant(String)
    case string(LuaToken)
    /// A variable; without a local it is global.
    case name(String, LuaLocal?)
    case function(LuaFunctionBody)
    case table([LuaField])
    case operation([LuaExpression], signs: [String])
    case unary(String, LuaExpression)
    /// `base.name`, and the offset of the name.
    case member(LuaExpression, String, at: Int)
    case index(LuaExpression, LuaExpression)
    case call(LuaExpression, [LuaExpression])
    case method(LuaExpression, String, at: Int, [LuaExpression])
    case parenthesized(LuaExpression)
  }

  private(set) var kind: Kind
  let range: Range<Int>
  let depth: Int
  /// Its meaning as a callee; see `TypeInference.function`.
  var calleeFacts: CalleeFacts?
  /// For the condition of a loop, whether a `break` or a `goto` may leave the loop.
  var isOfLeftLoop = false
  /// The place of the view that the call creates, if its script alone determines it.
  var viewPlace: ViewPlace?

  init(_ kind: Kind, _ range: Range<Int>, depth: Int) {
    self.kind = kind
    self.range = range
    self.depth = depth
  }

  /// Temporarily replaces the text of a string, as if more text had been typed.
  func replace(text token: LuaToken?) {
    if case .string = kind, let token { kind = .string(token) }
  }

  /// The token of a string literal, also in parentheses.
  var string: LuaToken? {
    switch kind {
    case .string(let token): token
    case .parenthesized(let inner): inner.string
    default: nil
    }
  }

  /// The type of a literal that is a string, a boolean or a number.
  var constantType: String? {
    switch kind {
    case .string: "string"
    case .constant("true"), .constant("false"): "boolean"
    case .constant(let text): text.utf8.first?.isLuaDigit == true ? "number" : nil
    default: nil
    }
  }

  var isCall: Bool {
    switch kind {
    case .call, .method: true
    case .parenthesized(let inner): inner.isCall
    default: false
    }
  }

  /// Whether it is a table or a call.
  fileprivate var mayBeTable: Bool {
    switch kind {
    case .table, .call: true
    default: false
    }
  }

  var fields: [LuaField]? { if case .table(let fields) = kind { fields } else { nil } }

  var functionBody: LuaFunctionBody? {
    if case .function(let body) = kind { body } else { nil }
  }
}

/// One entry of a table constructor.
struct LuaField {
  enum Key {
    /// `name = `, and the offset of the name.
    case name(String, at: Int)
    case expression(LuaExpression)
    case none
  }

  var key: Key
  var value: LuaExpression

  var depth: Int {
    if case .expression(let key) = key { max(key.depth, value.depth) } else { value.depth }
  }

  /// The key as a name: that of `name =` and `["name"] =`.
  var name: (text: String, start: Int)? {
    switch key {
    case .name(let text, let start): (text, start)
    case .expression(let expression):
      expression.string.map { ($0.text, $0.contentStart ?? expression.range.lowerBound) }
    case .none: nil
    }
  }

  /// Whether it declares a view's id.
  var isID: Bool { name.map { $0.text == "id" || $0.text == "restorationIdentifier" } ?? false }
}

extension [LuaField] {
  /// Whether no field has a key. True for an empty table.
  var isSequence: Bool {
    allSatisfy { if case .none = $0.key { true } else { false } }
  }

  /// The value of the first field with a name.
  subscript(name: String) -> LuaExpression? { first { $0.name?.text == name }?.value }
}

final class LuaFunctionBody {
  /// The named parameters, including `self` if the function is declared with a colon.
  let parameters: [LuaLocal]
  /// Whether the parameters end with `...`.
  let takesMore: Bool
  /// Whether it is declared with a colon: `function account:pay()`.
  let isMethod: Bool
  let block: [LuaStatement]
  /// The bytes from `function`, or from the name, to `end`.
  let range: Range<Int>
  /// The depth of the tree below it: nested blocks, and the expressions in them.
  let depth: Int

  /// The name in its declaration, without the tables before it.
  var name: String?

  /// The values of its own `return` statements, without those of inner functions.
  private(set) lazy var results = Self.results(of: block)
  private(set) lazy var parameterUses = ParameterUses(self)

  init(
    parameters: [LuaLocal], takesMore: Bool, isMethod: Bool, block: [LuaStatement],
    range: Range<Int>, depth: Int
  ) {
    self.parameters = parameters
    self.takesMore = takesMore
    self.isMethod = isMethod
    self.block = block
    self.range = range
    self.depth = depth
    for parameter in parameters { parameter.parameterOf = self }
  }

  static func results(of block: [LuaStatement]) -> [[LuaExpression]] {
    block.flatMap { statement in
      switch statement {
      case .results(let values): [values]
      case .block(let inner), .whileLoop(_, let inner), .repeatLoop(let inner, _),
        .forLoop(_, _, let inner):
        results(of: inner)
      case .branches(let branches, let otherwise):
        branches.flatMap { results(of: $0.1) } + results(of: otherwise)
      case .local, .assignment, .call, .function, .localFunction: [[LuaExpression]]()
      }
    }
  }
}

indirect enum LuaStatement {
  case local([LuaLocal], [LuaExpression])
  case assignment([LuaExpression], [LuaExpression])
  case call(LuaExpression)
  /// `function target()`. A target with several parts may name a method.
  case function(LuaExpression, LuaFunctionBody)
  case localFunction(LuaLocal, LuaFunctionBody)
  case block([LuaStatement])
  case whileLoop(LuaExpression, [LuaStatement])
  case repeatLoop([LuaStatement], LuaExpression)
  case branches([(LuaExpression, [LuaStatement])], otherwise: [LuaStatement])
  case forLoop([LuaLocal], [LuaExpression], [LuaStatement])
  case results([LuaExpression])
}
