package import TideGraph

// What a person has written into a property of a view belongs to the bindings that carry it away
// from there: they may hold it back until the typing ends or a delay is over, or the model may have
// refused it. When another view takes the place of the first, the edit goes on at its bindings, and
// nothing is written because of that.
//
//     old.text ──▶ gate that waits ──▶ model           ends with its context
//         │              │               │
//         ▼              ▼               ▼ the same
//     new.text ──▶ gate that waits anew ─▶ model
extension BindingTable {
  /// Lets a property hold what the property that it takes the place of holds.
  ///
  /// It does where both are bound to the same and the edit is held back there or makes no
  /// difference to the model. Gives what is to be done when the new view has taken over the focus
  /// as well; nil where the property is to keep what it has.
  ///
  /// - Parameters:
  ///   - keepsUnbound: whether it takes the value over where nothing carries it away.
  ///   - keepsEcho: whether it takes over a value that makes no difference to the model.
  ///   - write: writes the value to the new property.
  package func passEdit(
    from old: Slot, to new: Slot, keepsUnbound: Bool, keepsEcho: Bool = true,
    _ write: (Value) -> Void
  ) -> PassedEdit? {
    let value = graph.untracked { old.load() }
    let routes = routes(from: new)
    if routes.isEmpty {
      guard keepsUnbound else { return nil }
      write(value)
      return PassedEdit(order: (0, 0)) {}
    }
    let former = self.routes(from: old)
    var passed: [(old: EditRoute, new: EditRoute)] = []
    for route in routes {
      guard let match = former.first(where: { route.leads(whereDid: $0) }) else { continue }
      passed.append((match, route))
    }
    let held = passed.filter { $0.old.isHeld }
    if held.isEmpty {
      guard keepsEcho, !passed.isEmpty, routes.allSatisfy({ $0.isEcho(value) }) else { return nil }
    }
    withoutCarrying(from: new) { write(value) }
    let editor = held.compactMap { $0.old.editorNumber }.min() ?? 0
    let wait = held.compactMap { $0.old.waitNumber }.min() ?? 0
    return PassedEdit(order: (editor, wait)) { [unowned self] in
      for (old, new) in passed { new.continueInterval(of: old) }
      for (old, new) in held {
        passedOn.insert(old.record)
        new.hold(as: old.heldEdit(keepsDue: false))
      }
    }
  }

  /// Which of some new objects take the place of which former ones, because what a person enters
  /// there goes to the same property of the same object; by their positions in what is given, in
  /// the order of the new ones. Of several that are alike the first one is the first one's.
  package func successors(
    of old: [DataObject], among new: [DataObject], where isAllowed: (_ old: Int, _ new: Int) -> Bool
  ) -> [(old: Int, new: Int)] {
    var formers = entries(at: old)
    let comers = entries(at: new)
    // Each is compared with each.
    if formers.count * comers.count > 40_000 { return [] }
    var pairs: [(old: Int, new: Int)] = []
    for comer in comers {
      let match = formers.firstIndex { former in
        isAllowed(former.position, comer.position)
          && comer.routes.contains { new in
            former.routes.contains { new.index == $0.index && new.route.isOfSameEnds(as: $0.route) }
          }
      }
      if let match { pairs.append((formers.remove(at: match).position, comer.position)) }
    }
    return pairs
  }

  /// Whether a binding keeps something that was entered at an object and that the model does not
  /// have.
  package func holdsEdit(at object: DataObject) -> Bool {
    (0..<object.valueCount).contains { index in
      routes(from: object.slot(index)).contains { $0.isHeld }
    }
  }

  /// Whether something was typed at an object and waits for the end of the typing.
  package func holdsDraft(at object: DataObject) -> Bool {
    (0..<object.valueCount).contains { index in
      routes(from: object.slot(index)).contains { $0.isDraft }
    }
  }

  /// Whether what was entered at an object, and the model does not have, waits for delays alone and
  /// will be written to the record for which it was entered.
  package func delaysEdits(at object: DataObject) -> Bool {
    let held = (0..<object.valueCount).flatMap { routes(from: object.slot($0)) }.filter(\.isHeld)
    return !held.isEmpty && held.allSatisfy(\.isDelayed)
  }

