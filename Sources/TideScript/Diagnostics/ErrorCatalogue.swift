/// A one-sentence summary of each error code, for help. The article "Errors" has the details.
package enum ErrorCatalogue {
  package struct Entry: Sendable {
    /// `E0402`, or `W0604` for a code that is always a warning.
    package let label: String
    /// The name, for programs.
    package let name: String
    package let summary: String
  }

  package static let entries: [Entry] = [
    Entry(
      label: "E0001", name: "syntax", summary: "An expression or path does not follow the grammar."),
    Entry(label: "E0002", name: "missingOperator", summary: "A binding expression has no arrow."),
    Entry(
      label: "E0003", name: "missingLeft",
      summary: "A binding expression has nothing before its arrow."),
    Entry(
      label: "E0004", name: "missingRight",
      summary: "A binding expression has nothing after its arrow."),
    Entry(
      label: "E0005", name: "unknownOperator",
      summary: "No view or collection operator has that name, or it does not apply there."),
    Entry(
      label: "E0006", name: "unknownTransformer",
      summary: "No transformer of that name is registered."),
    Entry(
      label: "E0007", name: "irreversible",
      summary: "A value has to go back through a transformer that has no reverse."),
    Entry(
      label: "E0008", name: "badArgument",
      summary: "A function, an option or a transformer was given what it does not take."),
    Entry(
      label: "E0101", name: "unknownProperty",
      summary: "The object has no property or method of that name."),
    Entry(
      label: "E0102", name: "unknownModel", summary: "Nothing has declared a model of that name."),
    Entry(
      label: "E0103", name: "wrongType",
      summary: "The value is not of the type that the property holds."),
    Entry(label: "E0104", name: "readOnly", summary: "The property cannot be written."),
    Entry(label: "E0105", name: "refused", summary: "A validator refused the value."),
    Entry(
      label: "E0106", name: "conversion",
      summary: "A binding could not convert the value to the target's type."),
    Entry(label: "E0107", name: "disposed", summary: "The object is gone."),
    Entry(
      label: "E0108", name: "notOneProperty",
      summary:
        "A key path is not one observable property: it reads none or several, or makes something of one."
    ),
    Entry(label: "E0109", name: "outOfRange", summary: "A position lies outside a list."),
    Entry(label: "E0110", name: "duplicate", summary: "The name is taken."),
    Entry(
      label: "E0111", name: "settings",
      summary: "A settings file cannot be read or written, or a value cannot be kept in it."),
    Entry(
      label: "E0112", name: "unwritten",
      summary:
        "The record that a person was editing is gone, and what was entered since is in no record."),
    Entry(
      label: "E0201", name: "cycle",
      summary: "Values depend on each other, or keep changing each other."),
    Entry(
      label: "E0202", name: "depth",
      summary: "Computed values nest too deep to be evaluated at first."),
    Entry(
      label: "E0203", name: "transformer",
      summary: "A host's function that makes a value has thrown an error of its own."),
    Entry(
      label: "E0204", name: "observer",
      summary: "A host's function that was called for a change has thrown an error of its own."),
    Entry(
      label: "E0205", name: "unresolvedName",
      summary: "A binding begins with a name that is neither that of a model nor that of a view."),
    Entry(
      label: "E0206", name: "context",
      summary: "Contexts were opened and finished unevenly, or there is none of that name."),
    Entry(label: "E0207", name: "full", summary: "A table of the graph has no room left."),
    Entry(label: "E0208", name: "async", summary: "Something waits where waiting is not possible."),
    Entry(
      label: "E0209", name: "deadlock", summary: "Waiting would never end: two wait for each other."
    ),
    Entry(
      label: "E0210", name: "graph",
      summary: "Something belongs to another graph, or to another runtime."),
    Entry(
      label: "E0211", name: "blocking",
      summary: "A task calls a function that lets the whole app stand still."),
    Entry(label: "E0301", name: "unknownView", summary: "No view class has that name."),
    Entry(
      label: "E0302", name: "unknownEvent", summary: "The view's class has no event of that name."),
    Entry(label: "E0303", name: "badColor", summary: "The text is not a colour."),
    Entry(label: "E0304", name: "badTree", summary: "A view cannot stand there."),
    Entry(label: "E0305", name: "badKey", summary: "No key has that name."),
    Entry(
      label: "E0320", name: "terminal",
      summary: "The terminal is not there, went away or is no terminal."),
    Entry(
      label: "E0321", name: "badImage",
      summary: "A picture's file is missing, damaged, too large or of another format."),
    Entry(label: "E0401", name: "scriptSyntax", summary: "The script does not parse."),
    Entry(label: "E0402", name: "scriptError", summary: "The script raised an error."),
    Entry(label: "E0403", name: "scriptMemory", summary: "The budget of memory is used up."),
    Entry(label: "E0404", name: "scriptTime", summary: "The turn has lasted too long."),
    Entry(label: "E0405", name: "scriptDepth", summary: "The script's calls nest too deep."),
    Entry(label: "E0406", name: "scriptEncoding", summary: "The file is not UTF-8."),
    Entry(label: "E0407", name: "scriptFile", summary: "The file cannot be read."),
    Entry(label: "E0408", name: "scriptSize", summary: "The file is too large to be a script."),
    Entry(
      label: "E0409", name: "module",
      summary: "`require` found no such module, or the module requires itself."),
    Entry(label: "E0410", name: "interrupted", summary: "The script was stopped from outside."),
    Entry(
      label: "E0411", name: "eventLoop",
      summary: "The system refuses what an event loop needs, such as another descriptor."),
    Entry(
      label: "E0412", name: "limit",
      summary: "There is more of something than the app may have, or than the system gives."),
    Entry(label: "E0413", name: "cancelled", summary: "A task was cancelled that somebody awaits."),
    Entry(
      label: "E0414", name: "source",
      summary: "A file, a program or a server did not give what a script asked for."),
    Entry(
      label: "E0415", name: "timeout", summary: "What a script waited for took longer than it may."),
    Entry(
      label: "E0416", name: "notAllowed",
      summary: "The script may not use the file, program or host."),
    Entry(
      label: "E0417", name: "noStub", summary: "A spec has called a source that it has no stub for."
    ),
    Entry(label: "E0418", name: "json", summary: "A text is not JSON."),
    Entry(
      label: "E0419", name: "interpreter",
      summary: "The release of the Lua library is not supported."),
    Entry(
      label: "E0420", name: "watching",
      summary: "Files cannot be watched, or not as well as they should."),
    Entry(label: "E0430", name: "output", summary: "Standard output is closed or full."),
    Entry(
      label: "E0431", name: "noView", summary: "A snapshot was asked for, and no view is shown."),
    Entry(
      label: "E0432", name: "confinement",
      summary: "The kernel cannot confine the process as required."),
    Entry(label: "E0433", name: "serving", summary: "No browser can be served at the address."),
    Entry(label: "E0434", name: "browser", summary: "A browser cannot be opened."),
    Entry(label: "E0435", name: "store", summary: "A database refuses what was asked of it."),
    Entry(
      label: "E0436", name: "sharing", summary: "A shared model cannot be kept the same for all."),
    Entry(
      label: "E0437", name: "worker",
      summary: "The process of a private session has ended before its time."),
    Entry(
      label: "E0501", name: "metaCommand",
      summary: "The prompt has no such command, or the command lacks its argument."),
    Entry(
      label: "E0502", name: "attach",
      summary: "There is no app to attach to, or the connection to it has failed."),
    Entry(
      label: "E0503", name: "driveUsage",
      summary: "A verb of tidelock drive does not exist, or has the wrong arguments."),
    Entry(
      label: "E0504", name: "notTrue",
      summary: "An expression that tidelock drive asserted or waited for was not true."),
    Entry(
      label: "E0601", name: "unknownGlobal",
      summary: "A check found a variable that nothing declares or assigns."),
    Entry(
      label: "E0602", name: "unknownMember",
      summary: "A table of the library or of the API has no such entry."),
    Entry(
      label: "W0603", name: "hiddenName",
      summary: "A variable takes the place of a name of the API."),
    Entry(
      label: "W0604", name: "unusedModel", summary: "A check found a model that nothing names."),
    Entry(
      label: "W0605", name: "notChecked",
      summary: "A script is too large or too deep for more than its syntax to be checked."),
    Entry(
      label: "W0606", name: "composedSQL",
      summary: "SQL is put together from values, in place of parameters."),
    Entry(
      label: "E0607", name: "methodCall",
      summary: "A method is called with a dot, or a plain function with a colon."),
    Entry(
      label: "W0608", name: "extraArgument",
      summary: "A call has more arguments than the function has parameters."),
    Entry(
      label: "W0609", name: "unusedTransformer",
      summary: "A check found a transformer that is never used."),
    Entry(label: "W0610", name: "unusedID", summary: "A check found an id that is never used."),
    Entry(label: "W0611", name: "unreachableBinding", summary: "A binding never carries a value."),
    Entry(
      label: "W0612", name: "changedLoop",
      summary: "A loop that counts over a list changes the list."),
    Entry(
      label: "W0613", name: "readOnce",
      summary: "A property is read where a view is made, so that the view does not follow it."),
    Entry(
      label: "W0614", name: "nothingShown", summary: "A script makes views and shows none of them."),
    Entry(
      label: "W0620", name: "formatArguments",
      summary: "The directives of a format and its values do not go together."),
    Entry(
      label: "W0621", name: "libraryArguments",
      summary: "A function of Lua's library has too few or too many arguments."),
    Entry(
      label: "W0622", name: "accidentalGlobal",
      summary: "A function or module makes a global without declaring it."),
    Entry(label: "W0623", name: "unusedLocal", summary: "Nothing reads a local variable."),
    Entry(
      label: "W0624", name: "repeatedLocal",
      summary: "A block declares a local variable twice."),
    Entry(
      label: "W0625", name: "repeatedKey",
      summary: "A key stands twice in a table, which keeps only the last value."),
    Entry(
      label: "W0626", name: "noOrder",
      summary: "A function that compares two elements gives no order."),
    Entry(
      label: "W0627", name: "endlessLoop",
      summary: "Nothing ends a loop, and nothing in it waits."),
    Entry(
      label: "W0628", name: "unusedResult",
      summary: "A call only gives a result, and nothing uses it."),
    Entry(
      label: "E0900", name: "unexpected", summary: "A fault of the engine or of a host's function."),
  ]

  /// The entry for a label or a name. A warning may share the number of an error, as W0211 does.
  package static func entry(_ code: String) -> Entry? {
    let digits = code.dropFirst()
    let isLabel = "EWew".contains(code.first ?? " ") && digits.count == 4
    return entries.first { $0.name == code || isLabel && $0.label.dropFirst() == digits }
  }
}
