import TideGraph

// Traces a value back to its origin. The change record of a slot names what changed it. Its inputs
// are read from the current graph; of several inputs, the trace follows the one that changed last
// before the change. A controller is represented by its last action (a selection or a new
// arrangement of its rows), and a derived list by its inputs (`BindingTable+ListCauses.swift`).

extension BindingTable {
  /// The chain of causes of the value at the end of a path, this value first and the origin last.
  ///
  /// Throws `unknownProperty` for an unknown step. Empty when the path is unresolved.
  package func causes(of object: DataObject, _ path: String) throws -> [Cause] {
    try graph.untracked {
      let end = try Endpoint(object, Path(path))
      if let property = end.property { return chain(from: property) }
      let body = PathBody(end.path.steps[...], from: end.object)
      let node = graph.makeComputed(body)
      defer { graph.dispose(node) }
      try graph.refresh(node)
      let read = graph.dependencies(of: node).map { graph.source(of: $0) }
      guard body.isResolved, let last = read.last else { return [] }
      let found = chain(from: last)
      guard let chosen = selection(among: read.dropLast(), after: last) else { return found }
      let value = Cause(
        path: "\(name(of: object)).\(path)", old: nil, new: last.load(), kind: .computed,
        location: nil, act: "another selection")
      return [value] + chain(from: chosen)
    }
  }

  /// The last slot on the way to a property through which a controller changed its selection after
  /// the property itself changed. That selection explains the new value.
  private func selection(among read: ArraySlice<Slot>, after property: Slot) -> Slot? {
    let made = property.blockHeader.flatMap { graph.lastChange(of: $0) }
    let changed = (graph.lastChange(of: property) ?? made)?.sequence ?? 0
    return read.last { controllerStep(at: $0, before: .max).map { $0.sequence > changed } ?? false }
  }

  /// The script line that made an object; nil if unknown.
  package func placeOfMaking(of object: DataObject) -> SourceLocation? {
    guard let change = graph.lastChange(of: object.header), change.cause == .making else {
      return nil
    }
    return location(change.locationID)
  }

  /// The script line that a slot's value originates from, or the location `input` for user input;
  /// nil if unknown.
  package func originLocation(of slot: Slot) -> SourceLocation? {
    guard graph.keepsHistory else { return nil }
    let causes = graph.untracked { chain(from: slot) }
    if let location = causes.last(where: { $0.location != nil })?.location { return location }
    return causes.last?.kind == .input ? SourceLocation(file: "input", line: 0) : nil
  }

  /// The binding that owns an edge; nil if the edge belongs to no binding.
  package func binding(carriedBy edge: EdgeIndex) -> Binding? {
    let owner = graph.owner(of: edge)
    return owner == 0 ? nil : Binding(owner, self)
  }

  package func causes<Content>(of property: PropertyReference<Content>) -> [Cause] {
    graph.untracked { chain(from: property.slot) }
  }

  /// The maximum length of a chain.
  private static let longest = 100

  private func chain(from first: Slot) -> [Cause] {
    try? graph.refresh(first)
    var chain: [Cause] = []
    var seen: Set<UInt32> = []
    var limit = UInt64.max
    var next: Slot? = first
    var passed: [Slot] = []
    while let slot = next, chain.count < Self.longest, seen.insert(slot.index).inserted {
      if let step = controllerStep(at: slot, before: limit) {
        // The property's own cause only says that it was recomputed.
        if chain.last?.path == step.cause.path { chain.removeLast() }
        chain.append(step.cause)
        passed.append(slot)
        next = step.origin
        limit = step.sequence
        continue
      }
      if let step = listStep(at: slot, before: limit) {
        if let cause = step.cause, chain.last?.path != cause.path { chain.append(cause) }
        passed.append(slot)
        next = step.origin
        limit = step.limit
        continue
      }
      // An input of an internal slot could be a value of any row.
      if isHidden(slot) { break }
      let change = latest(of: slot)
      if let cause = cause(of: slot, change) { chain.append(cause) }
      passed.append(slot)
      next = origin(of: slot, change, before: limit).map { origin in
        let holder = holder(of: origin, readBy: passed)
        // A property that holds a derived list leads to that list.
        return seen.contains(holder.index) ? origin : holder
      }
      limit = change?.change.sequence ?? limit
    }
    return chain
  }

