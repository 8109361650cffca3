import TideBindings
import TideGraph
import TideRun
import TideScript
import TideViews

/// The screen of a spec: a text rendering of the runtime's views, kept up to date.
final class SpecScreen {
  let runtime: Runtime
  /// The person's name, for messages; nil for the spec's own screen.
  private let person: String?
  private let renderer = TextRenderer()
  private let loop: AppLoop

  static let size = Size(width: 80, height: 24)

  /// - Parameter recording: records the screen; nil to record nothing.
  init(_ runtime: Runtime, of person: String? = nil, recording: TestRecording? = nil) {
    self.runtime = runtime
    self.person = person
    let recorder = recording?.recorder(of: runtime, person, showing: renderer)
    loop = AppLoop(runtime, recorder ?? renderer)
  }

  /// The shown frame; nil if nothing is shown.
  var frame: Frame? { isShowing && renderer.isMounted ? renderer.lastChanges?.frame : nil }

  /// Lays out and draws what has changed, without running other work.
  func drawChanges() {
    runtime.graph.entered { try? runtime.scene?.commit() }
  }

  /// Shows a view alone, replacing all that was shown.
  ///
  /// - Parameter showsFormerAgain: whether the former scene returns later, and so keeps its views.
  func mount(_ view: View, _ size: Size?, showsFormerAgain: Bool) throws {
    if !showsFormerAgain { try runtime.scene?.endViews() }
    clear()
    try runtime.showForTest(view)
    runtime.scene?.resize(size ?? Self.size)
    try draw()
  }

  /// Removes everything shown.
  func clear() {
    loop.close()
    runtime.showNothing()
  }

  /// Detaches the renderer from the scene, which may be shown again later.
  func close() { loop.close() }

  var isShowing: Bool { runtime.scene != nil }

  /// Runs all due work, lays out and draws.
  func draw() throws {
    if runtime.scene == nil { runtime.settle() }
    // Without a scene there is nothing to draw.
    if runtime.scene != nil { try loop.catchUp() }
  }

  func resize(_ size: Size) { runtime.scene?.resize(size) }

  // MARK: User actions

  func tap(_ view: View, _ modifiers: Key.Modifiers, times: Int = 1) throws {
    try scene().tap(view, modifiers, times: times)
    try draw()
  }

  func drag(_ view: View, to end: Scene.DragEnd, _ modifiers: Key.Modifiers) throws {
    try scene().drag(view, to: end, modifiers)
    try draw()
  }

  /// Turns the mouse wheel over a view. Returns whether something scrolled.
  func turnWheel(over view: View, rows: Int, columns: Int) throws -> Bool {
    let isTaken = try scene().turnWheel(over: view, rows: rows, columns: columns)
    try draw()
    return isTaken
  }

  /// Focuses a view and pastes a text as one event, with line ends as a terminal sends them.
  func paste(_ text: String, into view: View) throws {
    try focusToType(into: view)
    guard try send(.pasting(text)) || text.isEmpty else {
      throw TideError(.badArgument, "\(view.callName) takes no text")
    }
  }

  func hover(over view: View?) throws {
    try scene().moveMouse(over: view)
    try draw()
  }

  func openContextMenu(of view: View, taking title: String?) throws {
    try scene().openContextMenu(of: view, taking: title)
    try draw()
  }

  func focus(_ view: View) throws {
    try scene().focusForTyping(view, isToType: false)
    try draw()
  }

  /// Selects a row by its number, from 1.
  func select(_ number: Int, of view: View, _ modifiers: Key.Modifiers) throws {
    try scene().choose(number.position, of: view, modifiers)
    try draw()
  }

  /// Focuses a view and types a text, one key at a time.
  func type(_ text: String, into view: View) throws {
    try focusToType(into: view)
    var isTaken = text.isEmpty
    for character in text {
      if try send(InputEvent(typing: character)) { isTaken = true }
    }
    guard isTaken else {
      throw TideError(.badArgument, "\(view.callName) takes no text")
    }
  }

  private func focusToType(into view: View) throws {
    try scene().focusToType(into: view)
    try draw()
  }

  /// Presses keys by name. Returns whether views handled all of them.
  func press(_ names: String) throws -> Bool {
    let keys = try Key.sequence(names)
    _ = try scene()
    var isTaken = true
    for key in keys {
      if try !send(.key(key)) { isTaken = false }
    }
    return isTaken
  }

  private func send(_ event: InputEvent) throws -> Bool {
    _ = try scene()
    return try loop.send(event)
  }

  // MARK: Snapshots

  /// The current screen as text; rendered separately if another size is given.
  func snapshot(_ size: Size?) throws -> String {
    let scene = try scene()
    if let size, size != scene.size { return scene.window.snapshot(size: size) }
    return renderer.text
  }

  /// The shown scene, up to date.
  private func scene() throws -> Scene {
    try draw()
    guard let scene = runtime.scene else {
      throw TideError(.unknownView, "nothing is shown; begin with ui.mount(view or file)")
    }
    return scene
  }

  /// The view with an id, or with a unique title.
  func view(_ name: String) throws -> View {
    try runtime.shownView(named: name, in: scene(), person.map { " of \($0)" } ?? "")
  }
}
