public import TideBindings
public import TideScript

/// A mistake that a check found in a script.
///
/// ```swift
/// for file in try ScriptCheck().run(["app.lua"]) {
///   for problem in file.problems where problem.severity == .error { print(problem.error) }
/// }
/// ```
public struct Problem {
  /// The severity: an error or a warning.
  public let severity: Diagnostic.Severity
  /// The mistake and its location.
  public let error: TideError
  /// The line of the script, if already known. It avoids reading a file again for each of thousands
  /// of mistakes.
  private let line: [UInt8]?
  /// Whether the message suggests a name and no other name is similarly near. True if it suggests
  /// none.
  let isClear: Bool

  init(
    _ severity: Diagnostic.Severity, _ error: TideError, line: [UInt8]? = nil, isClear: Bool = true
  ) {
    self.severity = severity
    self.error = error
    self.line = line
    self.isClear = isClear
  }

  /// The mistake as a diagnostic for people.
  public var diagnostic: Diagnostic {
    Diagnostic(error, in: error.location?.file, severity: severity, line: line)
  }
}

extension TideError.Code {
  // Found without running a script.
  /// A variable that nothing declares or assigns.
  public static let unknownGlobal = Self("unknownGlobal", 601)
  /// A table of the library or of the API has no such entry.
  public static let unknownMember = Self("unknownMember", 602)
  /// A variable that hides a name of the API.
  public static let hiddenName = Self("hiddenName", 603)
  /// A model that nothing names.
  public static let unusedModel = Self("unusedModel", 604)
  /// A script that is too large or too deeply nested to be checked beyond its syntax.
  public static let notChecked = Self("notChecked", 605)
  /// SQL that is concatenated from values instead of using parameters.
  public static let composedSQL = Self("composedSQL", 606)
  /// A method called with a dot, or a plain function called with a colon.
  public static let methodCall = Self("methodCall", 607)
  /// More arguments than the function has parameters.
  public static let extraArgument = Self("extraArgument", 608)
  /// A transformer that is never used.
  public static let unusedTransformer = Self("unusedTransformer", 609)
  /// An id that is never used.
  public static let unusedID = Self("unusedID", 610)
  /// A binding that never carries a value.
  public static let unreachableBinding = Self("unreachableBinding", 611)
  /// A loop over the indexes of a list that its body changes.
  public static let changedLoop = Self("changedLoop", 612)
  /// A model's property that is read while a view is created, so that the view does not follow it.
  public static let readOnce = Self("readOnce", 613)
  /// A script that creates views and shows none of them.
  public static let nothingShown = Self("nothingShown", 614)
  /// A format whose directives do not match its values.
  public static let formatArguments = Self("formatArguments", 620)
  /// Too few or too many arguments for a function of Lua's library.
  public static let libraryArguments = Self("libraryArguments", 621)
  /// An assignment to a variable that nothing declares.
  public static let accidentalGlobal = Self("accidentalGlobal", 622)
  /// A local variable that nothing reads.
  public static let unusedLocal = Self("unusedLocal", 623)
  /// A local variable that is declared twice in one block.
  public static let repeatedLocal = Self("repeatedLocal", 624)
  /// A key that occurs twice in one table.
  public static let repeatedKey = Self("repeatedKey", 625)
  /// A function that compares two elements and gives no order.
  public static let noOrder = Self("noOrder", 626)
  /// A loop that nothing ends and in which nothing waits.
  public static let endlessLoop = Self("endlessLoop", 627)
  /// A call whose only purpose is a result, which nothing uses.
  public static let unusedResult = Self("unusedResult", 628)
}
