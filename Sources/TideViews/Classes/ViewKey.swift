import TideBindings
public import TideGraph

/// A typed key for a view's property, so that the compiler checks reads and writes.
///
/// ```swift
/// label[.text] = "Hello"
/// gauge[ViewKey<Double>("level")] = 0.5
/// ```
public struct ViewKey<Content: TideConvertible>: Sendable {
  let known: ViewProperty?
  /// Whether the value is a position. Positions are stored counting from 1, as scripts see them.
  let isPosition: Bool
  private let ownName: String

  /// Names a property of a custom class.
  public init(_ name: String) {
    ownName = name
    known = nil
    isPosition = false
  }

  init(_ known: ViewProperty, isPosition: Bool = false) {
    ownName = ""
    self.isPosition = isPosition
    self.known = known
  }

  /// The property's name in scripts and paths.
  public var name: String { known?.name ?? ownName }
}

extension View {
  /// A property's value. Reads are tracked as dependencies, and a write settles the graph.
  ///
  /// A property that the class does not have reads as the type's default value; writing it reports
  /// an error to the scene's `onError`. Positions, such as `selectedIndex`, count from 0 here and
  /// from 1 in scripts, bindings and paths.
  public final subscript<Content: TideConvertible>(key: ViewKey<Content>) -> Content {
    get {
      guard let index = index(of: key) else { return Content.load(header) }
      let slot = slot(index)
      try? graph.refresh(slot)
      Graph.trackRead(of: slot)
      if key.isPosition, case .integer(let number) = slot.load(),
        let position = Content.make(from: .integer(number.position))
      {
        return position
      }
      return Content.load(slot)
    }
    set {
      guard let index = index(of: key) else { return report(unknownProperty(key.name)) }
      if key.isPosition, case .integer(let position) = newValue.makeValue() {
        do { try write(index, .integer(position.number)) } catch { report(error) }
        return
      }
      let slot = slot(index)
      if viewClass.isPlain(index) && !Graph.needsConsent(slot) {
        if Graph.noting(slot, { Content.store(newValue, in: slot) }) { slot.noteChange() }
      } else {
        writeJudged(index, newValue)
      }
    }
  }

  private func index<Content>(of key: ViewKey<Content>) -> Int? {
    guard let known = key.known else { return shape.index(of: key.name) }
    return viewClass.index(of: known)
  }

  private func writeJudged<Content: TideConvertible>(_ index: Int, _ content: Content) {
    let scratch = graph.makeSource(.null)
    defer { graph.dispose(scratch) }
    Content.store(content, in: scratch)
    do { try write(index, scratch.load()) } catch { report(error) }
  }

  /// Reads a property without tracking the read: for layout and drawing.
  final func peek<Content: TideConvertible>(_ property: ViewProperty, as: Content.Type) -> Content {
    guard let index = viewClass.index(of: property) else { return Content.load(header) }
    return Content.load(slot(index))
  }

  final func flag(_ property: ViewProperty) -> Bool { peek(property, as: Bool.self) }
  final func text(_ property: ViewProperty) -> String { peek(property, as: String.self) }

  /// Writes a property on behalf of the program, even where it is read only for scripts.
  final func put(_ property: ViewProperty, _ value: Value) {
    guard let index = viewClass.index(of: property) else { return }
    _ = try? store(index, value, settling: true)
  }
}

extension ViewKey where Content == String? {
  /// The path of an image's PNG file, relative to the app's folder.
  public static var source: Self { Self(.source) }
  /// The name that identifies the view for scripts, paths and state kept across a reload.
  public static var id: Self { Self(.id) }
  /// The error message for the view's current input; nil if the input is valid.
  public static var error: Self { Self(.error) }
  /// For a table: the key of the column that its rows are sorted by, with a leading `-` for
  /// descending order.
  public static var sort: Self { Self(.sort) }
  /// For a tree: the path from an object to the list of its children.
  public static var childrenPath: Self { Self(.childrenPath) }
  /// The view's label in a form; nil for a view that spans the form's whole width.
  public static var label: Self { Self(.label) }
  /// A one-line hint that is shown while the view has the focus.
  public static var tooltip: Self { Self(.tooltip) }
  /// The text colour: a name such as `red`, or `#rrggbb`; nil inherits the superview's.
  public static var textColor: Self { Self(.textColor) }
  /// The background colour: a name or `#rrggbb`; nil for none.
  public static var backgroundColor: Self { Self(.backgroundColor) }
}

