/// A path step that leads from a view to another one.
///
/// ```swift
/// try Path("@superview.text").steps.first == .view(.superview)   // true
/// ```
///
/// Searches start beyond the view itself, and class matches include subclasses.
package enum ViewOperator: Hashable, Sendable {
  /// The superview.
  case superview
  /// The topmost ancestor below the window.
  case rootView
  /// The nearest ancestor that is a list or collection cell.
  case cell
  /// The nearest ancestor with a tag.
  case superviewWithTag(Int)
  /// The nearest ancestor with an id.
  case superviewWithID(String)
  /// The nearest ancestor of a class.
  case superviewWithClass(String)
  /// A direct subview, counted from 0: the only index that does not count from 1.
  case subview(Int)
  /// The first descendant with a tag.
  case subviewWithTag(Int)
  /// The first descendant with an id.
  case subviewWithID(String)
  /// The first descendant of a class.
  case subviewWithClass(String)
}

extension ViewOperator: CustomStringConvertible {
  /// The step in the notation of paths, as in `@superviewWithTag[3]`.
  package var description: String {
    switch self {
    case .superview: "@superview"
    case .rootView: "@rootview"
    case .cell: "@cell"
    case .superviewWithTag(let tag): "@superviewWithTag[\(tag)]"
    case .superviewWithID(let id): "@superviewWithRestorationID[\(Self.argument(id))]"
    case .superviewWithClass(let name): "@superviewWithClass[\(Self.argument(name))]"
    case .subview(let index): "@subviews[\(index)]"
    case .subviewWithTag(let tag): "@subviewWithTag[\(tag)]"
    case .subviewWithID(let id): "@subviewWithRestorationID[\(Self.argument(id))]"
    case .subviewWithClass(let name): "@subviewWithClass[\(Self.argument(name))]"
    }
  }

  /// An argument in brackets, in quotes only if necessary.
  private static func argument(_ text: String) -> String {
    let isPlain =
      !text.isEmpty
      && text.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F && $0 != .bracketClose && !$0.isQuote }
    return isPlain ? text : TransformCall.quoted(text)
  }
}
