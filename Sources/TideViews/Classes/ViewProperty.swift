/// The properties of the built-in classes, by number, so that reading one needs no name.
///
/// The ones that every view has come first, in the order of the base shape: their number is the
/// index of their slot.
enum ViewProperty: Int, CaseIterable, Sendable {
  case id, tag, key, `class`, superview, subviews, window, dataObject
  case hidden, enabled, error, tooltip, focusable, focused, style
  case width, height, minWidth, maxWidth, grow, padding, margin, align
  case textColor, backgroundColor, bold, italic, underline, keys
  case autofocus, order, contextMenu, bounds, aspect, label, isStale, concurrent
  // Those of some classes only.
  case spacing, title, modal, text, wrap, truncate
  case placeholder, secure, maxLength, editable, null
  case selected, isOn, value, minimum, maximum, step
  case items, cell, selectedIndex, selectedObject, selectedValue, missing, rowHeight, index
  case selectionMode, selectedIndexes, selectedObjects, rowStyle
  case columns, sort, childrenPath, itemWidth, followsEnd, holdsEditedRow
  case values, kind, labels, scale, points
  case source, isAnimating
  // Of containers.
  case titles, scrollX, scrollY, position, axis
  // Of fields for values, and of forms.
  case decimals, grouped, allowsEmpty, pattern, showsTime, utc, display
  case role, valid, errors
  // Of buttons.
  case busy

  static let commonCount = ViewProperty.concurrent.rawValue + 1

  var name: String { Self.names[rawValue] }

  /// Found once: asking a case for its name takes a microsecond, and every class asks for all.
  private static let names = allCases.map { "\($0)" }

  /// What a change of the property makes out of date.
  var impact: Impact {
    switch self {
    case .id, .tag, .key, .class, .superview, .subviews, .window, .dataObject, .keys, .modal,
      .maxLength, .step, .holdsEditedRow, .autofocus, .order, .contextMenu, .bounds,
      .concurrent:
      []
    // A view that may not have the focus any more loses it before the next frame.
    case .focusable: .draw
    case .cell: .state
    case .hidden, .width, .height, .minWidth, .maxWidth, .grow, .margin, .aspect: [.box, .measure]
    case .padding: [.box, .measure, .arrange, .draw]
    case .align: [.box, .measure, .arrange, .draw]
    case .spacing: [.box, .measure, .arrange]
    case .enabled, .textColor, .backgroundColor, .bold, .italic, .underline, .style: [.look, .draw]
    case .error: [.look, .draw, .measure]
    // A renderer may show that of the focused view: whether it does is found out in the frame.
    case .tooltip: .state
    case .secure, .editable, .value, .minimum, .maximum, .index: .draw
    // A style may have another look for each.
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
    // The view itself does not show it: a form around it does, which follows it.
    case .null, .label, .role, .valid, .errors, .decimals, .grouped, .allowsEmpty, .pattern, .utc:
      []
    case .showsTime, .display: [.measure, .draw]
    case .items, .values, .labels: [.state, .measure, .draw]
    case .columns, .sort, .childrenPath: [.state, .measure, .arrange, .draw]
    case .rowHeight, .itemWidth: [.measure, .arrange, .draw]
    }
  }
}

/// What is out of date when a property has changed.
struct Impact: OptionSet, Sendable {
  let rawValue: UInt8

  /// The view's own cells.
  static let draw = Impact(rawValue: 1)
  /// Its natural size.
  static let measure = Impact(rawValue: 2)
  /// What it asks of its superview's layout.
  static let box = Impact(rawValue: 4)
  /// The rectangles of its subviews.
  static let arrange = Impact(rawValue: 8)
  /// Its colours and attributes, which its subviews inherit.
  static let look = Impact(rawValue: 16)
  /// Something that the class itself keeps up to date.
  static let state = Impact(rawValue: 32)
}