  /// A slot's change, or a later edit of the list that it holds.
  private func latest(of slot: Slot) -> (change: Change, isEdit: Bool)? {
    let change = graph.lastChange(of: slot)
    guard case .object(let list as ValueList) = slot.load(),
      let edit = graph.lastChange(of: list.versionSlot),
      edit.sequence > change?.sequence ?? 0
    else { return change.map { ($0, slot.isVersion) } }
    return (edit, true)
  }

  // MARK: One link

  func cause(of slot: Slot, _ latest: (change: Change, isEdit: Bool)?) -> Cause? {
    guard let header = slot.blockHeader, let object = header.block as? DataObject,
      slot > header
    else { return nil }
    let index = slot - header - 1
    let path: String, new: Value
    if object.shape.propertiesByIndex.indices.contains(index) {
      path = "\(name(of: object)).\(object.shape.propertiesByIndex[index].name)"
      new = slot.load()
    } else {
      // The version slot of a list or a dictionary. A derived list has no name, so it adds no
      // cause.
      if object is LiveList { return nil }
      path = name(of: object)
      new = .object(object)
    }
    guard let (change, isEdit) = latest else {
      let made = graph.lastChange(of: header)
      return Cause(
        path: path, old: nil, new: new, kind: slot.isDerived ? .computed : .initial,
        location: (graph.body(of: slot) as? any LocatedBody)?.definition
          ?? made.flatMap { location($0.locationID) })
    }
    return Cause(
      path: path, old: isEdit ? nil : old(change.old), new: new,
      kind: isEdit ? .edit : kind(of: change), location: location(of: change, at: slot),
      act: act(of: change))
  }

  /// The name of the act behind a root change; nil for changes that another change caused.
  func act(of change: Change) -> String? {
    switch change.cause {
    case .write, .input: acts.name(of: change)
    case .binding, .body, .function, .making: nil
    }
  }

  /// The title under which the user edited an object, else its name in paths, else its label.
  func name(of object: DataObject) -> String {
    editedRecords?.name(of: object) ?? hooks.nameOfObject?(object) ?? object.label
  }

  func kind(of change: Change) -> Cause.Kind {
    switch change.cause {
    case .binding: .binding
    case .function: .computed
    case .input: .input
    case .write, .body: .write
    case .making: .initial
    }
  }

  private func location(of change: Change, at slot: Slot) -> SourceLocation? {
    switch change.cause {
    case .binding: break
    case .function: return (graph.body(of: slot) as? any LocatedBody)?.definition
    default: return location(change.locationID)
    }
    return edge(of: change).flatMap { Binding(graph.owner(of: $0), self).location }
  }

  private func location(_ id: UInt32) -> SourceLocation? {
    id == 0 ? nil : hooks.locationForID?(id)
  }

  func old(_ old: Change.Old) -> Value? {
    switch old {
    case .value(let value): return value
    case .beginning(let text): return .string(text + "…")
    case .unknown: return nil
    case .object(let index, let generation):
      let header = graph.slot(at: index)
      guard header.isHeader, header.generation == generation, let object = header.block else {
        return nil
      }
      return .object(object)
    }
  }

  // MARK: Controllers

  /// The last action of a controller, attributed to its public property.
  private struct ControllerStep {
    let cause: Cause
    let origin: Slot?
    let sequence: UInt64
  }

