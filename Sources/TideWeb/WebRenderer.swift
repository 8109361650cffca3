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
/// Connections live on the server's thread; everything here is used by the owner of the views
/// alone, to whom messages come by the inbox of the app's loop.
package final class WebRenderer: InteractiveRenderer {
  /// Never called: a key that no view takes does nothing, or any viewer could end the app.
  package var onUnhandled: (InputEvent) -> Void = { _ in }
  package var onQuit: (Int32) -> Void = { _ in }
  package var showsProperties: Bool { true }

  let tree = PageTree()
  private(set) weak var scene: Scene?
  var viewers: [Int: PageViewer] = [:]
  /// The person whose focus, size and scroll offsets scripts read and write.
  var leader = Leader.nobody
  /// How many viewers there have been.
  var lastPerson = 0
  /// Viewers without a connection, by session, the latest last.
  var absent: [PageViewer] = []
  private var title = ""
  /// The view with the focus, as pages know of it.
  var knownFocus: Int?
  /// The view that stands out in pages, or 0, and whether they let one be picked.
  private var knownMark = 0
  private var knownPicking = false
  /// Views of rows that pages have acted on since the last frame.
  var rowsInUse: Set<Int> = []
  /// The focused view of the terminal, remembered while a page leads.
  weak var focusElsewhere: View?
  /// The acts of viewers who have used up their share of time.
  var acts = ActQueue()
  /// Has a function run in a later turn; nil where no act has to wait.
  var later: ((@escaping () -> Void) -> Void)?
  /// Whether waiting acts go on in a later turn.
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
  /// Tells the app who that person is.
  private var onPerson: (Viewer) -> Void = { _ in }
  /// The beginning of the names of its pages, by which they are recognized.
  var pagePrefix = ""
  /// Whether all its pages are those of one person, as in a private session.
  var isOfOnePerson = false
  /// Gives a text in the language of the app, with a number in place of %d.
  var translate: (String, _ number: Int) -> String = { text, _ in text }
  /// The notice for pages that connect for the first time and were open before this app began, or
  /// for the first page if there were none; nil for no notice.
  var notice: String?
  var hasToldNotice = false
  /// Called when what the app shows has changed, or a page has sent something.
  var onChange: () -> Void = {}
  /// Called before pages are told what has been done.
  var beforeAcknowledging: () -> Void = {}
  /// How many errors a page shows: the line of each is read from its script.
  private static let mostErrors = 20
  /// Gives the errors that are listed now.
  var listedErrors: () -> [TideError] = { [] }
  /// Whether pages show what is for developers.
  private let isDeveloping: Bool
  /// Runs the app; nil before that is known.
  weak var loop: EventLoop?
  /// Seconds after which a question is dismissed whose person's page is away.
  var idle = 300.0

  /// - Parameter pictures: where the server finds the app's pictures.
  convenience init(isDeveloping: Bool, _ pictures: PagePictures) {
    self.init(isDeveloping: isDeveloping) { pictures.add($0) }
  }

  /// - Parameter keepPicture: keeps a picture in PNG for the app's pages.
  init(isDeveloping: Bool, keepPicture: @escaping ([UInt8]) -> (any ShownPicture)?) {
    self.isDeveloping = isDeveloping
    tree.picture = { [weak self] source in
      guard let bytes = try? self?.scene?.pictureFile(source) else { return nil }
      return keepPicture(bytes)
    }
  }

  /// Shows the errors and translations of an app, and tells it whose act is being handled.
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

  // MARK: As a renderer

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

  package func unmount() { scene = nil }

  /// Tells each viewer up to which event all is done, and where the focus is.
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

  /// Has a page show the context menu that was asked for, when it has been sent what is in it.
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

  // MARK: What a person does

  /// Carries out what a page has sent.
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
    // It was sent again, because its page does not know that it has been done.
    guard event.number > viewer.lastDone else { return }
    viewer.lastDone = event.number
    guard let scene else { return }
    if let message = event.message, message <= viewer.messages { viewer.noteTaken(message) }
    // A second press is not for what has come up by the first.
    if event.isAct { scene.placeNewFloats() }
    let former = (scene.person, person)
    (scene.person, person) = (viewer.person, viewer.details)
    defer { if !leads(viewer) { (scene.person, person) = former } }
    // A page that reconnects repeats where its focus is. Its person has done nothing by that.
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

  /// Tells a page that an event is beyond a limit. It counts as done, so that the page does not send
  /// it again.
  private func refuse(_ refusal: PageEvent.Refusal, of viewer: PageViewer) {
    guard refusal.number > viewer.lastDone else { return }
    viewer.lastDone = refusal.number
    noteRefusal(of: viewer)
    refuse(refusal.view, translate(refusal.reason.rawValue, 0), to: viewer)
  }

  /// Who sends very many that are refused is sent away.
  func noteRefusal(of viewer: PageViewer) {
    viewer.refusals += 1
    if viewer.refusals > PageLimits.refusals { viewer.connection?.refuse(.misuse) }
  }

  /// Has a view of rows keep cells for all that viewers look at.
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

  /// Sends everything that a page shows, which keeps what it has of it.
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

  /// Tells which view stands out, and whether one is to be picked, for somebody who looks into the
  /// app.
  private func writeInspection(of scene: Scene, isWhole: Bool, _ wire: inout WireText) {
    let marked = scene.markedView.flatMap { tree.id(of: $0) } ?? 0
    // A page that comes back may have had another one, or be picking still.
    if isWhole || marked != knownMark { wire.raw("[\"mark\",\(marked)]") }
    let picks = scene.picker != nil
    if isWhole || picks != knownPicking { wire.raw("[\"pick\",\(picks)]") }
    // The whole tree goes to one viewer. What has changed still has to be sent to the others.
    if !isWhole { (knownMark, knownPicking) = (marked, picks) }
  }

  /// Tells developers of a reload, in one line.
  package func report(_ line: String) {
    guard isDeveloping else { return }
    var wire = WireText()
    wire.raw("[\"report\",\(line.quotedForJSON)]")
    broadcast(wire)
  }

  /// Shows developers why a version cannot run, until the next one can; nil when one can.
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

  /// Others are listed than before: developers are told before the loop waits, once for all.
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

  /// Ends all connections.
  ///
  /// - Parameter text: why, which pages say then, and do not come again; nil where they are to.
  func end(_ text: String?) {
    let message = text.map { PageMessage.end(translate($0, 0)) }
    for viewer in viewers.values { viewer.connection?.end(message) }
  }
}
