import TideBindings

/// A form's subviews from top to bottom: those with a `label` in a column to the right of the
/// labels, the others across both columns.
///
///     Name    Ada________        Name
///             Enter a name       Ada________      if the width does not allow two columns
///     [ Save ]                   [ Save ]
///
/// An error message of a view that does not show it itself has a row below the view.
struct FormRows: Arrangement {
  var axis: Axis { .vertical }

  /// The cells between labels and fields.
  static let gap = 2
  /// The minimum width of fields beside their labels; narrower ones stand below the labels.
  static let leastFieldWidth = 14

  /// The width of the label column.
  static func labelWidth(of view: View) -> Int {
    var width = 0
    for child in view.arranged { width = max(width, CharacterWidth.of(child.formLabel ?? "")) }
    return width
  }

  /// The indentation of the fields; nil if they stand below their labels.
  static func indent(of view: View, in width: Int) -> Int? {
    let labels = labelWidth(of: view)
    if labels == 0 { return 0 }
    return width - labels - gap >= leastFieldWidth ? labels + gap : nil
  }

  func naturalSize(of view: View) -> Size {
    let labels = Self.labelWidth(of: view)
    let indent = labels == 0 ? 0 : labels + Self.gap
    var size = Size.zero
    var count = 0
    for child in view.arranged {
      let outer = child.outerSize
      size.width = max(size.width, outer.width + (child.formLabel == nil ? 0 : indent))
      size.height += outer.height + (child.needsFormMessage ? 1 : 0)
      count += 1
    }
    size.height += view.spacing * max(0, count - 1)
    return size
  }

  func eachWidth(
    of view: View, in width: Int, by layout: Layout, _ tell: (View, Int) -> Void
  ) {
    let indent = Self.indent(of: view, in: width)
    for child in view.arranged { tell(child, self.width(of: child, indent, in: width, view)) }
  }

  /// The width that a subview receives when it is arranged.
  private func width(of child: View, _ indent: Int?, in width: Int, _ view: View) -> Int {
    let room = room(for: child, indent, in: width)
    return child.width(
      in: max(0, room - child.layout.box.margin.horizontal), view.alignment, whole: room)
  }

  private func room(for child: View, _ indent: Int?, in width: Int) -> Int {
    child.formLabel == nil ? width : max(0, width - (indent ?? 0))
  }

  /// The additional rows for a label and a message.
  private func extraRows(of child: View, _ indent: Int?) -> Int {
    (indent == nil && child.formLabel?.isEmpty == false ? 1 : 0) + (child.needsFormMessage ? 1 : 0)
  }

  func height(of view: View, in width: Int, by layout: Layout) -> Int {
    let indent = Self.indent(of: view, in: width)
    var height = 0
    var count = 0
    for child in view.arranged {
      height +=
        child.foundHeight + child.layout.box.margin.vertical + extraRows(of: child, indent)
      count += 1
    }
    return height + view.spacing * max(0, count - 1)
  }

  func arrange(_ view: View, in content: Rect, by layout: Layout) {
    let indent = Self.indent(of: view, in: content.width)
    var items: [Distribution.Item] = []
    var widths: [Int] = []
    var free = content.height
    let children = Array(view.arranged)
    for child in children {
      let width = width(of: child, indent, in: content.width, view)
      let box = child.layout.box
      let height = box.height(in: content.height) ?? layout.height(of: child, width: width)
      let grow = box.grow(along: .vertical)
      widths.append(width)
      items.append(Distribution.Item(basis: height, grow: grow, shrinks: grow > 0))
      free -= box.margin.vertical + extraRows(of: child, indent)
    }
    Distribution.share(max(0, free - view.spacing * max(0, children.count - 1)), among: &items)
    var y = content.y
    y -= view.shift(
      of: &items, along: .vertical, in: content.height, spacing: view.spacing,
      extra: { $0.layout.box.margin.vertical + extraRows(of: $0, indent) })
    for (index, child) in children.enumerated() {
      let margin = child.layout.box.margin
      let room = room(for: child, indent, in: content.width) - margin.horizontal
      let start = content.x + (child.formLabel == nil ? 0 : indent ?? 0) + margin.left
      if indent == nil, child.formLabel?.isEmpty == false { y += 1 }
      layout.set(
        child,
        Rect(
          x: start + child.offset(of: widths[index], in: max(0, room), view.alignment),
          y: y + margin.top, width: widths[index], height: items[index].size),
        in: content, of: view)
      y += items[index].size + margin.vertical + view.spacing
      if child.needsFormMessage { y += 1 }
    }
  }
}

extension View {
  /// The label in a form; nil for a view that also spans the label column.
  var formLabel: String? { peek(.label, as: String?.self) }

  /// The error message, if the view does not show it itself.
  var formMessage: String? {
    if self is TextInputView { return nil }
    let message = peek(.error, as: String?.self)
    return message == "" ? nil : message
  }

  var needsFormMessage: Bool { formLabel != nil && formMessage != nil }

  /// The enclosing form; nil outside a form.
  var form: FormView? {
    var current = parent
    while let ancestor = current {
      if let form = ancestor as? FormView { return form }
      current = ancestor.parent
    }
    return nil
  }
}
