package import TideGraph

/// What has been selected in the controllers of a graph, by whom, and in which frame that shows, for
/// people who act on what they were shown some time ago.
///
///     frame 4   Ann selected              an act of frame 4 that comes late
///     frame 5   Bob selected, by another    reads the selection: refused, and taken back
///                                           does not: carried out
///
/// Nothing is noted before somebody shows the app to such people.
package final class SelectionHistory {
  private unowned let graph: Graph
  private let nextFrame: () -> Int
  private let changed: () -> Void
  private var histories: [ObjectIdentifier: History] = [:]
  /// Whose act it is that selects now; nil for the program's own.
  private var person: ObjectIdentifier?
  /// What is being done on what was shown before, as long as that makes a difference.
  private var act: (person: ObjectIdentifier, frame: Int)?
  private var refusal: String?

  private struct History {
    let controller: ObjectHandle
    /// Whether there is what was selected first.
    var isWhole: Bool
    var entries: [Entry] = []
  }

  private struct Entry {
    let frame: Int
    let person: ObjectIdentifier?
    let selected: Selected
  }

  /// The first selected objects and how many there are. It keeps none of them alive.
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

    /// How the first one goes.
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
  /// So many values that one depends on are looked at.
  private static let mostSlots = 4096

  /// - Parameters:
  ///   - nextFrame: gives the frame that will show what is selected now.
  ///   - changed: called when something else is selected.
  package init(
    of graph: Graph, nextFrame: @escaping () -> Int, changed: @escaping () -> Void
  ) {
    self.graph = graph
    self.nextFrame = nextFrame
    self.changed = changed
  }

  /// Notes what a controller has selected from now on.
  ///
  /// - Parameter isNew: whether it has selected nothing before.
  func note(
    _ controller: Controller, isNew: Bool, count: Int, _ first: (_ limit: Int) -> [Value]
  ) {
    let selected = Selected(count: count, first(Self.mostObjects))
    let key = ObjectIdentifier(controller)
    var history = History(controller: ObjectHandle(controller), isWhole: isNew)
    // Another controller may have had the address before.
    if let known = histories[key], known.controller == history.controller { history = known }
    if history.entries.last?.selected == selected { return }
    let frame = nextFrame()
    if history.entries.last?.frame == frame { history.entries.removeLast() }
    history.entries.append(Entry(frame: frame, person: person, selected: selected))
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

  /// Carries out what a person does who was shown a frame; nil stands for one too long ago. What it
  /// does to properties and lists is taken back where it has asked for a selection that this person
  /// has not seen.
  ///
  /// - Returns: what is selected now where the act was refused; nil where it was carried out.
  package func perform(
    by person: ObjectIdentifier, since frame: Int?, _ body: () -> Void
  ) -> String? {
    let outer = self.person
    self.person = person
    defer { self.person = outer }
    let act = (person: person, frame: frame ?? -1)
    guard self.act == nil, histories.values.contains(where: { isOther($0, for: act) }),
      !graph.hasJournal
    else {
      body()
      return nil
    }
    self.act = act
    refusal = nil
    let journal = graph.beginJournal()
    body()
    graph.end(journal)
    self.act = nil
    guard let refusal else { return nil }
    self.refusal = nil
    self.person = outer
    journal.rollBackProperties()
    return refusal
  }

  private func isOther(
    _ history: History, for act: (person: ObjectIdentifier, frame: Int)
  ) -> Bool {
    guard let present = history.entries.last, history.controller.object != nil else { return false }
    let seen = history.entries.last { $0.frame <= act.frame || $0.person == act.person }
    // It was made while the frame was on its way.
    if seen == nil, history.isWhole, history.entries.count == 1 { return false }
    return seen?.selected != present.selected
  }

  // MARK: For scripts

  /// Whether an act is carried out whose person has not seen what is selected somewhere.
  package var isChecking: Bool { act != nil }
  /// Whether the act has asked for a selection that its person has not seen.
  package var isRefused: Bool { refusal != nil }

  /// Throws where a controller has something else selected than the person saw whose act is being
  /// carried out.
  package func check(_ controller: Controller) throws(TideError) {
    guard let act, let history = histories[ObjectIdentifier(controller)], isOther(history, for: act)
    else { return }
    let title = graph.untracked { history.entries.last?.selected.title ?? "" }
    refusal = refusal ?? title
    let name = BindingTable.of(graph).hooks.nameOfObject?(controller) ?? controller.label
    throw TideError(
      .refused,
      "something else is selected in \(name) than its person saw who did this"
        + (title.isEmpty ? "" : ": \(TransformCall.quoted(title))")
        + "; nothing was done, and they were told to do it again")
  }

  /// The same, of every controller whose selection a value depends on.
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
  /// Takes back what properties held; what is beside those is its object's own affair.
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
