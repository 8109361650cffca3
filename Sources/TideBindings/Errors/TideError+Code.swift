extension TideError {
  /// The kind of an error: a name for programs, and a number for people to look up.
  ///
  /// ```swift
  /// extension TideError.Code {
  ///   static let socket = Self("socket", 901)   // a name and a number that no other has
  /// }
  /// ```
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The name, for programs.
    public let name: String
    /// The number, for people to look up.
    public let number: Int

    /// Makes a code with a name and a number of its own.
    public init(_ name: String, _ number: Int) {
      self.name = name
      self.number = number
    }

    /// `E0101`.
    public var label: String {
      let digits = String(number)
      return "E" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }

    /// The name, for printing.
    public var description: String { name }
  }
}

extension TideError.Code {
  /// Whether it concerns a value that does not fit, which is the fault of the value's source.
  var isOfValue: Bool { self == .conversion || self == .refused || self == .wrongType }

  // Expressions and paths.
  /// An expression or path does not follow the grammar.
  public static let syntax = Self("syntax", 1)
  /// A binding expression has no arrow.
  public static let missingOperator = Self("missingOperator", 2)
  /// A binding expression has nothing before its arrow.
  public static let missingLeft = Self("missingLeft", 3)
  /// A binding expression has nothing after its arrow.
  public static let missingRight = Self("missingRight", 4)
  /// No view or collection operator has that name, or it does not apply there.
  public static let unknownOperator = Self("unknownOperator", 5)
  /// No transformer of that name is registered.
  public static let unknownTransformer = Self("unknownTransformer", 6)
  /// A value must go back through a transformer that has no reverse.
  public static let irreversible = Self("irreversible", 7)
  /// A function, an option or a transformer got an invalid argument.
  public static let badArgument = Self("badArgument", 8)

  // Objects and values.
  /// The object has no property or method of that name.
  public static let unknownProperty = Self("unknownProperty", 101)
  /// No model of that name is declared.
  public static let unknownModel = Self("unknownModel", 102)
  /// The value is not of the type that the property holds.
  public static let wrongType = Self("wrongType", 103)
  /// The property cannot be written.
  public static let readOnly = Self("readOnly", 104)
  /// A validator refused the value.
  public static let refused = Self("refused", 105)
  /// A binding could not convert the value to the target's type.
  public static let conversion = Self("conversion", 106)
  /// The object is gone.
  public static let disposed = Self("disposed", 107)
  /// A key path is not one observable property: it reads none or several, or derives a value from
  /// one.
  public static let notOneProperty = Self("notOneProperty", 108)
  /// A position lies outside a list.
  public static let outOfRange = Self("outOfRange", 109)
  /// The name is taken.
  public static let duplicate = Self("duplicate", 110)
  /// A settings file cannot be read or written, or a value cannot be stored in it.
  public static let settings = Self("settings", 111)
  /// The record that a user was editing is gone, and the input since then is in no record.
  public static let unwritten = Self("unwritten", 112)

  // While running.
  /// Values depend on each other, or keep changing each other.
  public static let cycle = Self("cycle", 201)
  /// Computed values nest too deep for their first evaluation.
  public static let depth = Self("depth", 202)
  /// A host's function that computes a value has thrown an error of its own.
  public static let transformer = Self("transformer", 203)
  /// A host's function that was called for a change has thrown an error of its own.
  public static let observer = Self("observer", 204)
  /// A binding begins with a name that is neither a model's nor a view's.
  public static let unresolvedName = Self("unresolvedName", 205)
  /// Calls that open and finish contexts are unbalanced, or there is no context of that name.
  public static let context = Self("context", 206)
  /// A table of the graph has no room left.
  public static let full = Self("full", 207)
  /// Something waits where waiting is not possible.
  public static let async = Self("async", 208)
  /// Waiting would never end, because two threads wait for each other.
  public static let deadlock = Self("deadlock", 209)
  /// An object belongs to another graph, or another runtime.
  public static let graph = Self("graph", 210)
  /// A task calls a function that would block the whole app.
  public static let blocking = Self("blocking", 211)
  /// A limit of the app or of the system is exceeded.
  public static let limit = Self("limit", 412)

  // A turn's budget is used up, by Lua or by the engine.
  /// The budget of memory is used up.
  public static let scriptMemory = Self("scriptMemory", 403)
  /// The turn has lasted too long.
  public static let scriptTime = Self("scriptTime", 404)

  // Views.
  /// No view class has that name.
  public static let unknownView = Self("unknownView", 301)
  /// The view's class has no event of that name.
  public static let unknownEvent = Self("unknownEvent", 302)
  /// The text is not a colour.
  public static let badColor = Self("badColor", 303)
  /// A view cannot be placed there.
  public static let badTree = Self("badTree", 304)
  /// No key has that name.
  public static let badKey = Self("badKey", 305)
}
