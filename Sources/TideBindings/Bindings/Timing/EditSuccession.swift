package import TideGraph

// A user's edit of a view's property belongs to the bindings that read the property. They may hold
// the edit back until the typing or a delay ends, or the model may have rejected it. When another
// view replaces the first, its bindings take over the edit. The handover itself writes nothing to
// the model.
//
//     old.text ──▶ gate that waits ──▶ model           ends with its context
//         │              │               │
//         ▼              ▼               ▼ the same
//     new.text ──▶ gate that restarts ─▶ model
extension BindingTable {
  /// Copies the value of a replaced view's property to its successor, together with an edit that
  /// the bindings of the old property hold.
  ///
  /// The value is copied if both are bound to the same destination, and if the edit is held there
  /// or makes no difference to the model. Returns the step that resumes the edit once the new view
  /// has taken over the focus; nil if the new property keeps its own value.
  ///
  /// - Parameters:
  ///   - keepsUnbound: whether to copy the value if no binding reads the new property.
  ///   - keepsEcho: whether to copy a value that makes no difference to the model.
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

  /// Matches new objects to the former objects that they replace: both must be bound to the same
  /// property of the same object. Returns positions in the given arrays, in the order of the new
  /// objects. Among equal candidates, the first new object gets the first former one.
  package func successors(
    of old: [DataObject], among new: [DataObject], where isAllowed: (_ old: Int, _ new: Int) -> Bool
  ) -> [(old: Int, new: Int)] {
    var formers = entries(at: old)
    let comers = entries(at: new)
    // All pairs are compared.
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

  /// Whether a binding holds an edit of an object that the model does not have.
  package func holdsEdit(at object: DataObject) -> Bool {
    (0..<object.valueCount).contains { index in
      routes(from: object.slot(index)).contains { $0.isHeld }
    }
  }

  /// Whether text typed at an object waits for the end of the typing.
  package func holdsDraft(at object: DataObject) -> Bool {
    (0..<object.valueCount).contains { index in
      routes(from: object.slot(index)).contains { $0.isDraft }
    }
  }

  /// Whether all edits held at an object wait only for delays, and will be written to the records
  /// for which they were entered.
  package func delaysEdits(at object: DataObject) -> Bool {
    let held = (0..<object.valueCount).flatMap { routes(from: object.slot($0)) }.filter(\.isHeld)
    return !held.isEmpty && held.allSatisfy(\.isDelayed)
  }

  /// Whether the model has rejected an edit made at an object.
  package func refusesEdit(at object: DataObject) -> Bool {
    (0..<object.valueCount).contains { index in
      routes(from: object.slot(index)).contains { $0.hasFailed }
    }
  }

  /// Whether a binding holds a refused input of an object.
  package func holdsRefused(at object: DataObject) -> Bool {
    (0..<object.valueCount).contains { index in
      routes(from: object.slot(index)).contains { $0.isRefused }
    }
  }

  /// Discards the edits held at an object, which then shows the model's values again.
  package func discardEdits(at object: DataObject) {
    for index in 0..<object.valueCount {
      for route in routes(from: object.slot(index)) where route.isHeld { route.discard() }
    }
  }

  /// Shows the model's version of a text when its editing ends, such as a trimmed name.
  ///
  /// The view shows the current text of the current record, whichever record was typed into. A text
  /// that the model has rejected, or has not received yet, stays.
  package func showModelText(at slot: Slot) {
    let routes = graph.untracked { self.routes(from: slot) }
    if routes.contains(where: \.isHeld) { return }
    for route in routes { route.showModelText() }
  }

  /// Carries at once the edits of an object that wait for a delay, an interval or a frame.
  package func carryEdits(at object: DataObject) {
    for index in 0..<object.valueCount {
      for route in routes(from: object.slot(index)) { route.carryWaiting() }
    }
  }

  /// The user messages of the properties to which a slot's input is bound, directly or through
  /// components.
  func messages(at slot: Slot, depth: Int = 0) -> [EditMessages] {
    graph.untracked {
      routes(from: slot).flatMap { route in
        guard case .property(let view, let index)? = route.destination, view is any ViewNavigable
        else { return route.destination?.messages.map { [$0] } ?? [] }
        return depth < Self.deepest ? messages(at: view.slot(index), depth: depth + 1) : []
      }
    }
  }

  /// Whether empty input is rejected at a property because it is bound without a transformer to a
  /// property that cannot be nil. Nil would become that property's initial value, which the user
  /// has not entered.
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

  /// Carries the value at an edge's target back to its source.
  func carryBack(_ edge: EdgeIndex, of record: UInt32) {
    let ends = self.record(record).pointee
    let back = ends.edge == edge ? ends.reverse : ends.edge
    transfer(of: edge)?.discardRefused(in: graph.source(of: edge))
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

  /// The objects with properties that bindings read, and the routes from those properties.
  private func entries(at objects: [DataObject]) -> [Entry] {
    objects.enumerated().compactMap { position, object in
      var found: [(index: Int, route: EditRoute)] = []
      for index in 0..<object.valueCount {
        found += routes(from: object.slot(index)).map { (index, $0) }
      }
      return found.isEmpty ? nil : (position, found)
    }
  }

  /// Writes a property without letting its bindings carry the value.
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

  /// The bindings that read a property, as routes of its edits.
  func routes(from slot: Slot) -> [EditRoute] {
    graph.dependents(of: slot).compactMap { edge in
      let record = graph.owner(of: edge)
      guard record != 0, graph.isBinding(edge, ownedBy: record) else { return nil }
      return EditRoute(self, edge, record)
    }
  }
}

/// An edit that has been passed to another property. It is resumed after the rest of the handover.
package struct PassedEdit {
  /// Edits are resumed in the order in which they began. Controllers commit editors, and waiting
  /// gates deliver, in this order.
  package let order: (editor: Int, wait: Int)
  package let resume: () -> Void

  init(order: (editor: Int, wait: Int), _ resume: @escaping () -> Void) {
    self.order = order
    self.resume = resume
  }
}

/// The route of an edit: one binding that reads an edited property.
struct EditRoute {
  let table: BindingTable
  let edge: EdgeIndex
  let record: UInt32
  private let gate: Gate?
  let transfer: BindingTransfer?

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

  /// Whether it holds an edit that the model does not have.
  var isHeld: Bool { gate.map { $0.wait != .nothing } ?? false || hasFailed }

  /// Whether an input was refused, which the view goes on showing.
  var isRefused: Bool { hasFailed && transfer?.refusedHolder != nil }

  /// Whether it holds text until the typing ends.
  var isDraft: Bool { gate?.wait == .editing }

  /// Whether it only delays the edit, and will write it to the destination for which it was
  /// entered.
  var isDelayed: Bool { gate?.keepsDestination == true && !hasFailed }

  var waitNumber: Int? { gate.flatMap { $0.wait == .time ? $0.waitNumber : nil } }

  /// The number of the edit among its controller's editors.
  var editorNumber: Int? { transfer?.editorNumber }

  var transforms: Bool { transfer?.hasTransformer == true }

  var destination: Destination? {
    if let transfer { return try? transfer.destination(of: target) }
    return try? PropertyFinder(target).find()
  }

  /// Whether it leads to the same destination as a former route: the same property of the same
  /// object, of the same selected objects, or of a newly made object with the same value.
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

  /// Whether it leads to the same property of the same object as a former route, or of the same
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

  /// The current destination. For a selection it is the property of the only selected object.
  var presentDestination: Destination? {
    table.graph.untracked { gate?.transfer.draftDestination(of: target) ?? destination }
  }

  /// - Parameter keepsDue: whether a delay keeps its original end.
  func heldEdit(keepsDue: Bool) -> HeldEdit {
    var wait = gate?.pending ?? Gate.Pending()
    if keepsDue { wait.due = gate?.due }
    return HeldEdit(wait: wait, hasFailed: hasFailed, error: table.details(of: record)?.error)
  }

  func continueInterval(of former: EditRoute) {
    if let gate, let old = former.gate { gate.continueInterval(of: old.pending) }
  }

  /// Resumes an edit that a former route holds.
  func hold(as former: HeldEdit) {
    guard table.graph.isBinding(edge, ownedBy: record) else { return }
    if let gate, former.wait.kind != .nothing {
      gate.waitAgain(as: former.wait)
      if former.wait.kind == .editing && gate.wait == .nothing { carryAtEnd() }
      // Text that was rejected, and has been edited since, still shows its error.
      if var error = former.error, former.hasFailed, !hasFailed {
        (error.location, error.path) = (nil, nil)
        table.fail(record, error)
        transfer?.noteRefused()
      }
    } else if former.wait.kind == .editing {
      carryAtEnd()
    } else if former.hasFailed, let transfer {
      transfer.holdRefused(edge, from: table.graph.source(of: edge), to: target)
    }
  }

  /// Carries typed text when the typing ends, as the former binding would have, although this
  /// binding does not wait for that.
  private func carryAtEnd() {
    let table = table, edge = edge, record = record
    let generation = table.record(record).pointee.generation
    func carry() {
      guard table.isCurrent(record, generation), table.graph.isBinding(edge, ownedBy: record) else {
        return
      }
      table.typing {
        if let gate = table.graph.body(of: edge) as? Gate {
          gate.deliver()
        } else {
          table.graph.fire(edge)
        }
      }
    }
    transfer?.beginEditing(edge)
    let object = table.graph.source(of: edge).blockHeader?.block
    guard let editor = object as? any TextEditing, editor.isBeingEdited else { return carry() }
    _ = editor.whenEditingEnds { carry() }
  }
}

extension DataObject {
  /// Whether it is a new instance of the same class in place of an object that ends.
  fileprivate func isNew(insteadOf other: DataObject, in table: BindingTable) -> Bool {
    shape.name == other.shape.name && !(self is ControllerPart) && !(other is ControllerPart)
  }
}

extension ProxyProperty {
  /// Whether writes through both go to the same objects.
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