  /// The last action of a list controller before a change, if a slot represents the controller's
  /// selection or rows; nil for other slots and if no action is known.
  private func controllerStep(at slot: Slot, before limit: UInt64) -> ControllerStep? {
    guard let header = slot.blockHeader, slot > header else { return nil }
    let controller: ListController
    var isOfRows = true
    if let found = header.block as? ListController {
      let index = slot - header - 1
      let properties = found.shape.propertiesByIndex
      let property = properties.indices.contains(index) ? properties[index].name : nil
      isOfRows = property == "arrangedObjects"
      if let property, !isOfRows, !Self.selectionProperties.contains(property) { return nil }
      controller = found
    } else {
      guard let rows = header.block as? FollowingList, slot == rows.versionSlot,
        let found = rows.controller?.object as? ListController
      else { return nil }
      controller = found
    }
    let command = controller.slot(.command)
    var selecting = isOfRows ? nil : graph.lastChange(of: command)
    if let change = selecting, change.sequence >= limit { selecting = nil }
    let arranging = latestArranging(of: controller, from: slot, before: limit)
    if let selecting, selecting.sequence > arranging?.change.sequence ?? 0 {
      return ControllerStep(
        cause: selection(of: controller, by: selecting, at: command),
        origin: selecting.cause == .binding
          ? edge(of: selecting).map { graph.source(of: $0) } : nil,
        sequence: selecting.sequence)
    }
    guard let arranging else { return nil }
    let cause = Cause(
      path: "\(name(of: controller)).arrangedObjects", old: nil,
      new: .object(controller.arrangedObjects), kind: .edit, location: nil)
    return ControllerStep(
      cause: cause, origin: arranging.slot, sequence: arranging.change.sequence &+ 1)
  }

  /// Whether a slot is an internal, unnamed slot of a list controller.
  func isHidden(_ slot: Slot) -> Bool {
    guard let header = slot.blockHeader, slot > header,
      let controller = header.block as? ListController
    else { return false }
    return !controller.shape.propertiesByIndex.indices.contains(slot - header - 1)
  }

  private static let selectionProperties: Set<String> = [
    "selectionIndex", "selectionIndexes", "selectedObject", "selectedObjects", "selection",
  ]

  private func selection(
    of controller: ListController, by change: Change, at command: Slot
  ) -> Cause {
    let before = controller.slot(named: "selectionIndex").flatMap { graph.lastChange(of: $0) }
    return Cause(
      path: "\(name(of: controller)).selectionIndex", old: before.flatMap { old($0.old) },
      new: controller["selectionIndex"], kind: kind(of: change),
      location: location(of: change, at: command), act: act(of: change))
  }

  /// The slot that changed last among the inputs of a controller's arrangement.
  private func latestArranging(
    of controller: ListController, from first: Slot, before limit: UInt64
  ) -> (slot: Slot, change: Change)? {
    latestInput(
      of: [first, controller.arrangedObjects.versionSlot], before: limit,
      rows: controller.contentList()?.values ?? [], isOwn: { $0 === controller },
      isSetting: { isSetting($0, of: controller) })
  }

  /// The slot that changed last among the inputs of some lists, including inputs of the lists they
  /// derive from. Values of rows are left out: among thousands of rows one has always just changed,
  /// and it explains nothing.
  func latestInput(
    of lists: [Slot], before limit: UInt64, rows: [Value], isOwn isPart: (DataObject) -> Bool,
    isSetting: (Slot) -> Bool
  ) -> (slot: Slot, change: Change)? {
    var elements: Set<ObjectIdentifier> = []
    func add(_ values: [Value]) {
      for case .object(let row) in values { elements.insert(ObjectIdentifier(row)) }
    }
    add(rows)
    var found: [(owner: DataObject, slot: Slot, change: Change)] = []
    var seen = Set(lists.prefix(1).map(\.index))
    var rest = lists
    var clock = WorkClock()
    while let slot = rest.popLast(), clock.hasTime() {
      for edge in graph.dependencies(of: slot) {
        let source = graph.source(of: edge)
        guard seen.insert(source.index).inserted, source != editedRecords?.version else { continue }
        let owner = source.blockHeader?.block as? DataObject
        let isOwn = owner.map { isPart($0) || $0 is LiveList || $0 is ComputedList } ?? true
        if isOwn, source.isDerived || owner is ValueList { rest.append(source) }
        if !isOwn, let list = owner as? ValueList { add(list.values) }
        guard let owner, !isOwn || isSetting(source), let change = graph.lastChange(of: source),
          change.sequence < limit
        else { continue }
        found.append((owner, source, change))
      }
    }
    return found.filter { !elements.contains(ObjectIdentifier($0.owner)) }
      .max { $0.change.sequence < $1.change.sequence }.map { ($0.slot, $0.change) }
  }

