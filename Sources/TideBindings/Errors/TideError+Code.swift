extension TideError {
  /// What kind of mistake it is: a name for programs and a number for people to look up.
  ///
  /// Other modules add their own: `extension TideError.Code { static let socket = Code(…) }`.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    public let name: String
    public let number: Int

    public init(_ name: String, _ number: Int) {
      self.name = name
      self.number = number
    }

    /// `E0101`.
    public var label: String {
      let digits = String(number)
      return "E" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }

    public var description: String { name }
  }
}

extension TideError.Code {
  /// Whether it tells of a value that does not fit, which is the fault of whoever has given it.
  var isOfValue: Bool { self == .conversion || self == .refused || self == .wrongType }

  // Expressions and paths.
  public static let syntax = Self("syntax", 1)
  public static let missingOperator = Self("missingOperator", 2)
  public static let missingLeft = Self("missingLeft", 3)
  public static let missingRight = Self("missingRight", 4)
  public static let unknownOperator = Self("unknownOperator", 5)
  public static let unknownTransformer = Self("unknownTransformer", 6)
  public static let irreversible = Self("irreversible", 7)
  public static let badArgument = Self("badArgument", 8)

  // Objects and values.
  public static let unknownProperty = Self("unknownProperty", 101)
  public static let unknownModel = Self("unknownModel", 102)
  public static let wrongType = Self("wrongType", 103)
  public static let readOnly = Self("readOnly", 104)
  public static let refused = Self("refused", 105)
  public static let conversion = Self("conversion", 106)
  public static let disposed = Self("disposed", 107)
  public static let notOneProperty = Self("notOneProperty", 108)
  public static let outOfRange = Self("outOfRange", 109)
  public static let duplicate = Self("duplicate", 110)
  public static let settings = Self("settings", 111)

  // While running.
  public static let cycle = Self("cycle", 201)
  public static let depth = Self("depth", 202)
  public static let transformer = Self("transformer", 203)
  public static let observer = Self("observer", 204)
  public static let unresolvedName = Self("unresolvedName", 205)
  public static let context = Self("context", 206)
  public static let full = Self("full", 207)
  public static let async = Self("async", 208)
  /// What is waited for waits itself for who waits.
  public static let deadlock = Self("deadlock", 209)
  /// An object that belongs to another graph, or another runtime.
  public static let graph = Self("graph", 210)

  // A turn's budget is used up, by Lua or by the engine.
  public static let scriptMemory = Self("scriptMemory", 403)
  public static let scriptTime = Self("scriptTime", 404)

  // Views.
  public static let unknownView = Self("unknownView", 301)
  public static let unknownEvent = Self("unknownEvent", 302)
  public static let badColor = Self("badColor", 303)
  public static let badTree = Self("badTree", 304)
  public static let badKey = Self("badKey", 305)
}
