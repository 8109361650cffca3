import TideBindings
public import TideGraph

/// A property of views with its Swift type, so that the compiler checks what is read and written.
///
/// ```swift
/// label[.text] = "Hello"
/// gauge[ViewKey<Double>("level")] = 0.5
/// ```
public struct ViewKey<Content: TideConvertible>: Sendable {
  let known: ViewProperty?
  /// Whether it is a position, which is kept as scripts count it, from 1.
  let isPosition: Bool
  private let ownName: String

  /// Names a property of a class of one's own.
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

  /// The property's name, as scripts and paths know it.
  public var name: String { known?.name ?? ownName }
}

extension View {
  /// A property; reading is recorded, writing settles.
  ///
  /// A property that the class does not have reads as empty, and writing it is an error that goes
  /// to the scene's `onError`. Positions, such as `selectedIndex`, count from 0 here; scripts,
  /// bindings and paths see the same property from 1.
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

  /// Reads a property without recording the read: for layout and drawing.
  final func peek<Content: TideConvertible>(_ property: ViewProperty, as: Content.Type) -> Content {
    guard let index = viewClass.index(of: property) else { return Content.load(header) }
    return Content.load(slot(index))
  }

  final func flag(_ property: ViewProperty) -> Bool { peek(property, as: Bool.self) }
  final func text(_ property: ViewProperty) -> String { peek(property, as: String.self) }

  /// Writes a property for the program, whatever scripts may write there.
  final func put(_ property: ViewProperty, _ value: Value) {
    guard let index = viewClass.index(of: property) else { return }
    _ = try? store(index, value, settling: true)
  }
}

extension ViewKey where Content == String? {
  /// Of an image: the path of a PNG file, from the app's folder.
  public static var source: Self { Self(.source) }
  /// The name by which scripts and paths find the view, and by which its state survives a reload.
  public static var id: Self { Self(.id) }
  /// What is wrong with what was entered; nil while nothing is.
  public static var error: Self { Self(.error) }
  /// Of a table: the key of the column by which its rows are sorted, after `-` in descending order.
  public static var sort: Self { Self(.sort) }
  /// Of a tree: where the objects below an object are.
  public static var childrenPath: Self { Self(.childrenPath) }
  /// What stands beside the view in a form; nil where it stands across.
  public static var label: Self { Self(.label) }
  /// A line about the view, which shows while it has the focus.
  public static var tooltip: Self { Self(.tooltip) }
  /// The colour of text: a name such as `red`, or `#rrggbb`; nil for that of the view around it.
  public static var textColor: Self { Self(.textColor) }
  /// The colour behind it: a name or `#rrggbb`; nil for none of its own.
  public static var backgroundColor: Self { Self(.backgroundColor) }
}

extension ViewKey where Content == String {
  /// Where it stands across the view around it: `start`, `center`, `end` or `stretch`.
  public static var align: Self { Self(.align) }
  /// What a button, a box, a dialog or a toggle is called.
  public static var title: Self { Self(.title) }
  /// What a label shows, or a field or text area holds.
  public static var text: Self { Self(.text) }
  /// What shows while there is no text or choice.
  public static var placeholder: Self { Self(.placeholder) }
  /// Of rows: how many may be selected: `none`, `one` or `many`.
  public static var selectionMode: Self { Self(.selectionMode) }
  /// Of a chart: `spark`, `line` or `bar`.
  public static var kind: Self { Self(.kind) }
  /// Of a split: `horizontal` or `vertical`.
  public static var axis: Self { Self(.axis) }
}

extension ViewKey where Content == Bool? {
  /// Of a chart: whether it shows its scale; nil where there is room.
  public static var scale: Self { Self(.scale) }
}

extension ViewKey where Content == Int? {
  /// Of a line chart: how many values fit its width.
  public static var points: Self { Self(.points) }
  /// A number by which paths find the view.
  public static var tag: Self { Self(.tag) }
  /// Of a field: the most characters; nil for any number.
  public static var maxLength: Self { Self(.maxLength) }
  /// Of a choice or of rows: which item, from 0; nil for none. Scripts count from 1.
  public static var selectedIndex: Self { Self(.selectedIndex, isPosition: true) }
  /// Of a cell: its row, from 0. Scripts count from 1.
  public static var index: Self { Self(.index, isPosition: true) }
}