  /// Whether a slot is a setting of a controller: its content, filter or sort.
  private func isSetting(_ slot: Slot, of controller: ListController) -> Bool {
    ["content", "filter", "sort"].contains { controller.slot(named: $0) == slot }
  }

  // MARK: Origins

  private func origin(
    of slot: Slot, _ latest: (change: Change, isEdit: Bool)?, before limit: UInt64
  ) -> Slot? {
    // A derived list leads to its own inputs.
    let holdsList = latest.map { $0.isEdit || $0.change.cause == .write } ?? !slot.isDerived
    if holdsList, case .object(let list as LiveList) = slot.load() { return list.versionSlot }
    guard let change = latest?.change else {
      return slot.isDerived ? latestSource(of: slot, before: limit) : nil
    }
    switch change.cause {
    case .binding: return edge(of: change).map { graph.source(of: $0) }
    case .function: return latestSource(of: slot, before: change.sequence)
    case .body:
      let body = graph.slot(at: change.causedBy)
      return body.isFree ? nil : latestSource(of: body, before: change.sequence)
    case .write, .input, .making: return nil
    }
  }

  /// The edge that carried a value, if it still exists.
  private func edge(of change: Change) -> EdgeIndex? {
    let owner = graph.owner(of: change.causedBy)
    guard owner != 0, graph.isBinding(change.causedBy, ownedBy: owner),
      graph.generation(of: change.causedBy) == change.edgeGeneration
    else { return nil }
    return change.causedBy
  }

  /// The slot that changed last before a change, among those that a slot has read. If all have
  /// changed since, the one that changed first. The search stops when the turn's time budget is
  /// used up.
  func latestSource(of slot: Slot, before limit: UInt64) -> Slot? {
    var (latest, earliest): ((slot: Slot, sequence: UInt64)?, (slot: Slot, sequence: UInt64)?)
    var clock = WorkClock()
    for edge in graph.dependencies(of: slot) {
      guard clock.hasTime() else { break }
      let source = graph.source(of: edge)
      // The version of the edited records does not affect values.
      if source == editedRecords?.version { continue }
      let sequence = graph.lastChange(of: source)?.sequence ?? 0
      if sequence < limit, sequence >= latest?.sequence ?? 0 { latest = (source, sequence) }
      if sequence < earliest?.sequence ?? .max { earliest = (source, sequence) }
    }
    return (latest ?? earliest)?.slot
  }

  /// Replaces the version slot of a list by the property that holds the list, if a dependent has
  /// read that property as well. Users know the list by that name.
  func holder(of counter: Slot, readBy readers: [Slot]) -> Slot {
    guard counter.isVersion, let list = counter.blockHeader?.block else { return counter }
    for reader in readers.suffix(4).reversed() {
      let holder = graph.dependencies(of: reader).prefix(Self.longest).first { edge in
        guard case .object(let held) = graph.source(of: edge).load() else { return false }
        return held === list
      }
      if let holder { return graph.source(of: holder) }
    }
    return counter
  }
}

/// A body that is defined in a script.
package protocol LocatedBody: AnyObject {
  var definition: SourceLocation? { get }
}

extension Slot {
  /// Whether this is the version slot of a list or a dictionary.
  var isVersion: Bool {
    guard let header = blockHeader, let object = header.block as? DataObject else { return false }
    return !object.shape.propertiesByIndex.indices.contains(self - header - 1)
  }
}