  /// Whether the model has refused something that was entered at an object.
  package func refusesEdit(at object: DataObject) -> Bool {
    (0..<object.valueCount).contains { index in
      routes(from: object.slot(index)).contains { $0.hasFailed }
    }
  }

  /// Lets an object show again what the model has, in place of what was entered there and is held
  /// back.
  package func discardEdits(at object: DataObject) {
    for index in 0..<object.valueCount {
      for route in routes(from: object.slot(index)) where route.isHeld { route.discard() }
    }
  }

  /// Shows the model's version of a text when its editing ends, such as a name without blanks at
  /// its ends.
  ///
  /// The view shows the current text of the current record, whichever record was typed into. A text
  /// that the model has refused, or does not have yet, stays.
  package func showModelText(at slot: Slot) {
    let routes = graph.untracked { self.routes(from: slot) }
    if routes.contains(where: \.isHeld) { return }
    for route in routes { route.showModelText() }
  }

  /// Carries what waits for the end of a delay, or for that of the typing, at once.
  package func carryEdits(at object: DataObject) {
    for index in 0..<object.valueCount {
      for route in routes(from: object.slot(index)) { route.carryWaiting() }
    }
  }

  /// The words for people of the properties that what is entered somewhere is for, also where it
  /// goes there by way of components.
  func messages(at slot: Slot, depth: Int = 0) -> [EditMessages] {
    graph.untracked {
      routes(from: slot).flatMap { route in
        guard case .property(let view, let index)? = route.destination, view is any ViewNavigable
        else { return route.destination?.messages.map { [$0] } ?? [] }
        return depth < Self.deepest ? messages(at: view.slot(index), depth: depth + 1) : []
      }
    }
  }

  /// Whether nothing cannot be entered at a property, because it goes as it is to one that is never
  /// nil: that one takes nil for its initial value, which nobody has entered.
  package func refusesNothing(at slot: Slot) -> Bool {
    graph.untracked {
      routes(from: slot).contains { route in
        guard !route.transforms, case .property(let object, let index)? = route.destination else {
          return false
        }
        return !object.description(ofProperty: index).isNullable
      }
    }
  }

  /// Carries what is at the end to which an edge leads back to where that edge begins.
  func carryBack(_ edge: EdgeIndex, of record: UInt32) {
    let ends = self.record(record).pointee
    let back = ends.edge == edge ? ends.reverse : ends.edge
    transfer(of: edge)?.left = nil
    if let gate = details(of: record)?.gates.first(where: { $0.edge == back }) {
      gate.fire()
    } else if back != 0 {
      graph.fire(back)
    }
  }

  func transfer(of edge: EdgeIndex) -> BindingTransfer? {
    let body = graph.body(of: edge)
    return (body as? Gate)?.transfer ?? body as? BindingTransfer
      ?? (body as? SlotTransfer)?.transfer
  }

  private typealias Entry = (position: Int, routes: [(index: Int, route: EditRoute)])

  /// Those of some objects at which what is entered goes anywhere.
  private func entries(at objects: [DataObject]) -> [Entry] {
    objects.enumerated().compactMap { position, object in
      var found: [(index: Int, route: EditRoute)] = []
      for index in 0..<object.valueCount {
        found += routes(from: object.slot(index)).map { (index, $0) }
      }
      return found.isEmpty ? nil : (position, found)
    }
  }

  /// Lets a property be written without that its bindings carry it on.
  func withoutCarrying(from slot: Slot, _ body: () -> Void) {
    withoutCarrying(from: [slot], body)
  }

  package func withoutCarrying(from slots: [Slot], _ body: () -> Void) {
    let silenced = slots.flatMap { graph.dependents(of: $0) }.filter { edge in
      graph.isBinding(edge, ownedBy: graph.owner(of: edge)) && graph.isEnabled(edge)
    }
    for edge in silenced { graph.setEnabled(false, ofEdge: edge) }
    body()
    graph.withoutCatchingUp { for edge in silenced { graph.setEnabled(true, ofEdge: edge) } }
  }

