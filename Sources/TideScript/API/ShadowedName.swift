package import TideBindings

/// The first name of a path in `bindTo` that is both a property of the view and a model. It is the
/// view's own property, so the model cannot be reached by it.
package enum ShadowedName {
  /// Properties of views that lead to other objects only once the view is shown, or selects
  /// something.
  static let shownLater: Set = [
    "dataObject", "superview", "selectedObject", "selectedObjects", "selectedValue",
  ]

  /// The property by which a model of that name is always meant: a path through the view's window
  /// would lead to a property of the same name there.
  package static let window = "window"

  /// Why the path does not lead to the model.
  package enum Reason {
    case leadsNowhere, isNil, isOther
  }

  /// - Parameters:
  ///   - kind: the view's class.
  ///   - other: what else has the name, such as `a model`.
  package static func message(
    _ name: String, in path: Path, of kind: String, and other: String = "a model",
    _ reason: Reason
  ) -> String {
    let rest = Path(steps: Array(path.steps.dropFirst()))
    let end =
      switch reason {
      case .leadsNowhere: ", from which \"\(path)\" leads nowhere"
      case .isNil: ", which is nil"
      case .isOther: ""
      }
    return
      "\"\(name)\" is a property of \(kind) and also the name of \(other); in bindTo it is the "
      + "view's own property\(end). Give the model another name, or write "
      + "{ path = \"it.\(rest)\", roots = { it = \(name) } }"
  }
}