extension ViewKey where Content == String {
  /// The alignment across the superview's direction: `start`, `center`, `end` or `stretch`.
  public static var align: Self { Self(.align) }
  /// The title of a button, a box, a dialog or a toggle.
  public static var title: Self { Self(.title) }
  /// The text of a label, a field or a text area.
  public static var text: Self { Self(.text) }
  /// The text shown while the view has no text or no selection.
  public static var placeholder: Self { Self(.placeholder) }
  /// For rows: how many may be selected, `none`, `one` or `many`.
  public static var selectionMode: Self { Self(.selectionMode) }
  /// For a chart: `spark`, `line` or `bar`.
  public static var kind: Self { Self(.kind) }
  /// For a split: `horizontal` or `vertical`.
  public static var axis: Self { Self(.axis) }
}

extension ViewKey where Content == Bool? {
  /// For a chart: whether its scale is shown; nil shows it if there is enough space.
  public static var scale: Self { Self(.scale) }
}

extension ViewKey where Content == Int? {
  /// For a line chart: how many values fit its width.
  public static var points: Self { Self(.points) }
  /// A number that identifies the view in paths.
  public static var tag: Self { Self(.tag) }
  /// For a field: the maximum number of characters; nil for no limit.
  public static var maxLength: Self { Self(.maxLength) }
  /// For a choice or rows: the selected index, from 0; nil for none. Scripts count from 1.
  public static var selectedIndex: Self { Self(.selectedIndex, isPosition: true) }
  /// For a cell: the index of its row, from 0. Scripts count from 1.
  public static var index: Self { Self(.index, isPosition: true) }
}

extension ViewKey where Content == Bool {
  /// For a spinner: whether it is animated.
  public static var isAnimating: Self { Self(.isAnimating) }
  /// Whether the view and its descendants are neither laid out nor drawn.
  public static var hidden: Self { Self(.hidden) }
  /// Whether the view and its descendants accept input.
  public static var enabled: Self { Self(.enabled) }
  /// Whether Tab stops at it.
  public static var focusable: Self { Self(.focusable) }
  /// Whether the view has the focus when its app or dialog is first shown.
  public static var autofocus: Self { Self(.autofocus) }
  /// Whether the view has the focus; read only.
  public static var focused: Self { Self(.focused) }
  /// Whether the view shows the last value of a binding that currently has none.
  public static var isStale: Self { Self(.isStale) }
  /// Whether a handler may start again while an earlier call for the same event still waits.
  public static var concurrent: Self { Self(.concurrent) }
  /// Whether text is bold; descendants inherit it.
  public static var bold: Self { Self(.bold) }
  /// Whether text is italic; descendants inherit it.
  public static var italic: Self { Self(.italic) }
  /// Whether text is underlined; descendants inherit it.
  public static var underline: Self { Self(.underline) }
  /// Whether text that is too wide wraps to the next line.
  public static var wrap: Self { Self(.wrap) }
  /// Whether text that is too wide ends with an ellipsis.
  public static var truncate: Self { Self(.truncate) }
  /// For a field: whether bullets are shown in place of characters.
  public static var secure: Self { Self(.secure) }
  /// For a field or text area: whether its text can be edited.
  public static var editable: Self { Self(.editable) }
  /// For a button: whether it is drawn as switched on.
  public static var selected: Self { Self(.selected) }
  /// For a button: whether one of its handlers is waiting; read only.
  public static var busy: Self { Self(.busy) }
  /// For a toggle: whether it is on.
  public static var isOn: Self { Self(.isOn) }
  /// For rows: whether the view scrolls to rows that are added at the end.
  public static var followsEnd: Self { Self(.followsEnd) }
  /// Whether a row stays at its position until its edit ends.
  public static var holdsEditedRow: Self { Self(.holdsEditedRow) }
  /// For a dialog: whether it blocks keyboard and mouse input to all other views.
  public static var modal: Self { Self(.modal) }
}

