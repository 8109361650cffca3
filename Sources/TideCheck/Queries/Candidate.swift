import TideBindings
import TideScript
import TideViews

/// A suggestion for text at a caret, such as the name of a model.
package struct Candidate {
  package enum Kind: Sendable {
    case variable, function, method, property, model, view, viewClass, transformer, event, style,
      module, option, value, operation, keyword
  }

  package let name: String
  package let kind: Kind
  /// Its type, or its signature.
  package var detail = ""
  /// Its documentation, in Markdown.
  package var documentation = ""
}
