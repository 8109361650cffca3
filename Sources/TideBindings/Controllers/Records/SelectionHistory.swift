package import TideGraph

/// Records the selections of a graph's controllers: who made each, and in which frame it shows. It
/// serves users whose acts arrive later than the frame on which they are based.
///
///     frame 4   Ann selected              an act of frame 4 that comes late
///     frame 5   Bob selected, by another    reads the selection: refused, and rolled back
///                                           does not: carried out
///
/// Nothing is recorded until the app is shown to such users: in pages, or in a terminal, whose keys
/// may wait while a frame is drawn.
package final class SelectionHistory {
  private unowned let graph: Graph
  private let nextFrame: () -> Int
  private let changed: () -> Void
  /// Nil if a medium counts the frames.
  private var ownFrames: FrameCount?
  private var histories: [ObjectIdentifier: History] = [:]
  /// The act being carried out; nil for the program.
  package private(set) var act: PersonalAct?
  /// Whether a selection is outdated for the act being carried out.
  package private(set) var isChecking = false
  /// The title of the unseen selection that stopped the act; nil if nothing stopped it.
  private var refusal: String?

  private struct History {
    let controller: ObjectHandle
    /// Whether the entries reach back to the first selection.
    var isWhole: Bool
    var entries: [Entry] = []
  }

  private struct Entry {
    let frame: Int
    let person: ObjectIdentifier?
    let selected: Selected
  }

  /// The first selected objects and the count. It keeps no object alive.
  private struct Selected: Equatable {
    let count: Int
    let objects: [Member]

    enum Member: Equatable {
      case object(ObjectHandle)
      case value(Value)
    }

    init(count: Int, _ values: [Value]) {
      self.count = count
      objects = values.map { value in
        if case .object(let object as DataObject) = value {
          .object(ObjectHandle(object))
        } else {
          .value(value)
        }
      }
    }

    /// The title of the first selected object.
    var title: String {
      switch objects.first {
      case .object(let handle)?: handle.object.map { RowTitle.of(.object($0)) } ?? ""
      case .value(let value)?: RowTitle.of(value)
      case nil: ""
      }
    }
  }

  private static let mostEntries = 32
  private static let mostObjects = 16
  private static let mostControllers = 1000
  /// The maximum number of dependencies of a value that are checked.
  private static let mostSlots = 4096

  /// - Parameters:
  ///   - nextFrame: returns the number of the frame that will show the present selection.
  ///   - changed: called when a selection has changed.
  package init(
    of graph: Graph, nextFrame: @escaping () -> Int, changed: @escaping () -> Void
  ) {
    self.graph = graph
    self.nextFrame = nextFrame
    self.changed = changed
  }

  /// A history that counts frames by itself.
  package convenience init(of graph: Graph) {
    let frames = FrameCount()
    self.init(of: graph, nextFrame: { frames.next }, changed: {})
    ownFrames = frames
  }

  private final class FrameCount {
    var next = 1
  }

  /// A medium shows all changes so far. Returns the number of its frame.
  package func noteShown() -> Int {
    ownFrames?.next += 1
    return nextFrame() - 1
  }

  /// Records what a controller has selected.
  ///
  /// - Parameter isNew: whether the controller had selected nothing before.
  func note(
    _ controller: Controller, isNew: Bool, count: Int, _ first: (_ limit: Int) -> [Value]
  ) {
    let selected = Selected(count: count, first(Self.mostObjects))
    let key = ObjectIdentifier(controller)
    var history = History(controller: ObjectHandle(controller), isWhole: isNew)
    // An earlier controller may have had the same address.
    if let known = histories[key], known.controller == history.controller { history = known }
    if history.entries.last?.selected == selected { return }
    let frame = nextFrame()
    if history.entries.last?.frame == frame { history.entries.removeLast() }
    history.entries.append(Entry(frame: frame, person: act?.person, selected: selected))
    if history.entries.count > Self.mostEntries {
      history.entries.removeFirst()
      history.isWhole = false
    }
    if histories.count >= Self.mostControllers {
      histories = histories.filter { $0.value.controller.object != nil }
    }
    histories[key] = history
    changed()
  }

  /// Makes the act of a user who saw a frame; nil for a frame that is too old.
  ///
  /// - Parameter notify: called if the act is refused.
  package func makeAct(
    by owner: AnyObject, since frame: Int?, checksSelections: Bool,
    _ notify: @escaping (PersonalAct.Refusal) -> Void
  ) -> PersonalAct {
    PersonalAct(
      by: owner, on: min(frame ?? -1, nextFrame()), checksSelections: checksSelections, notify)
  }

  /// Runs one step of an act: its beginning, or its continuation after a wait. If the step reads a
  /// selection that the user has not seen, its changes of properties and lists are rolled back, and
  /// the user is notified.
  ///
  /// - Parameters:
  ///   - act: nil for the program.
  ///   - checks: whether the user has requested the step itself.
  package func perform(_ act: PersonalAct?, checks: Bool = true, _ body: () -> Void) {
    if act === self.act { return body() }
    let outer = (self.act, isChecking, refusal)
    func restore() { (self.act, isChecking, refusal) = outer }
    self.act = act
    isChecking = act.map { checks && isOutdated(for: $0) } ?? false
    refusal = nil
    guard let act, isChecking else {
      body()
      return restore()
    }
    let hadKeptChanges = act.hasKeptChanges
    let watch = BindingTable.of(graph).writeWatch
    let latest = watch?.latestChange ?? 0
    let journal = graph.beginJournal()
    body()
    graph.end(journal)
    let selected = refusal
    restore()
    guard let selected else { return }
    if let watch {
      watch.takingBack(since: latest) { journal.rollBackProperties() }
    } else {
      journal.rollBackProperties()
    }
    act.notify(selected, hasKeptChanges: hadKeptChanges)
  }

  private func isOutdated(for act: PersonalAct) -> Bool {
    act.checksSelections && histories.values.contains { isOther($0, for: act) }
  }

  private func isOther(_ history: History, for act: PersonalAct) -> Bool {
    guard let present = history.entries.last, history.controller.object != nil else { return false }
    let seen = history.entries.last { $0.frame <= act.frame || $0.person == act.person }
    // The first selection was made before the frame reached the user.
    if seen == nil, history.isWhole, history.entries.count == 1 { return false }
    return seen?.selected != present.selected
  }

  // MARK: For scripts

  /// Whether the act has read a selection that its user has not seen.
  package var isRefused: Bool { act?.isRefused ?? false }

  /// Throws if the controller's selection differs from the one that the acting user saw.
  package func check(_ controller: Controller) throws(TideError) {
    guard isChecking, let act, let history = histories[ObjectIdentifier(controller)],
      isOther(history, for: act)
    else { return }
    let title = graph.untracked { history.entries.last?.selected.title ?? "" }
    refusal = refusal ?? title
    act.refuse()
    let name = BindingTable.of(graph).hooks.nameOfObject?(controller) ?? controller.label
    throw TideError(
      .refused,
      "the selection of \(name) has changed since the person who did this saw it"
        + (title.isEmpty ? "" : ": \(TransformCall.quoted(title))")
        + "; what was written since the last wait is taken back, and the person is told",
      cause: UnseenSelection())
  }

  /// Checks every controller whose selection a value depends on.
  package func check(_ slot: Slot) throws(TideError) {
    var rest = [slot]
    var seen: Set<UInt32> = [slot.index]
    while let next = rest.popLast(), seen.count < Self.mostSlots {
      for edge in graph.dependencies(of: next) {
        let source = graph.source(of: edge)
        guard seen.insert(source.index).inserted else { continue }
        if let controller = source.blockHeader?.block as? Controller,
          source == controller.slot(.state)
        {
          try check(controller)
        } else if source.isDerived {
          rest.append(source)
        }
      }
    }
  }
}

extension Journal {
  /// Rolls back the values of properties. Other state is left to its object.
  package func rollBackProperties() {
    rollBack { slot, _ in
      guard let header = slot.blockHeader, let object = header.block as? DataObject else {
        return false
      }
      let index = slot - header - 1
      guard object.shape.propertiesByIndex.indices.contains(index) else { return false }
      return !object.shape.propertiesByIndex[index].isRetired
    }
  }
}
