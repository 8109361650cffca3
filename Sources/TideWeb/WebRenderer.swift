import TideBindings
import TideGraph
package import TideScript
import TideSystem
package import TideViews

/// Shows the view tree in browsers, as a page of real controls.
///
///     scene ──changed views──▶ PageTree ──operations──▶ PageConnection of each viewer
///     scene ◀──what a person did── PageEvent ◀──messages──┘
///
/// Connections live on the server's thread. Everything here belongs to the owner of the views, who
/// receives messages through the inbox of the app's loop.
package final class WebRenderer: InteractiveRenderer {
  /// Never called: a key that no view handles has no effect, because otherwise any viewer could end
  /// the app.
  package var onUnhandled: (InputEvent) -> Void = { _ in }
  package var onQuit: (Int32) -> Void = { _ in }
  package var showsProperties: Bool { true }

  let tree = PageTree()
  private(set) weak var scene: Scene?
  var viewers: [Int: PageViewer] = [:]
  /// The person whose focus, size and scroll offsets scripts read and write.
  var leader = Leader.nobody
  /// The number of viewers so far.
  var lastPerson = 0
  /// Viewers without a connection, by session, the latest last.
  var absent: [PageViewer] = []
  /// Records who selects what.
  var selections: SelectionHistory?
  private var title = ""
  /// The focused view that pages were last sent.
  var knownFocus: Int?
  /// The view that pages highlight, or 0, and whether they let the person pick a view.
  private var knownMark = 0
  private var knownPicking = false
  /// The lists and tables that pages have acted on since the last frame.
  var rowsInUse: Set<Int> = []
  /// The focused view of the terminal, remembered while a page leads.
  weak var focusElsewhere: View?
  /// The acts of viewers who have used up their share of time.
  var acts = ActQueue()
  /// Runs a function in a later turn; nil if no act has to wait.
  var later: ((@escaping () -> Void) -> Void)?
  /// Whether waiting acts are scheduled for a later turn.
  var hasPlannedActs = false
  /// The listed errors, as a terminal prints them.
  private var errors = ""
  private var hasOtherErrors = false
  private var failure: String?
  /// The person whose act is being handled: at first the one who opened the first page of a private
  /// session.
  var person = Viewer.unknown {
    didSet { if person != oldValue { onPerson(person) } }
  }
  /// Notifies the app when that person changes.
  private var onPerson: (Viewer) -> Void = { _ in }
  /// The prefix of the names of its pages, by which they are recognized.
  var pagePrefix = ""
  /// Whether all its pages are those of one person, as in a private session.
  var isOfOnePerson = false
  /// Translates a text into the app's language, and replaces %d by a number.
  var translate: (String, _ number: Int) -> String = { text, _ in text }
  /// The notice for pages that connect for the first time and were open before this app began, or
  /// for the first page if there were none; nil for no notice.
  var notice: String?
  var hasToldNotice = false
  /// Called when what the app shows has changed, or a page has sent something.
  var onChange: () -> Void = {}
  /// Called before events are acknowledged to pages.
  var beforeAcknowledging: () -> Void = {}
  /// The most errors that a page shows, because the source line of each is read from its script.
  private static let mostErrors = 20
  /// Returns the errors that are listed now.
  var listedErrors: () -> [TideError] = { [] }
  /// Whether pages show errors and reload reports to developers.
  private let isDeveloping: Bool
  /// Runs the app; nil before `follow`.
  weak var loop: EventLoop?
  /// Seconds after which questions of a disconnected person are dismissed.
  var idle = 300.0

  /// - Parameter pictures: stores the app's pictures for the server.
  convenience init(isDeveloping: Bool, _ pictures: PagePictures) {
    self.init(isDeveloping: isDeveloping) { pictures.add($0) }
  }

  /// - Parameter keepPicture: stores a PNG picture for the app's pages.
  init(isDeveloping: Bool, keepPicture: @escaping ([UInt8]) -> (any ShownPicture)?) {
    self.isDeveloping = isDeveloping
    tree.picture = { [weak self] source in
      guard let bytes = try? self?.scene?.pictureFile(source) else { return nil }
      return keepPicture(bytes)
    }
  }

  /// Connects to an app: shows its errors, uses its translations, and tells it whose act is being
  /// handled.
  package func follow(_ runtime: Runtime) {
    if !isDeveloping { runtime.tellsPeopleOfErrors = true }
    loop = runtime.loop
    runtime.viewer = person
    onPerson = { [weak runtime] in runtime?.noteActing($0) }
    listedErrors = { [weak runtime] in runtime?.errors ?? [] }
    tree.identity = { [weak runtime] in runtime?.identity(of: $0) }
    translate = { [weak runtime] in runtime?.translation(of: $0, $1) ?? $0 }
    if runtime.loop.clock == nil { acts.clock = EventLoop.monotonicTime }
    later = { [weak runtime] body in runtime?.loop.after(0, body) }
  }

  // MARK: Renderer

  package func mount(_ scene: Scene) throws {
    self.scene = scene
    scene.host.answered = { [weak self] in self?.tellOfAnswer($0, by: $1) }
    scene.host.focusOfOthers = { [weak self] in
      guard let self else { return [] }
      return (allViewers.map(\.person.focus) + [focusElsewhere]).compactMap(\.self)
    }
    scene.host.tell = { [weak self] text, person in
      guard let self else { return }
      for viewer in viewers.values where viewer.person === person { report(text, to: viewer) }
    }
    followSelections(in: scene)
  }

  package func render(_ changes: Changes) throws {
    guard let scene else { return }
    onChange()
    var operations = PageOperations()
    tree.update(scene, changes.changedViews, isWhole: changes.isWhole, &operations)
    var common = WireText()
    if scene.title != title {
      title = scene.title
      common.array {
        $0.string("title")
        $0.string(title)
      }
    }
    writeInspection(of: scene, isWhole: false, &common)
    if !common.text.isEmpty { operations.write { _, wire in wire.raw(common.text) } }
    broadcast(operations)
    sendOffsets(of: changes.changedViews)
  }

  package func replace(_ pairs: [(old: View, new: View)]) {
    tree.replace(pairs)
    for viewer in allViewers { note(focus: viewer.focus, of: viewer) }
    if let pair = pairs.first(where: { $0.old === focusElsewhere }) { focusElsewhere = pair.new }
  }

  package func notify(_ text: String) {
    var wire = WireText()
    wire.raw("[\"report\",\(text.quotedForJSON)]")
    broadcast(wire)
  }

  package func unmount() {
    endSelections()
    scene = nil
  }

  /// Acknowledges handled events to each viewer, and sends the focus.
  package func finishTurn() {
    defer { acts.endTurn() }
    beforeAcknowledging()
    if let scene {
      for viewer in viewers.values where viewer.typed.contains(where: \.isLeft) {
        tellLeftEntries(of: viewer, in: scene)
      }
    }
    if hasOtherErrors { show(listedErrors()) }
    guard let scene, !scene.needsFrame else { return }
    tree.endFrame()
    let focus = scene.focused.flatMap { tree.id(of: $0) }
    let others = focus == knownFocus ? [] : recipients
    knownFocus = focus
    for viewer in viewers.values where !viewer.isBehind {
      var wire = WireText()
      let isAnswered = viewer.lastDone != viewer.lastAcknowledged
      if isAnswered { writeAcknowledgement(to: viewer, &wire) }
      // Sent after the acknowledgement, because a page keeps its own focus until then. Both are one
      // message, because waiting keys go to the focus at that moment.
      if viewer.needsFocus || others.contains(where: { $0 === viewer }) {
        writeFocus(focus, of: viewer, &wire)
      }
      viewer.needsFocus = false
      if !wire.text.isEmpty { send(wire, to: viewer) }
      if isAnswered { openMenu(of: viewer) }
    }
  }

  /// Opens the requested context menu in a page, after the page has received its entries.
  private func openMenu(of viewer: PageViewer) {
    guard let id = viewer.menu.flatMap({ tree.id(of: $0) }) else { return }
    viewer.menu = nil
    if !tree.has(id, viewer.person) { return }
    var wire = WireText()
    wire.raw("[\"context\",\(id)]")
    send(wire, to: viewer)
  }

  private func writeAcknowledgement(to viewer: PageViewer, _ wire: inout WireText) {
    viewer.lastAcknowledged = viewer.lastDone
    wire.raw("[\"ack\",\(viewer.lastDone)]")
  }

  // MARK: Events

  /// Handles a message of a page.
  func take(_ bytes: [UInt8], of viewer: PageViewer) {
    onChange()
    var event: PageEvent
    do { event = try PageEvent(bytes) } catch let refusal as PageEvent.Refusal {
      return refuse(refusal, of: viewer)
    } catch {
      // No page of this server sends that.
      viewer.connection?.refuse(.misuse)
      return
    }
    // A repeated event: the page did not receive its acknowledgement.
    guard event.number > viewer.lastDone else { return }
    viewer.lastDone = event.number
    guard let scene else { return }
    if let message = event.message, message <= viewer.messages { viewer.noteTaken(message) }
    // Lays out floats that the previous act opened, so that a second press reaches the right view.
    if event.isAct { scene.placeNewFloats() }
    let former = (scene.person, person)
    (scene.person, person) = (viewer.person, viewer.details)
    defer { if !leads(viewer) { (scene.person, person) = former } }
    // A page that reconnects sends its focus again, which is no act of its person.
    if case .focus = event.kind, event.view == viewer.focus ?? 0, !leads(viewer) { return }
    if event.isAct, canAct(event, in: scene) { lead(viewer, in: scene) }
    performOnSeen(event, of: viewer, in: scene)
    // The page has already moved its focus itself. After any other event, `finishTurn` sends the
    // focus if it has changed.
    if case .focus = event.kind, scene.focused.flatMap({ tree.id(of: $0) }) == event.view {
      knownFocus = event.view
      note(focus: event.view, of: viewer)
    }
  }

  /// Notifies a page that an event exceeds a limit. The event counts as handled, so that the page
  /// does not send it again.
  private func refuse(_ refusal: PageEvent.Refusal, of viewer: PageViewer) {
    guard refusal.number > viewer.lastDone else { return }
    viewer.lastDone = refusal.number
    noteRefusal(of: viewer)
    refuse(refusal.view, translate(refusal.reason.rawValue, 0), to: viewer)
  }

  /// Counts a refused event, and disconnects a viewer with too many of them.
  func noteRefusal(of viewer: PageViewer) {
    viewer.refusals += 1
    if viewer.refusals > PageLimits.refusals { viewer.connection?.refuse(.misuse) }
  }

  /// Makes a list or table keep cells for the rows that any viewer shows.
  func showRows(ofView id: Int) {
    guard let rows = tree.view(id) as? RowsView else { return }
    rows.rowsElsewhere = viewers.values.compactMap { $0.rows[id] }.sorted {
      $0.lowerBound < $1.lowerBound
    }
  }

  // MARK: Sending

  private func broadcast(_ operations: WireText) {
    if operations.text.isEmpty || viewers.isEmpty { return }
    let message = PageMessage(operations)
    for viewer in viewers.values { send(message, to: viewer) }
  }

  private func broadcast(_ operations: PageOperations) {
    if operations.isForAll { return broadcast(operations.text(for: nil)) }
    for viewer in viewers.values {
      let own = operations.text(for: viewer.person)
      if !own.text.isEmpty { send(own, to: viewer) }
    }
  }

  func send(_ operations: WireText, to viewer: PageViewer) {
    send(PageMessage(operations), to: viewer)
  }

  private func send(_ message: PageMessage, to viewer: PageViewer) {
    if viewer.isBehind { return }
    viewer.noteMessage(of: tree.frame)
    if viewer.connection?.send(message) == false { viewer.isBehind = true }
  }

  /// Sends the whole tree to a page. The page reuses its existing elements.
  func sendWhole(to viewer: PageViewer) {
    viewer.isBehind = false
    var wire = WireText()
    wire.array { wire in
      wire.string("hello")
      wire.object { wire in
        wire.member("session", viewer.session.quotedForJSON)
        wire.member("at", "\(viewer.messages + 1)")
        wire.member("dev", "\(isDeveloping)")
        wire.members(PageLimits.wireMembers + PageWords.wireMembers(translate))
      }
    }
    wire.array {
      $0.string("title")
      $0.string(title)
    }
    tree.writeWhole(for: viewer.person, &wire)
    if let scene { writeInspection(of: scene, isWhole: true, &wire) }
    writeAcknowledgement(to: viewer, &wire)
    if isDeveloping {
      writeErrors(&wire)
      writeFailure(&wire)
    }
    // Notices are part of the message. A slow viewer may not receive the next message, and would be
    // sent the same notices repeatedly.
    let notices = viewer.takeNotices()
    for notice in notices { wire.raw(notice.text) }
    send(wire, to: viewer)
    for notice in notices { viewer.noteNotice(notice) }
  }

  /// Writes the highlighted view, and whether a view is to be picked, for an inspector.
  private func writeInspection(of scene: Scene, isWhole: Bool, _ wire: inout WireText) {
    let marked = scene.markedView.flatMap { tree.id(of: $0) } ?? 0
    // A page that reconnects may highlight another view, or may still be picking.
    if isWhole || marked != knownMark { wire.raw("[\"mark\",\(marked)]") }
    let picks = scene.picker != nil
    if isWhole || picks != knownPicking { wire.raw("[\"pick\",\(picks)]") }
    // The whole tree goes to one viewer. What has changed still has to be sent to the others.
    if !isWhole { (knownMark, knownPicking) = (marked, picks) }
  }

  /// Shows developers a report of a reload, in one line.
  package func report(_ line: String) {
    guard isDeveloping else { return }
    var wire = WireText()
    wire.raw("[\"report\",\(line.quotedForJSON)]")
    broadcast(wire)
  }

  /// Shows developers why a version cannot run; nil once a version runs again.
  package func showFailure(_ text: String?) {
    guard isDeveloping else { return }
    failure = text
    var wire = WireText()
    writeFailure(&wire)
    broadcast(wire)
  }

  private func writeFailure(_ wire: inout WireText) {
    wire.raw("[\"failed\",\(failure?.quotedForJSON ?? "null")]")
  }

  /// Notes that the listed errors have changed. Developers' pages are updated once, at the end of
  /// the turn.
  package func errorsChanged() { hasOtherErrors = isDeveloping }

  private func show(_ errors: [TideError]) {
    hasOtherErrors = false
    var texts = errors.suffix(Self.mostErrors).map { Diagnostic($0).text() }
    if errors.count > texts.count { texts.insert("\(errors.count - texts.count) earlier …", at: 0) }
    let text = texts.joined(separator: "\n")
    if text == self.errors { return }
    self.errors = text
    var wire = WireText()
    writeErrors(&wire)
    broadcast(wire)
  }

  private func writeErrors(_ wire: inout WireText) {
    wire.raw("[\"errors\",\(errors.quotedForJSON)]")
  }

  /// Closes all connections.
  ///
  /// - Parameter text: the reason, which pages show and then do not reconnect. If it is nil, pages
  ///   reconnect.
  func end(_ text: String?) {
    let message = text.map { PageMessage.end(translate($0, 0)) }
    for viewer in viewers.values { viewer.connection?.end(message) }
  }
}