  /// What carries a property's value to where it belongs.
  func routes(from slot: Slot) -> [EditRoute] {
    graph.dependents(of: slot).compactMap { edge in
      let record = graph.owner(of: edge)
      guard record != 0, graph.isBinding(edge, ownedBy: record) else { return nil }
      return EditRoute(self, edge, record)
    }
  }
}

/// An edit that has been passed on to another property, and goes on there when the rest has been,
/// too.
package struct PassedEdit {
  /// Edits go on in the order in which they have begun: a controller commits them in that, and of
  /// what waits the first is carried first.
  package let order: (editor: Int, wait: Int)
  package let resume: () -> Void

  init(order: (editor: Int, wait: Int), _ resume: @escaping () -> Void) {
    self.order = order
    self.resume = resume
  }
}

/// One binding's way from a property that a person edits.
struct EditRoute {
  let table: BindingTable
  let edge: EdgeIndex
  let record: UInt32
  private let gate: Gate?
  private let transfer: BindingTransfer?

  init(_ table: BindingTable, _ edge: EdgeIndex, _ record: UInt32) {
    self.table = table
    self.edge = edge
    self.record = record
    let body = table.graph.body(of: edge)
    gate = body as? Gate
    transfer = gate?.transfer ?? body as? BindingTransfer ?? (body as? SlotTransfer)?.transfer
  }

  private var target: Slot { table.graph.target(of: edge) }

  var hasFailed: Bool {
    table.record(record).pointee.flags & BindingRecord.failed != 0
  }

  /// Whether it keeps something that the model does not have.
  var isHeld: Bool { gate.map { $0.wait != .nothing } ?? false || hasFailed }

  /// Whether it waits for the end of the typing.
  var isDraft: Bool { gate?.wait == .editing }

  /// Whether it only delays what was entered, and writes it where it was meant to go.
  var isDelayed: Bool { gate?.keepsDestination == true && !hasFailed }

  var waitNumber: Int? { gate.flatMap { $0.wait == .time ? $0.waitNumber : nil } }

  /// Which of its controller's editors holds the edit.
  var editorNumber: Int? { transfer?.editorNumber }

  var transforms: Bool { transfer?.hasTransformer == true }

  var destination: Destination? {
    if let transfer { return try? transfer.destination(of: target) }
    return try? PropertyFinder(target).find()
  }

  /// Whether it leads where a former one did: to the same property of the same object, of the same
  /// selected objects, or of an object that was made anew and holds the same.
  func leads(whereDid other: EditRoute) -> Bool {
    if transfer == nil && other.transfer == nil { return true }
    guard let destination, let former = other.destination else { return false }
    switch (destination, former) {
    case (.property(let object, let index), .property(let other, let otherIndex)):
      if object === other { return index == otherIndex }
      if let proxy = object as? ProxyProperty, let formerProxy = other as? ProxyProperty {
        return proxy.isOfSameObjects(as: formerProxy)
      }
      return object.isNew(insteadOf: other, in: table)
        && object.description(ofProperty: index).name
          == other.description(ofProperty: otherIndex).name
        && destination.value == former.value
    case (.entry(let object, let name), .entry(let other, let otherName)):
      return object === other && name == otherName
    default: return false
    }
  }

  /// Whether it leads to the same property of the same object as a former one, or of the same
  /// selected objects.
  func isOfSameEnds(as other: EditRoute) -> Bool {
    if transfer == nil && other.transfer == nil { return target == other.target }
    switch (destination, other.destination) {
    case (.property(let object, let index)?, .property(let other, let otherIndex)?):
      if object === other { return index == otherIndex }
      guard let proxy = object as? ProxyProperty, let former = other as? ProxyProperty else {
        return false
      }
      return proxy.isOfSameObjects(as: former)
    case (.entry(let object, let name)?, .entry(let other, let otherName)?):
      return object === other && name == otherName
    default: return false
    }
  }

  func carryWaiting() {
    if let gate, gate.wait == .time { gate.carryOutWaiting() }
  }

