import TideBindings
import TideGraph

/// The derived content of a view for a renderer that shows properties, in addition to the plain
/// properties: for example the titles of its items.
///
/// ```swift
/// let description = view.description(for: renderer)
/// description.titles   // of a picker's items
/// ```
///
/// It is made again whenever the view has changed. Apart from subviews and cells it contains no
/// views.
package struct ViewDescription {
  /// The subviews in its layout. It is empty for a view of rows, whose cells are in `rows`.
  package var subviews: [View] = []
  package var look = Appearance()
  /// The keys that the view handles.
  package var keys: [String] = []
  /// Whether the view handles clicks.
  package var hasClickHandlers = false
  /// Whether the view handles `hover`.
  package var hasHoverHandlers = false
  /// The parts of rich text; empty for plain text.
  package var spans: [Span] = []
  /// The titles of the items of a choice, or of tabs.
  package var titles: [String]?
  /// The index of the selected item or tab, from 0.
  package var selected: Int?
  /// The items of a menu, or of the view's context menu.
  package var menu: [MenuEntry]?
  /// Whether handlers must run before the context menu is known.
  package var asksForMenu = false
  package var columns: [Column]?
  package var rows: Rows?
  package var series: [Series]?
  /// For a date field: the value, minimum and maximum in the format of `setDate`, in the field's
  /// time zone.
  package var dates: [String]?
  /// For a chart with a scale: the ends of the scale that the view does not set.
  package var minimum: Double?
  package var maximum: Double?
  /// For an image: the path of its file, if it could be read.
  package var source: String?

  package struct Appearance: Equatable {
    package var foreground: Color?
    package var background: Color?
    package var isBold = false
    package var isItalic = false
    package var isUnderlined = false
    package var isDim = false
  }

  package struct Span {
    package let text: String
    package let look: Appearance
  }

  package struct MenuEntry {
    package let title: String
    package let key: String?
    package let isEnabled: Bool
    package let isTicked: Bool
    package let entries: [MenuEntry]?
  }

  package struct Column {
    package let title: String
    package let alignment: String
    /// The width in cells before the column grows; nil if no size is set.
    package let width: Int?
    /// Whether the app or the user has set a minimum width, rather than only `grow`.
    package let hasLeastWidth: Bool
    /// The maximum width; nil without a limit.
    package let mostWidth: Int?
    /// The share of the remaining space; 0 if the column does not grow.
    package let grow: Double
    package let canBeSorted: Bool
    /// True for ascending, false for descending, nil for unsorted.
    package let isAscending: Bool?
  }

  package struct Rows {
    package let count: Int
    /// The height of the rows in cells; nil if each row is as high as its content.
    package let height: Int?
    /// The cells in the order of their rows; the property `index` of each is its row, from 1.
    package let cells: [View]
    /// Whether the user can move rows: the view allows it and a handler implements it.
    package let canBeMoved: Bool
    /// For a tree: the depth of each cell's row, and whether it is expanded; nil for a leaf.
    package var branches: [(depth: Int, isOpen: Bool?)] = []
  }

  package struct Series {
    package let title: String
    package let values: [Double?]
    package let color: Color?
  }
}

extension View {
  /// The description for a renderer that shows properties; reads are not tracked.
  package final func describe() -> ViewDescription {
    graph.untracked {
      var description = ViewDescription()
      description.subviews = children.filter { !$0.isFloat || $0 is DialogView }
      let look = (try? Look(self, StyleSheet.of(graph))) ?? Look()
      description.look = ViewDescription.Appearance(look)
      description.keys = keyHandlers.map { $0.key.description }
      description.hasClickHandlers = hasHandler(.click) || hasHandler(.doubleClick)
      description.hasHoverHandlers = hoverHandlers > 0
      description.asksForMenu = hasHandler(.willShowContextMenu)
      if hasContextMenu {
        description.menu = contextMenuEntries
      }
      describe(&description)
      return description
    }
  }
}

extension ViewDescription.Appearance {
  init(_ look: Look) { apply(look) }

  /// Applies another look on top.
  mutating func apply(_ look: Look) {
    if let color = look.foreground { foreground = color }
    if let color = look.background { background = color }
    if look.attributes.contains(.bold) { isBold = true }
    if look.attributes.contains(.italic) { isItalic = true }
    if look.attributes.contains(.underline) { isUnderlined = true }
    if look.attributes.contains(.dim) { isDim = true }
  }
}

extension ViewDescription.MenuEntry {
  /// The maximum depth of submenus, since items may contain themselves.
  private static let mostLevels = 8

  init(_ item: MenuItem, level: Int = 0, _ read: (Value) -> [MenuItem]) {
    title = item.title
    key = item.key?.description
    isEnabled = item.isEnabled
    isTicked = item.isTicked
    entries =
      item.hasItems && level < Self.mostLevels
      ? read(item.items).map { Self($0, level: level + 1, read) } : nil
  }
}
