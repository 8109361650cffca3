import TideBindings
import TideSystem
import TideViews

// The viewers of an app: who comes, who comes back, and what waits for those who are away.
extension WebRenderer {
  /// How many that have left are remembered.
  private static let mostAbsent = 64

  /// The connected viewers and those who may come back.
  var allViewers: [PageViewer] { Array(viewers.values) + absent }

  /// How many are connected.
  package var viewerCount: Int { viewers.count }

  /// Takes what a connection reports.
  func take(_ report: PageConnection.Report, of connection: any ViewerConnection) {
    switch report {
    case .opened: open(connection)
    case .message(let bytes):
      guard let viewer = viewers[connection.number] else { return connection.noteRead(bytes) }
      perform(ActQueue.Act(bytes: bytes, connection: connection), of: viewer)
    case .fellBehind: viewers[connection.number]?.isBehind = true
    case .caughtUp:
      if let viewer = viewers[connection.number], viewer.isBehind {
        sendWhole(to: viewer)
        resendFocusAndOffsets(to: viewer)
      }
    case .closed: close(connection)
    }
  }

  private func open(_ connection: any ViewerConnection) {
    let viewer: PageViewer
    var isNew = false
    // Whoever knows a page's name is not its owner.
    let isSame = { (known: PageViewer) in
      known.session == connection.session && known.owner == connection.owner
    }
    if let index = absent.firstIndex(where: isSame) {
      viewer = absent.remove(at: index)
      viewer.awayTimer?.cancel()
      viewer.awayTimer = nil
    } else if let known = viewers.values.first(where: isSame) {
      // Its page has not noticed yet that the former connection is gone, but this one is there.
      known.connection?.closeForNow()
      viewers = viewers.filter { $0.value !== known }
      viewer = known
    } else {
      lastPerson += 1
      viewer = PageViewer(
        session: pagePrefix + Secret.make(), owner: connection.owner, lastPerson)
      isNew = true
    }
    takeQuestions(viewer)
    viewer.person.heir = nil
    if isNew { inherit(viewer) }
    viewer.connection = connection
    viewer.details = connection.person
    viewer.person.owner = isOfOnePerson ? "" : connection.owner
    viewer.refusals = 0
    viewers[connection.number] = viewer
    sendWhole(to: viewer)
    if isNew, let notice, !hasToldNotice || !connection.session.isEmpty {
      hasToldNotice = true
      var wire = WireText()
      wire.raw("[\"report\",\(translate(notice, 0).quotedForJSON)]")
      send(wire, to: viewer)
    }
    if isNew { sendBeginning(to: viewer) } else { resendFocusAndOffsets(to: viewer) }
  }

  /// Gives a viewer who comes the questions of the same owner's pages that are not connected, and
  /// its own ones back. A page that was loaded again is another viewer, and a question that nobody
  /// sees would keep its script waiting. Those of other owners wait for them.
  private func takeQuestions(_ viewer: PageViewer) {
    guard let scene else { return }
    // Dialogs that a person has opened for themselves end with that person.
    for case let dialog as DialogView in scene.presented where !(dialog is QuestionDialog) {
      guard let person = dialog.person, person !== viewer.person else { continue }
      if !viewers.values.contains(where: { $0.person === person }) { scene.dismiss(dialog) }
    }
    for dialog in scene.ownDialogs + scene.presented.compactMap({ $0 as? QuestionDialog }) {
      guard let person = dialog.person, person !== viewer.person else { continue }
      let isBack = (dialog as? QuestionDialog)?.isAsked(by: viewer.person) ?? false
      if isBack || !isThere(person) && isAbsent(person, of: viewer.owner) {
        dialog.handOver(to: viewer.person)
      }
    }
  }

  /// Whether a person is one of an owner's pages that have left.
  private func isAbsent(_ person: ScenePerson, of owner: String?) -> Bool {
    absent.contains { $0.person === person && $0.owner == owner }
  }

  /// A page that was loaded again is a new viewer. The new viewer takes over what belongs to the
  /// former one.
  private func inherit(_ viewer: PageViewer) {
    for other in absent where other.owner == viewer.owner && !isThere(other.person.present) {
      other.person.heir = viewer.person
    }
  }

  /// Closes what is for a viewer alone who has been away for long, as Escape would, so that no
  /// script waits for an answer that may never come.
  private func giveUp(_ viewer: PageViewer) {
    guard let scene, viewer.connection == nil else { return }
    // Rows are held no longer for what the viewer was typing.
    note(focus: nil, of: viewer)
    let former = person
    person = viewer.details
    defer { person = former }
    for case let dialog as DialogView in scene.presented where dialog.person === viewer.person {
      // A bar or help moves the focus when it is closed, which is another person's by now.
      if dialog is QuestionDialog { scene.closeForPerson(dialog) } else { scene.dismiss(dialog) }
    }
    for dialog in scene.ownDialogs where dialog.person === viewer.person {
      scene.closeForPerson(dialog)
    }
    onChange()
  }

  private func isThere(_ person: ScenePerson) -> Bool {
    viewers.values.contains { $0.person === person }
  }

  /// Tells those who have not answered a question for everyone who has answered it.
  func tellOfAnswer(_ title: String?, by person: ScenePerson) {
    let notice: PageNotice = person.number == 0 ? .answeredElsewhere : .answered
    let text = "\(translate(notice.rawValue, person.number)) \(title ?? "–")"
    for viewer in viewers.values where viewer.person !== person { report(text, to: viewer) }
  }

  /// Shows a line in a page for some seconds.
  func report(_ text: String, to viewer: PageViewer) {
    var wire = WireText()
    wire.raw("[\"report\",\(text.quotedForJSON)]")
    send(wire, to: viewer)
    viewer.noteNotice(wire)
  }

  private func close(_ connection: any ViewerConnection) {
    guard let viewer = viewers.removeValue(forKey: connection.number) else { return }
    viewer.connection = nil
    absent.append(viewer)
    // A script may ask again when it gets no answer.
    viewer.awayTimer = loop?.after(idle, repeating: true, keepsRunning: false) {
      [weak self, weak viewer] in
      if let self, let viewer { giveUp(viewer) }
    }
    if absent.count > Self.mostAbsent {
      let forgotten = absent.removeFirst()
      forgotten.awayTimer?.cancel()
      _ = acts.takeAll(of: forgotten)
      giveUp(forgotten)
    }
    let ids = viewer.rows.keys
    for id in ids { showRows(ofView: id) }
    dropWaitingActs(of: viewer)
  }
}
