import TideBindings
import TideGraph

/// What a renderer of properties shows of a view beside its plain properties: what the class makes
/// of them, as the titles of its items.
///
/// ```swift
/// let description = view.description(for: renderer)
/// description.titles   // of a picker's items
/// ```
///
/// It is made anew whenever the view is among the changed ones; it holds no views but subviews.
package struct ViewDescription {
  /// The subviews that stand in its layout; of rows these are none, but `rows` has cells.
  package var subviews: [View] = []
  package var look = Appearance()
  /// The keys that the view takes.
  package var keys: [String] = []
  /// Whether somebody listens to clicks.
  package var hasClickHandlers = false
  /// Whether somebody listens to the mouse without a button.
  package var hasHoverHandlers = false
  /// The parts of a rich text; empty for plain text.
  package var spans: [Span] = []
  /// Of items that are chosen from, and of tabs.
  package var titles: [String]?
  /// Of those, the chosen one, from 0.
  package var selected: Int?
  /// Items of a menu, or of the view's context menu.
  package var menu: [MenuEntry]?
  /// Whether its context menu is only known once a handler has been asked.
  package var asksForMenu = false
  package var columns: [Column]?
  package var rows: Rows?
  package var series: [Series]?
  /// Of a field for dates: its own, the first and the last one, as `setDate` takes them, on the
  /// days that its formatter shows.
  package var dates: [String]?
  /// Of a chart with a scale, its ends, where the view does not set them.
  package var minimum: Double?
  package var maximum: Double?
  /// Of an image, the file of its picture, where that could be read.
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
    /// In cells, before the column grows; nil if no size is set.
    package let width: Int?
    /// Whether the app or a person has set the least width, and not only how it grows.
    package let hasLeastWidth: Bool
    /// The greatest width that it grows to; nil without a limit.
    package let mostWidth: Int?
    /// Its share of the remaining room; 0 if it does not grow.
    package let grow: Double
    package let canBeSorted: Bool
    /// True upwards, false downwards, nil not at all.
    package let isAscending: Bool?
  }

  package struct Rows {
    package let count: Int
    /// How high a row is, in cells; nil where each is as high as its content.
    package let height: Int?
    /// In order of their rows; each says which by `index`, from 1.
    package let cells: [View]
    /// Whether rows may be moved by hand, and somebody does so.
    package let canBeMoved: Bool
    /// Of a tree, for each cell: how deep its row is, and whether it is open, nil for a leaf.
    package var branches: [(depth: Int, isOpen: Bool?)] = []
  }

  package struct Series {
    package let title: String
    package let values: [Double?]
    package let color: Color?
  }
}

extension View {
  /// Describes it for a renderer of properties. Nothing of it is recorded.
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
  /// Menus within menus, which may contain themselves.
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
