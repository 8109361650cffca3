/// The meaning of a text that an argument, an option or a property takes.
///
/// ```lua
/// ---@param path tidelock.ObjectPath
/// ---@field when? tidelock.RootPath|fun(): any
/// ```
///
/// The catalogue declares it as the type of the parameter or field. The checker, completion,
/// references, renaming and the reference page use that type. To editors it is a string.
package enum NameRole: String, CaseIterable, Sendable {
  case objectPath = "ObjectPath"
  case sourcePath = "SourcePath"
  case rootPath = "RootPath"
  case rowPath = "RowPath"
  case methodName = "MethodName"
  case className = "ClassName"
  case viewClassName = "ViewClassName"
  case viewPropertyName = "ViewPropertyName"
  case contextName = "ContextName"
  case modelOrContextName = "ModelOrContextName"
  case eventName = "EventName"
  case viewID = "ViewID"
  case screenSize = "ScreenSize"
  case appFile = "AppFile"
  case keys = "Keys"
  case heldKeys = "HeldKeys"
  case reversibleTransformers = "ReversibleTransformers"

  /// The description in the reference.
  package var summary: String {
    switch self {
    case .objectPath: "a path from the object in the argument before it"
    case .sourcePath: "a path from the object that the left path of the binding begins at"
    case .rootPath: "a path that begins with the name of a model or the id of a view"
    case .rowPath: "a path from each row; before one that sorts, `-` means descending"
    case .methodName: "a method of the object in the argument before it"
    case .className: "a class of objects or of views"
    case .viewClassName: "a class of views"
    case .viewPropertyName: "a property of the class in the argument before it"
    case .contextName: "a context"
    case .modelOrContextName: "a model or a context"
    case .eventName: "an event of the view in the argument before it"
    case .viewID: "the id or the title of a view"
    case .screenSize: "columns and rows: `80x24`"
    case .appFile: "the file of an app"
    case .keys: "keys by their names: `Tab a Enter`"
    case .heldKeys: "keys that are held: `Ctrl-Shift`"
    case .reversibleTransformers: "transformers that have a way back"
    }
  }

  /// The type in annotations.
  package var type: String { "tidelock.\(rawValue)" }

  /// Whether editors get a list of the possible names.
  package var isListed: Bool { self == .eventName }
}