  func discard() {
    gate?.cancel()
    table.carryBack(edge, of: record)
  }

  /// Carries the model's text back where the view shows another one.
  func showModelText() {
    let ends = table.record(record).pointee
    let back = ends.edge == edge ? ends.reverse : ends.edge
    if back == 0 { return }
    let source = table.graph.source(of: back)
    let (held, shown) = table.graph.untracked {
      (source.load(), table.graph.source(of: edge).load())
    }
    // A text that stands for a number or a date stays as it was typed.
    guard case .string(let text) = held else { return }
    let forward = table.transfer(of: back)
    guard let wanted = forward.map({ $0.presentedText(of: source) }) ?? text,
      shown != .string(wanted)
    else { return }
    // Without this the binding would take the model's text for an echo of the typed one.
    forward?.owesFirst = true
    table.carryBack(edge, of: record)
  }

  func isEcho(_ value: Value) -> Bool {
    transfer?.leavesUnchanged(target, writing: value)
      ?? (table.graph.untracked { target.load() } == value)
  }

  /// Where it leads now: of a selection, to the property of the one selected object.
  var presentDestination: Destination? {
    table.graph.untracked { gate?.draftDestination ?? destination }
  }

  /// - Parameter keepsDue: whether a delay ends when it would have ended without the succession.
  func heldEdit(keepsDue: Bool) -> HeldEdit {
    var wait = gate?.pending ?? Gate.Pending()
    if keepsDue { wait.due = gate?.due }
    return HeldEdit(wait: wait, hasFailed: hasFailed, error: table.details(of: record)?.error)
  }

  func continueInterval(of former: EditRoute) {
    if let gate, let old = former.gate { gate.continueInterval(of: old.pending) }
  }

  /// Goes on with an edit that a former one holds.
  func hold(as former: HeldEdit) {
    guard table.graph.isBinding(edge, ownedBy: record) else { return }
    if let gate, former.wait.kind != .nothing {
      gate.waitAgain(as: former.wait)
      if former.wait.kind == .editing && gate.wait == .nothing { carryAtEnd() }
      // What was refused before has been edited since, and shows what was wrong with it.
      if var error = former.error, former.hasFailed, !hasFailed {
        (error.location, error.path) = (nil, nil)
        table.fail(record, error)
      }
    } else if former.wait.kind == .editing {
      carryAtEnd()
    } else if former.hasFailed, let transfer {
      transfer.holdRefused(edge, from: table.graph.source(of: edge), to: target)
    }
  }

  /// Carries what was typed when the typing ends, as it would have been, although this binding
  /// waits for no such thing.
  private func carryAtEnd() {
    let table = table, edge = edge, record = record
    let generation = table.record(record).pointee.generation
    func carry() {
      guard table.isCurrent(record, generation), table.graph.isBinding(edge, ownedBy: record) else {
        return
      }
      if let gate = table.graph.body(of: edge) as? Gate {
        gate.deliver()
      } else {
        table.graph.fire(edge)
      }
    }
    transfer?.beginEditing(edge)
    let object = table.graph.source(of: edge).blockHeader?.block
    guard let editor = object as? any TextEditing, editor.isBeingEdited else { return carry() }
    _ = editor.whenEditingEnds { carry() }
  }
}

extension DataObject {
  /// Whether it was made anew in the place of an object that ends, as those without a name are.
  fileprivate func isNew(insteadOf other: DataObject, in table: BindingTable) -> Bool {
    shape.name == other.shape.name && !(self is ControllerPart) && !(other is ControllerPart)
  }
}

extension ProxyProperty {
  /// Whether a write through it goes to the same as one through another.
  fileprivate func isOfSameObjects(as other: ProxyProperty) -> Bool {
    guard steps == other.steps else { return false }
    if source === other.source { return true }
    guard let selection = source as? SelectionProxy, let former = other.source as? SelectionProxy
    else { return false }
    return graph.untracked {
      guard let selected = selection.controller?.selectedValues,
        let formerly = former.controller?.selectedValues
      else { return false }
      return selected == formerly
    }
  }
}
