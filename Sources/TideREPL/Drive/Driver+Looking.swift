import TideBindings
import TideScript
import TideSystem
import TideViews

// Pictures and the tree of views.
extension Driver {
  /// The view with the driving person's focus.
  func focusedView(in scene: Scene) -> View? { host.isAlone ? scene.focused : focus }

  // MARK: Pictures

  func capture(_ name: String?, _ message: Message) throws -> DriveAnswer {
    try acting { scene in
      let frame = scene.frame
      if name != nil, message["svg"] != nil || message["png"] != nil || message["ansi"] != nil {
        throw TideError(
          .driveUsage, "the picture of one view is text; leave the id or the option out")
      }
      if message["svg"] != nil || message["png"] != nil {
        let svg = frame.svg(title: scene.host.title.isEmpty ? nil : scene.host.title)
        return .done([svg], json: svg.quotedForJSON)
      }
      if message["ansi"] != nil {
        guard let ansi = host.ansi else {
          throw TideError(.badArgument, "this program writes no escape sequences; leave --ansi out")
        }
        let text = ansi(frame)
        return .done([text], json: text.quotedForJSON)
      }
      let text =
        try name.map { try runtime.shownView(named: $0, in: scene).snapshot() } ?? frame.text
      return .done([text], json: text.quotedForJSON)
    }
  }

  // MARK: The tree

  func tree(_ name: String?) throws -> DriveAnswer {
    try acting { scene in
      let roots =
        try name.map { [try runtime.shownView(named: $0, in: scene)] }
        ?? [scene.root ?? scene.window] + scene.presented
      let focus = focusedView(in: scene)
      return runtime.graph.untracked {
        var text = TreeText(scene, focus)
        let objects = roots.compactMap { text.object(of: $0, depth: 0) }
        let isOne = name != nil && objects.count == 1
        let list = "[" + objects.map(\.text).joined(separator: ",") + "]"
        return .done(text.lines, json: isOne ? objects[0].text : list)
      }
    }
  }
}

/// The tree of views, as lines and as JSON.
private struct TreeText {
  private(set) var lines: [String] = []
  private let focus: View?
  private let rects: [ObjectIdentifier: Rect]
  private var budget = 5000

  private static let mostLevels = 200

  init(_ scene: Scene, _ focus: View?) {
    self.focus = focus
    rects = Dictionary(
      scene.visibleViews.map { (ObjectIdentifier($0.view), $0.rect) }, uniquingKeysWith: { $1 })
  }

  /// Describes a view and its subviews. Returns nil for what is beyond the limits.
  mutating func object(of view: View, depth: Int) -> JSONLine? {
    if budget == 0 || depth > Self.mostLevels { return nil }
    budget -= 1
    var object = JSONLine()
    object.add("class", view.viewClass.name)
    var words = [view.viewClass.name]
    if let id = view[.id] {
      object.add("id", id)
      words.append("#\(id)")
    }
    for name in ["title", "text"] where view.shape.index(of: name) != nil {
      let isSecret = view.shape.index(of: "secure") != nil && view[.secure]
      guard !isSecret, let text = view[name].text, !text.isEmpty else { continue }
      object.add(name, text)
      words.append(TransformCall.quoted(String(text.prefix(40))))
    }
    for name in ["value", "selected", "isOn"] where view.shape.index(of: name) != nil {
      let value = view[name]
      if value == .null { continue }
      let text = value.text ?? String(value.preview.dropFirst().dropLast())
      switch value {
      case .boolean, .integer, .number: object.add(name, raw: text)
      default: object.add(name, text)
      }
      words.append("\(name)=\(text)")
    }
    for (name, holds) in [
      ("focused", view === focus), ("hidden", view[.hidden]), ("disabled", !view[.enabled]),
    ] where holds {
      object.add(name, true)
      words.append("(\(name))")
    }
    if let rect = rects[ObjectIdentifier(view)] {
      var place = JSONLine()
      place.add("x", rect.x)
      place.add("y", rect.y)
      place.add("width", rect.width)
      place.add("height", rect.height)
      object.add("rect", place)
      words.append("\(rect.width)x\(rect.height)+\(rect.x)+\(rect.y)")
    }
    // Escaped, so that each view takes one line whatever its id and text contain.
    lines.append(
      String(repeating: "  ", count: depth) + words.joined(separator: " ").escapingControls)
    let subviews = view.subviews.compactMap { self.object(of: $0, depth: depth + 1) }
    if !subviews.isEmpty { object.add("subviews", subviews) }
    return object
  }
}
