/// A path step that leads from a view to another one.
///
/// Searches start beyond the view itself, and class matches include subclasses.
public enum ViewOperator: Hashable, Sendable {
  case superview
  /// The topmost ancestor below the window.
  case rootView
  /// The nearest ancestor that is a list or collection cell.
  case cell
  case superviewWithTag(Int)
  case superviewWithID(String)
  case superviewWithClass(String)
  /// A direct child, counted from 0: the one place that does not count from 1.
  case subview(Int)
  case subviewWithTag(Int)
  case subviewWithID(String)
  case subviewWithClass(String)
}

extension ViewOperator: CustomStringConvertible {
  public var description: String {
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

  /// An argument as it is written between brackets: in quotes only where it must be.
  private static func argument(_ text: String) -> String {
    let isPlain =
      !text.isEmpty
      && text.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F && $0 != .bracketClose && !$0.isQuote }
    return isPlain ? text : TransformCall.quoted(text)
  }
}
