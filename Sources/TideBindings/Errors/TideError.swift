import TideGraph

/// An error in models, bindings and views: a code, a message, a location and a cause.
///
/// ```swift
/// do { try person.set("agee", 12) } catch { print(error) }
/// // E0101: Person has no property "agee"; did you mean "age"?
/// ```
public struct TideError: Error {
  /// The kind of the error.
  public var code: Code
  /// What went wrong and what to do, in one or more lines.
  public var message: String
  /// The script location that has caused it; nil if no script has.
  public var location: SourceLocation?
  /// The stack of a script, innermost call first.
  public var traceback: String?
  /// The notation of the binding that failed.
  public var path: String?
  /// The error of another library that led to it; nil for none.
  public var cause: (any Error)?
  /// Whether it concerns user input, and not the program. The field shows it until the input is
  /// fixed or discarded.
  package var isOfEdit = false
  /// Its number in the list of errors; 0 for an error that is not listed by itself.
  package var entry = 0
  /// The location of the failure on the screen; nil outside of views.
  package var site: FailureSite?
  /// The view, or another object, to which it belongs. The error is not listed once this object has
  /// been removed or is gone.
  package var holder: ObjectHandle?
  /// The number of the context with which it ends; 0 for none.
  var context: UInt32 = 0
  /// The number of rows in which it has failed.
  package var rowCount = 1
  /// The fate of a handler's writes when its budget stopped the handler.
  package var budget: BudgetReport?
  /// The context family of what has failed. The error is withdrawn when this family is reloaded.
  package var family: ObjectIdentifier?

  /// Makes an error of a code and a message.
  public init(
    _ code: Code, _ message: String, location: SourceLocation? = nil, traceback: String? = nil,
    path: String? = nil, cause: (any Error)? = nil
  ) {
    self.code = code
    self.message = message
    self.location = location
    self.traceback = traceback
    self.path = path
    self.cause = cause
  }
}

/// The fate of a handler's writes when the handler ran out of time or memory.
package struct BudgetReport: Hashable, Sendable {
  /// The number of properties, lists and dicts whose former values were restored.
  package let takenBack: Int
  /// The effects that cannot be undone, such as `file.write out.txt`.
  package let lasting: [String]

  package init(takenBack: Int, lasting: [String]) {
    self.takenBack = takenBack
    self.lasting = lasting
  }

  /// `what it wrote to 3 properties, lists or dicts was taken back`, and the effects that cannot be
  /// undone; empty if there are neither.
  package var text: String {
    var parts: [String] = []
    if takenBack > 0 {
      parts.append(
        takenBack == 1
          ? "what it wrote to 1 property, list or dict was taken back"
          : "what it wrote to \(takenBack) properties, lists or dicts was taken back")
    }
    if !lasting.isEmpty {
      parts.append("this cannot be taken back: \(lasting.joined(separator: ", "))")
    }
    return parts.joined(separator: "; ")
  }
}

extension TideError {
  /// The error for long work in the engine that has used up its turn's time or memory, worded like
  /// that of a script.
  package init(_ error: WorkError) {
    switch error {
    case .time: self.init(.scriptTime, "the turn took too long", cause: error)
    case .memory: self.init(.scriptMemory, "not enough memory", cause: error)
    }
  }
}

extension TideError: PassingFailure {
  package var isPassing: Bool {
    code == .depth || cause is WorkError || (cause as? any PassingFailure)?.isPassing ?? false
  }

  package var isCycle: Bool { code == .cycle }

  package var keepsReads: Bool {
    code == .depth || cause is WorkError || (cause as? any PassingFailure)?.keepsReads ?? false
  }
}

extension TideError {
  /// Identifies a mistake, even if its line has moved.
  package var identity: String { "\(code.number) \(path ?? "") \(message)" }
}

extension TideError: CustomStringConvertible {
  /// `app.lua:12: E0101: …`, without a location that is unknown.
  public var description: String {
    let prefix = location.map { "\($0): " } ?? ""
    return "\(prefix)\(code.label): \(fullMessage)"
  }
}

extension TideError {
  /// The message, with the binding, the view and the row that it is about.
  package var fullMessage: String {
    guard let site else { return message }
    let binding = path.map { "binding \(TransformCall.quoted($0)) of " } ?? ""
    return "\(message) (\(binding)\(site.text(ofRows: rowCount)))"
  }
}

/// The path of the file that an error's message names, as the error's cause.
///
/// Scripts can read messages and locations, so these contain only names. The folder reveals whose
/// machine this is, so only the user sees it.
package struct UnderlyingFile: Error {
  package let path: String
}

extension TideError {
  /// The full path of the file that the message names; nil if the message itself has it.
  public var underlyingPath: String? { (cause as? UnderlyingFile)?.path }
}

/// A location in a script or another text: a file, a line and, if it is known, a column, from 1.
///
/// ```swift
/// SourceLocation(file: "app.lua", line: 12).description   // "app.lua:12"
/// ```
public struct SourceLocation: Hashable, Sendable, CustomStringConvertible {
  /// The file's name in messages.
  public var file: String
  /// The line, from 1; 0 if there is none, such as for input typed in another program.
  public var line: Int
  /// The column, from 1; nil if only the line is known.
  public var column: Int?

  /// Names a location in a file.
  public init(file: String, line: Int, column: Int? = nil) {
    self.file = file
    self.line = line
    self.column = column
  }

  /// `app.lua:12` or `app.lua:12:5`.
  public var description: String {
    if line == 0 { return file }
    return column.map { "\(file):\(line):\($0)" } ?? "\(file):\(line)"
  }
}
