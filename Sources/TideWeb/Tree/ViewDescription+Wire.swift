import TideSystem
import TideViews

extension ViewDescription {
  /// The properties that are described beside the plain ones, as names and JSON.
  var wireProperties: [(name: String, json: String)] {
    var properties = look.wireProperties
    if !keys.isEmpty { properties.append(("keys", Self.list(keys.map(\.quotedForJSON)))) }
    if hasClickHandlers { properties.append(("clicks", "true")) }
    if hasHoverHandlers { properties.append(("hovers", "true")) }
    if let titles {
      // A chart has no room for more titles.
      let shown = titles.prefix(series == nil ? .max : 1000)
      properties.append(("titles", Self.list(shown.map(\.quotedForJSON))))
    }
    if let selected { properties.append(("chosen", "\(selected)")) }
    if let menu {
      let entries = menu.map { $0.wireJSON(levels: PageLimits.levels) }
      properties.append(("menu", Self.list(entries)))
    }
    if asksForMenu { properties.append(("asks", "true")) }
    if let columns { properties.append(("columns", Self.list(columns.map(\.wireJSON)))) }
    if !spans.isEmpty { properties.append(("spans", Self.list(spans.map(\.wireJSON)))) }
    if let series { properties.append(("series", Self.list(series.map(\.wireJSON)))) }
    if let dates { properties.append(("dates", Self.list(dates.map(\.quotedForJSON)))) }
    if let minimum { properties.append(("minimum", "\(minimum)")) }
    if let maximum { properties.append(("maximum", "\(maximum)")) }
    if let rows {
      if rows.height != 1 {
        properties.append(("rowHeight", rows.height.map { "\($0)" } ?? "\"auto\""))
      }
      if rows.canBeMoved { properties.append(("moves", "true")) }
      if !rows.branches.isEmpty {
        let branches = rows.branches.map { branch in
          "[\(branch.depth),\(branch.isOpen.map { "\($0)" } ?? "null")]"
        }
        properties.append(("branches", Self.list(branches)))
      }
    }
    return properties
  }

  fileprivate static func list(_ items: [String]) -> String {
    "[" + items.joined(separator: ",") + "]"
  }
}

extension ViewDescription.Appearance {
  var wireProperties: [(name: String, json: String)] {
    var properties: [(name: String, json: String)] = []
    // A page shows dim text in a colour, not with an attribute.
    if let name = foreground?.wireName ?? (isDim ? "muted" : nil) {
      properties.append(("textColor", "\"\(name)\""))
    }
    if let name = background?.wireName { properties.append(("backgroundColor", "\"\(name)\"")) }
    if isBold { properties.append(("bold", "true")) }
    if isItalic { properties.append(("italic", "true")) }
    if isUnderlined { properties.append(("underline", "true")) }
    return properties
  }
}

extension ViewDescription.Span {
  fileprivate var wireJSON: String {
    var wire = WireText()
    wire.object {
      $0.member("text", text.quotedForJSON)
      $0.members(look.wireProperties)
    }
    return wire.text
  }
}

extension ViewDescription.MenuEntry {
  /// - Parameter levels: the most levels of the menu from this one on.
  fileprivate func wireJSON(levels: Int) -> String {
    var wire = WireText()
    wire.object { wire in
      wire.member("title", title.quotedForJSON)
      if let key { wire.member("key", key.quotedForJSON) }
      if !isEnabled { wire.member("enabled", "false") }
      if isTicked { wire.member("mark", "true") }
      if let entries {
        let below = levels > 1 ? entries.map { $0.wireJSON(levels: levels - 1) } : []
        wire.member("items", ViewDescription.list(below))
      }
    }
    return wire.text
  }
}

extension ViewDescription.Column {
  /// The width in a page's style, which does not include the padding.
  private var track: String? {
    guard let width else { return nil }
    let padded = { (cells: Int) in "calc(\(cells)ch + var(--tide-pad))" }
    if grow == 0 { return padded(width) }
    let most = mostWidth.map { padded(max($0, width)) }
    var least = padded(width)
    if !hasLeastWidth {
      // Narrow pages have their own minimum width.
      least = "max(\(least),\(most.map { "min(var(--tide-least),\($0))" } ?? "var(--tide-least)"))"
    }
    return "minmax(\(least),\(most ?? "\(grow)fr"))"
  }

  fileprivate var wireJSON: String {
    var wire = WireText()
    wire.object { wire in
      wire.member("title", title.quotedForJSON)
      wire.member("align", alignment.quotedForJSON)
      if let track { wire.member("width", track.quotedForJSON) }
      if canBeSorted { wire.member("sortable", "true") }
      if let isAscending { wire.member("sort", isAscending ? "\"asc\"" : "\"desc\"") }
    }
    return wire.text
  }
}

extension ViewDescription.Series {
  fileprivate var wireJSON: String {
    var wire = WireText()
    wire.object { wire in
      if !title.isEmpty { wire.member("title", title.quotedForJSON) }
      wire.member("values", ViewDescription.list(thinned.map { $0.map { "\($0)" } ?? "null" }))
      if let name = color?.wireName { wire.member("color", "\"\(name)\"") }
    }
    return wire.text
  }

  /// The values, reduced if there are more than can be distinguished: the least and the greatest
  /// value of each part, in their order, and the last value.
  private var thinned: [Double?] {
    let size = (values.count + Self.mostParts - 1) / Self.mostParts
    if size < 3 { return values }
    var thinned: [Double?] = []
    for start in stride(from: 0, to: values.count, by: size) {
      let part = start..<min(start + size, values.count)
      var (least, most): (Int?, Int?)
      for index in part {
        guard let value = values[index] else { continue }
        if least.flatMap({ values[$0] }).map({ value < $0 }) ?? true { least = index }
        if most.flatMap({ values[$0] }).map({ value > $0 }) ?? true { most = index }
      }
      guard let least, let most else {
        thinned.append(nil)
        continue
      }
      for index in [min(least, most), max(least, most)] { thinned.append(values[index]) }
    }
    return thinned + [values.last ?? nil]
  }

  /// More than a screen has columns of pixels.
  private static let mostParts = 4000
}
