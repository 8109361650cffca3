/// The properties of the built-in classes, numbered so that a read needs no lookup by name.
///
/// The properties common to all views come first, in the order of the base shape: their raw value
/// is the index of their slot.
enum ViewProperty: Int, CaseIterable, Sendable {
  case id, tag, key, `class`, superview, subviews, window, dataObject
  case hidden, enabled, error, tooltip, focusable, focused, style
  case width, height, minWidth, maxWidth, grow, padding, margin, align
  case textColor, backgroundColor, bold, italic, underline, keys
  case autofocus, order, contextMenu, bounds, aspect, label, isStale, concurrent
  // Specific to some classes.
  case spacing, title, modal, text, wrap, truncate
  case placeholder, secure, maxLength, editable, null
  case selected, isOn, value, minimum, maximum, step
  case items, cell, selectedIndex, selectedObject, selectedValue, missing, rowHeight, index
  case selectionMode, selectedIndexes, selectedObjects, rowStyle
  case columns, sort, childrenPath, itemWidth, followsEnd, holdsEditedRow
  case values, kind, labels, scale, points
  case source, isAnimating
  // For containers.
  case titles, scrollX, scrollY, position, axis
  // For value fields and forms.
  case decimals, grouped, allowsEmpty, pattern, showsTime, utc, display
  case role, valid, errors
  // For buttons.
  case busy

  static let commonCount = ViewProperty.concurrent.rawValue + 1

  var name: String { Self.names[rawValue] }

  /// Computed once: getting the name of a case takes a microsecond, and every class needs all
  /// names.
  private static let names = allCases.map { "\($0)" }

  /// What a change of the property invalidates.
  var impact: Impact {
    switch self {
    case .id: .identity
    case .tag, .key, .class, .superview, .subviews, .window, .dataObject, .keys, .modal,
      .maxLength, .step, .holdsEditedRow, .autofocus, .order, .contextMenu, .bounds,
      .concurrent:
      []
    // A view that can no longer have the focus loses it before the next frame.
    case .focusable: .draw
    case .cell: .state
    case .hidden, .width, .height, .minWidth, .maxWidth, .grow, .margin, .aspect: [.box, .measure]
    case .padding: [.box, .measure, .arrange, .draw]
    case .align: [.box, .measure, .arrange, .draw]
    case .spacing: [.box, .measure, .arrange]
    case .enabled, .textColor, .backgroundColor, .bold, .italic, .underline, .style: [.look, .draw]
    case .error: [.look, .draw, .measure]
    // A renderer may show the tooltip of the focused view, which the frame checks.
    case .tooltip: .state
    case .secure, .editable, .value, .minimum, .maximum, .index: .draw
    // A style may define a look for each of these states.
    case .focused, .isOn, .isStale, .busy: [.look, .draw]
    case .position, .axis: [.measure, .arrange, .draw]
    case .scrollX, .scrollY, .followsEnd: [.arrange, .draw]
    case .titles: [.state, .draw]
    case .selected: [.look, .measure, .arrange, .draw]
    case .title, .text, .wrap, .truncate, .placeholder, .kind: [.measure, .draw]
    case .missing: [.measure, .draw]
    case .selectedIndex, .selectedObject, .selectedValue, .selectionMode, .selectedIndexes,
      .selectedObjects:
      [.state, .draw]
    case .rowStyle: .state
    case .scale, .points, .isAnimating: .draw
    case .source: .state
    // The view does not show these properties. A form around it does, and observes them.
    case .null, .label, .role, .valid, .errors, .decimals, .grouped, .allowsEmpty, .pattern, .utc:
      []
    case .showsTime, .display: [.measure, .draw]
    case .items, .values, .labels: [.state, .measure, .draw]
    case .columns, .sort, .childrenPath: [.state, .measure, .arrange, .draw]
    case .rowHeight, .itemWidth: [.measure, .arrange, .draw]
    }
  }
}

/// What a change of a property invalidates.
struct Impact: OptionSet, Sendable {
  let rawValue: UInt8

  /// The drawing of the view's own cells.
  static let draw = Impact(rawValue: 1)
  /// The natural size of the view.
  static let measure = Impact(rawValue: 2)
  /// The constraints that the view gives its superview's layout.
  static let box = Impact(rawValue: 4)
  /// The rectangles of the subviews.
  static let arrange = Impact(rawValue: 8)
  /// The colours and attributes, which subviews inherit.
  static let look = Impact(rawValue: 16)
  /// Derived state that the class itself maintains.
  static let state = Impact(rawValue: 32)
  /// The id by which scripts find the view.
  static let identity = Impact(rawValue: 64)
}
