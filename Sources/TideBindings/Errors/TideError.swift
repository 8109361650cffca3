import TideGraph

/// Whatever can go wrong in models, bindings and views: a code, a message, a location and a cause.
///
/// ```swift
/// do { try person.set("agee", 12) } catch { print(error) }
/// // E0101: Person has no property "agee"; did you mean "age"?
/// ```
public struct TideError: Error {
  /// What kind of mistake it is.
  public var code: Code
  /// What went wrong and what to do, in one or more lines.
  public var message: String
  /// Where in a script, when a script caused it.
  public var location: SourceLocation?
  /// The stack of a script, innermost call first.
  public var traceback: String?
  /// The route of the binding that failed, as it was written.
  public var path: String?
  /// The error of another library that led to it; nil for none.
  public var cause: (any Error)?
  /// Whether it is about what a person has entered, and not about the program: it shows at the
  /// field, and is gone when the entry is fixed or discarded.
  package var isOfEdit = false
  /// Its number on the list of errors; 0 for one that is not listed by itself.
  package var entry = 0
  /// Where a person finds what has failed; nil for what is in no view.
  package var site: FailureSite?
  /// The view, or another object, that it belongs to: while that is not shown, or is gone, it is
  /// not listed.
  package var holder: ObjectHandle?
  /// The number of the context that it belongs to, and with which it ends; 0 for none.
  var context: UInt32 = 0
  /// In how many rows it has failed.
  package var rowCount = 1
  /// What became of a handler's writes when its budget stopped the handler.
  package var budget: BudgetReport?
  /// The family of contexts of what failed, with which it goes where that is reloaded.
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

/// What became of a handler's writes when the handler ran out of time or memory.
package struct BudgetReport: Hashable, Sendable {
  /// The number of properties, lists and dicts whose former values were restored.
  package let takenBack: Int
  /// What cannot be taken back, such as `file.write out.txt`.
  package let lasting: [String]

  package init(takenBack: Int, lasting: [String]) {
    self.takenBack = takenBack
    self.lasting = lasting
  }

  /// `what it wrote to 3 properties, lists or dicts was taken back`, and what could not be taken
  /// back; empty where there was nothing to take back.
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
  /// The error of long work in the engine that ran out of its turn's time or memory, worded like
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
  /// Tells one mistake from another, wherever its line has moved to.
  package var identity: String { "\(code.number) \(path ?? "") \(message)" }
}

extension TideError: CustomStringConvertible {
  /// `app.lua:12: E0101: …`; without the location where none is known.
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

/// The file behind the name in an error's message: the error's cause.
///
/// Scripts can read messages and locations, and are told names. Where a file lies says whose
/// machine this is, which is for the person alone.
package struct UnderlyingFile: Error {
  package let path: String
}

extension TideError {
  /// The full path of the file that the message names; nil where the message itself has it.
  public var underlyingPath: String? { (cause as? UnderlyingFile)?.path }
}

/// A location in a script or another text: a file, a line and, where it is known, a column, from 1.
///
/// ```swift
/// SourceLocation(file: "app.lua", line: 12).description   // "app.lua:12"
/// ```
public struct SourceLocation: Hashable, Sendable, CustomStringConvertible {
  /// The file, as messages name it.
  public var file: String
  /// The line, from 1; 0 where there is none, as of what a person has typed in another program.
  public var line: Int
  /// The column, from 1; nil where only the line is known.
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