extension ViewKey where Content == Bool {
  /// Of a spinner: whether it turns.
  public static var isAnimating: Self { Self(.isAnimating) }
  /// Whether it and all in it take no room and are not drawn.
  public static var hidden: Self { Self(.hidden) }
  /// Whether it and all in it can be used.
  public static var enabled: Self { Self(.enabled) }
  /// Whether Tab stops at it.
  public static var focusable: Self { Self(.focusable) }
  /// Whether it has the focus when the app, or the dialog that it is in, is first shown.
  public static var autofocus: Self { Self(.autofocus) }
  /// Whether it has the focus; read only.
  public static var focused: Self { Self(.focused) }
  /// Whether it shows the last value of a binding that has none now.
  public static var isStale: Self { Self(.isStale) }
  /// Whether a handler may run again while it still waits because of the same act.
  public static var concurrent: Self { Self(.concurrent) }
  /// Whether text is bold, also in the views inside.
  public static var bold: Self { Self(.bold) }
  /// Whether text is italic, also in the views inside.
  public static var italic: Self { Self(.italic) }
  /// Whether text is underlined, also in the views inside.
  public static var underline: Self { Self(.underline) }
  /// Whether text that is too wide goes on in the next line.
  public static var wrap: Self { Self(.wrap) }
  /// Whether text that is too wide ends with an ellipsis.
  public static var truncate: Self { Self(.truncate) }
  /// Of a field: whether it shows bullets in place of characters.
  public static var secure: Self { Self(.secure) }
  /// Of a field or text area: whether its text can be changed.
  public static var editable: Self { Self(.editable) }
  /// Of a button: whether it is drawn as switched on.
  public static var selected: Self { Self(.selected) }
  /// Of a button: whether one of its handlers waits; read only.
  public static var busy: Self { Self(.busy) }
  /// Of a toggle: whether it is switched on.
  public static var isOn: Self { Self(.isOn) }
  /// Of rows: whether the last one is kept in sight as rows come.
  public static var followsEnd: Self { Self(.followsEnd) }
  /// Whether a row that a person is changing stays where it is until that is over.
  public static var holdsEditedRow: Self { Self(.holdsEditedRow) }
  /// Of a dialog: whether nothing else gets keys and mouse while it shows.
  public static var modal: Self { Self(.modal) }
}

extension ViewKey where Content == Double? {
  /// In cells; nil for what its content needs. A part of the inner width of the view around it is
  /// set as text: `try view.set("width", "50%")`; so it is for the next three.
  public static var width: Self { Self(.width) }
  /// In cells; nil for what its content needs.
  public static var height: Self { Self(.height) }
  /// Its width as a multiple of its height, both in cells; nil for none.
  public static var aspect: Self { Self(.aspect) }
  /// The least width in cells; nil for none.
  public static var minWidth: Self { Self(.minWidth) }
  /// The greatest width in cells; nil for none.
  public static var maxWidth: Self { Self(.maxWidth) }
  /// Where it stands in the order of Tab: views that have one come first, the lowest before the
  /// others; nil for its place in the tree.
  public static var order: Self { Self(.order) }
  /// Of rows: the height of each in cells; nil for what its cell needs.
  public static var rowHeight: Self { Self(.rowHeight) }
  /// Of a collection: the width of each item in cells.
  public static var itemWidth: Self { Self(.itemWidth) }
  /// The value at the low end of a slider, a stepper, a progress bar or a chart.
  public static var minimum: Self { Self(.minimum) }
  /// The value at the high end of a slider, a stepper, a progress bar or a chart.
  public static var maximum: Self { Self(.maximum) }
  /// Of a split: where its divider stands, in cells.
  public static var position: Self { Self(.position) }
}

extension ViewKey where Content == Double {
  /// Its share of the room that is left in the view around it; 0 for none.
  public static var grow: Self { Self(.grow) }
  /// Cells between its subviews.
  public static var spacing: Self { Self(.spacing) }
  /// What a slider or a stepper is set to.
  public static var value: Self { Self(.value) }
  /// The column of its content that shows first, from 0.
  public static var scrollX: Self { Self(.scrollX) }
  /// The row of its content that shows first, from 0.
  public static var scrollY: Self { Self(.scrollY) }
}

extension ViewKey where Content == Value {
  /// The value by which a view that a function makes anew is found again among its siblings.
  public static var key: Self { Self(.key) }
  /// What the view shows; its own, else that of the view around it.
  public static var dataObject: Self { Self(.dataObject) }
  /// Cells inside its edges: a number, or a list of two or four.
  public static var padding: Self { Self(.padding) }
  /// Cells outside its edges: a number, or a list of two or four.
  public static var margin: Self { Self(.margin) }
  /// The names of the styles that it has.
  public static var style: Self { Self(.style) }
  /// The items of the menu that the right button of the mouse and Shift-F10 open: a list, as the
  /// `items` of a menu.
  public static var contextMenu: Self { Self(.contextMenu) }
  /// What a picker, a radio, a menu or rows show: a list.
  public static var items: Self { Self(.items) }
  /// Of a chart: what stands below its values.
  public static var labels: Self { Self(.labels) }
  /// Of a chart: numbers, lists of numbers, or objects with `values`.
  public static var values: Self { Self(.values) }
  /// Of a grid or a table: how many, or what each is.
  public static var columns: Self { Self(.columns) }
  /// Of tabs: what stands above each.
  public static var titles: Self { Self(.titles) }
  /// Of a choice or of rows: the item that is chosen; null for none.
  public static var selectedObject: Self { Self(.selectedObject) }
}