extension ViewKey where Content == Double? {
  /// The width in cells; nil for the width of the content. Set a width relative to the superview's
  /// inner width as text: `try view.set("width", "50%")`. The same holds for `height`, `minWidth`
  /// and `maxWidth`.
  public static var width: Self { Self(.width) }
  /// The height in cells; nil for the height of the content.
  public static var height: Self { Self(.height) }
  /// The ratio of width to height, both in cells; nil for none.
  public static var aspect: Self { Self(.aspect) }
  /// The minimum width in cells; nil for none.
  public static var minWidth: Self { Self(.minWidth) }
  /// The maximum width in cells; nil for none.
  public static var maxWidth: Self { Self(.maxWidth) }
  /// The position in the tab order. Views with a number precede the others, lowest number first;
  /// nil uses the view's position in the tree.
  public static var order: Self { Self(.order) }
  /// For rows: the height of each row in cells; nil for the height of its cell.
  public static var rowHeight: Self { Self(.rowHeight) }
  /// For a collection: the width of each item in cells.
  public static var itemWidth: Self { Self(.itemWidth) }
  /// The value at the low end of a slider, a stepper, a progress bar or a chart.
  public static var minimum: Self { Self(.minimum) }
  /// The value at the high end of a slider, a stepper, a progress bar or a chart.
  public static var maximum: Self { Self(.maximum) }
  /// For a split: the position of its divider, in cells.
  public static var position: Self { Self(.position) }
}

extension ViewKey where Content == Double {
  /// The view's share of the remaining space in its superview; 0 for none.
  public static var grow: Self { Self(.grow) }
  /// The distance between subviews, in cells.
  public static var spacing: Self { Self(.spacing) }
  /// The value of a slider or a stepper.
  public static var value: Self { Self(.value) }
  /// The first visible column of the content, from 0.
  public static var scrollX: Self { Self(.scrollX) }
  /// The first visible row of the content, from 0.
  public static var scrollY: Self { Self(.scrollY) }
}

extension ViewKey where Content == Value {
  /// The value that matches a rebuilt view with its predecessor among its siblings.
  public static var key: Self { Self(.key) }
  /// The object that the view shows: its own, or else that of its superview.
  public static var dataObject: Self { Self(.dataObject) }
  /// Cells inside its edges: a number, or a list of two or four.
  public static var padding: Self { Self(.padding) }
  /// Cells outside its edges: a number, or a list of two or four.
  public static var margin: Self { Self(.margin) }
  /// The names of its styles.
  public static var style: Self { Self(.style) }
  /// The items of the context menu, which a right click or Shift-F10 opens: a list, like the
  /// `items` of a menu.
  public static var contextMenu: Self { Self(.contextMenu) }
  /// For a picker, a radio, a menu or rows: the list of items.
  public static var items: Self { Self(.items) }
  /// For a chart: the labels below its values.
  public static var labels: Self { Self(.labels) }
  /// For a chart: numbers, lists of numbers, or objects with `values`.
  public static var values: Self { Self(.values) }
  /// For a grid or a table: the number of columns, or a description of each.
  public static var columns: Self { Self(.columns) }
  /// For tabs: the title of each tab.
  public static var titles: Self { Self(.titles) }
  /// For a choice or rows: the selected item; null for none.
  public static var selectedObject: Self { Self(.selectedObject) }
}
