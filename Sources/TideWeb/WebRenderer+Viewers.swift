import TideBindings
import TideSystem
import TideViews

// Connecting, reconnecting and leaving viewers, and the questions of those who are away.
extension WebRenderer {
  /// The most disconnected viewers that are remembered.
  private static let mostAbsent = 64

  /// The connected viewers and those who may reconnect.
  var allViewers: [PageViewer] { Array(viewers.values) + absent }

  /// The number of connected viewers.
  package var viewerCount: Int { viewers.count }

  /// Handles a report of a connection.
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
    // Knowing a page's name does not prove ownership.
    let isSame = { (known: PageViewer) in
      known.session == connection.session && known.owner == connection.owner
    }
    if let index = absent.firstIndex(where: isSame) {
      viewer = absent.remove(at: index)
      viewer.awayTimer?.cancel()
      viewer.awayTimer = nil
    } else if let known = viewers.values.first(where: isSame) {
      // The page has reconnected before the loss of its former connection was noticed.
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
    if isNew { inherit(viewer) } else { takeBackTyping(viewer) }
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

  /// Hands over questions to a viewer who connects: its own, and those of the same owner's
  /// disconnected pages. A reloaded page is a new viewer, and a question that nobody sees would
  /// keep its script waiting. Questions of other owners wait for them.
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

  /// Whether a person's page belongs to an owner and is disconnected.
  private func isAbsent(_ person: ScenePerson, of owner: String?) -> Bool {
    absent.contains { $0.person === person && $0.owner == owner }
  }

  /// A page that was loaded again is a new viewer. The new viewer takes over what belongs to the
  /// former one, and continues its typing with the focus in the same field.
  ///
  /// A page continues one text. The typing of further pages waits for other pages of the owner, or
  /// for its own page.
  private func inherit(_ viewer: PageViewer) {
    guard let scene else { return }
    for other in absent.reversed()
    where other.owner == viewer.owner && !isThere(other.person.present) {
      if let view = other.person.focus {
        if !scene.isTyped(in: view, by: other.person) {
          scene.endTyping(of: other.person, in: view)
        } else if viewer.focus == nil, isOfOnePerson || viewer.owner != nil,
          let id = tree.id(of: view), tree.has(id, viewer.person), scene.isReachable(view)
        {
          scene.passTyping(in: view, from: other.person, to: viewer.person)
          swap(&viewer.typed, &other.typed)
          note(focus: id, of: viewer)
        } else {
          continue
        }
      }
      other.person.heir = viewer.person
    }
  }

  /// A viewer has reconnected whose typing another page may have continued.
  private func takeBackTyping(_ viewer: PageViewer) {
    let heir = viewer.person.present
    viewer.person.heir = nil
    if heir !== viewer.person, let view = viewer.person.focus {
      scene?.passTyping(in: view, from: heir, to: viewer.person)
    }
  }

  /// Closes the dialogs of a viewer who has been away for long, as Escape would, so that no script
  /// waits for an answer that may never come.
  private func giveUp(_ viewer: PageViewer) {
    guard let scene, viewer.connection == nil else { return }
    // The viewer's editing no longer holds rows in place.
    note(focus: nil, of: viewer)
    let former = person
    person = viewer.details
    defer { person = former }
    for case let dialog as DialogView in scene.presented where dialog.person === viewer.person {
      // Closing a bar or key help would move the focus, which is another person's by now.
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

  /// Tells all other viewers who has answered a question to everyone.
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

  /// Makes a page say that an act on a view was refused.
  func refuse(_ view: Int, _ text: String, to viewer: PageViewer) {
    var wire = WireText()
    wire.array {
      $0.string("refused")
      $0.number(view)
      $0.string(text)
    }
    send(wire, to: viewer)
    viewer.noteNotice(wire)
  }

  private func close(_ connection: any ViewerConnection) {
    guard let viewer = viewers.removeValue(forKey: connection.number) else { return }
    viewer.connection = nil
    absent.append(viewer)
    // Repeats, because a script may ask again after it gets no answer.
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
