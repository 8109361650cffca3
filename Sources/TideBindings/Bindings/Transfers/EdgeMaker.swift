import TideGraph

/// Makes a binding's edges, one for each direction, and sets the target's first value.
struct EdgeMaker {
  let table: BindingTable
  let record: UInt32
  let chain: TransformChain
  let options: BindingOptions
  /// Whether it makes an edge for each direction.
  var isTwoWay = false
  private var initialEdge: EdgeIndex = 0
  private var wantsInitial = false
  private var first: BindingTransfer?
  private var firstGate: Gate?
  /// The gate whose edge is about to be made.
  private var lastGate: Gate?
  /// The endpoint that is read.
  private var editing: Endpoint?

  init(
    table: BindingTable, record: UInt32, chain: TransformChain, options: BindingOptions
  ) {
    self.table = table
    self.record = record
    self.chain = chain
    self.options = options
  }

  mutating func make(from source: Endpoint, to target: Endpoint, goingRight: Bool) {
    let (slot, kind) = source.makeSource(
      in: table, record: record, isLate: options.when != nil)
    make(fromNode: slot, kind, of: source, to: target, goingRight: goingRight)
  }

  mutating func make(
    fromNode slot: Slot, _ kind: BindingTransfer.Source, of source: Endpoint? = nil,
    to target: Endpoint, goingRight: Bool
  ) {
    editing = source
    let isSecond = table.record(record).pointee.edge != 0
    let edge: EdgeIndex
    if let property = target.property, property.isDerived {
      edge = makeRelayed(from: slot, kind, to: property, goingRight: goingRight, isSecond: isSecond)
    } else if let property = target.property {
      let transfer = transfer(from: slot, kind, to: property, goingRight: goingRight)
      edge = table.graph.connect(
        slot, to: property, through: transfer, owner: record, isReverse: isSecond)
    } else {
      edge = makeNested(from: slot, kind, to: target, goingRight: goingRight, isSecond: isSecond)
    }
    if isSecond {
      table.record(record).pointee.reverse = edge
    } else {
      table.record(record).pointee.edge = edge
      initialEdge = edge
    }
    lastGate?.edge = edge
    lastGate = nil
  }

  /// The transfer between a slot and a property; nil when the edge may copy.
  private mutating func transfer(
    from slot: Slot, _ kind: BindingTransfer.Source, to property: Slot, goingRight: Bool
  ) -> TransformBody? {
    var isPlain = !options.looksAtValues && !options.isGated
    if case .path = kind { isPlain = false }
    let combination = property.combination
    if combination != nil || table.defaultPlaceholders(at: property) != nil { isPlain = false }
    let function = function(goingRight)
    // While text is being edited, its validated form is not shown yet.
    let isOfEditor = slot.isValidated && property.blockHeader?.block is any TextEditing
    // The other direction writes a default for nil, which must not come back.
    let mayEcho = isTwoWay && property.mayBeNil && !slot.mayBeNil
    if isPlain && function == nil && !isOfEditor && !mayEcho && property.takesCopies(of: slot)
      && !slot.mayHoldStyledText
    {
      return nil
    }
    let transfer = pair(BindingTransfer(table, through: function, source: kind, options: options))
    transfer.property = property
    if combination != nil { transfer.sharer = record }
    transfer.sharesTarget = combination != nil
    if goingRight { transfer.renewal = chain.renewal.map(ValueRenewal.init) }
    guard isPlain, let direct = chain.direct else {
      return gated(transfer, from: slot, to: property)
    }
    return SlotTransfer(table, direct, to: property, otherwise: transfer) ?? transfer
  }

  /// Puts a gate in front of a transfer when the options decide about timing.
  private mutating func gated(
    _ transfer: BindingTransfer, from source: Slot, to target: Slot
  ) -> TransformBody {
    guard options.isGated else { return transfer }
    let handle = editing.map { ObjectHandle($0.object) }
    let steps = Array(editing?.path.steps.dropLast() ?? [])
    let gate = Gate(
      table, transfer, from: source, to: target, options, isBack: firstGate != nil,
      editor: { [graph = table.graph] in
        guard let object = handle?.object else { return nil }
        let held = graph.untracked { try? PathReader.read(steps[...], from: object).value }
        guard case .object(let source)? = held else { return nil }
        return source as? any TextEditing
      })
    transfer.gate = gate
    gate.opposite = firstGate
    firstGate?.opposite = gate
    firstGate = firstGate ?? gate
    lastGate = gate
    table.makeDetails(for: record).gates.append(gate)
    return gate
  }

  private func function(_ goingRight: Bool) -> AnyTransformer.Function? {
    goingRight ? chain.rightward : chain.leftward
  }

  private mutating func pair(_ transfer: BindingTransfer) -> BindingTransfer {
    if let first {
      first.opposite = transfer
      transfer.opposite = first
      transfer.isReverse = true
      first.followHolder()
      transfer.followHolder()
    } else {
      // The opposite direction follows changes of its own end only.
      transfer.recordReads()
    }
    first = first ?? transfer
    return transfer
  }

  /// A computed property with a setter: its incoming edges are its reads, so the value goes through
  /// a relay.
  private mutating func makeRelayed(
    from slot: Slot, _ kind: BindingTransfer.Source, to property: Slot, goingRight: Bool,
    isSecond: Bool
  ) -> EdgeIndex {
    let relay = table.graph.makeSource(.null)
    table.makeDetails(for: record).nodes.append(relay)
    let transfer = pair(
      BindingTransfer(
        table, through: function(goingRight), source: kind, options: options,
        destination: PropertyFinder(property)))
    if goingRight { transfer.renewal = chain.renewal.map(ValueRenewal.init) }
    return table.graph.connect(
      slot, to: relay, through: gated(transfer, from: slot, to: relay), owner: record,
      isReverse: isSecond)
  }

  /// A target at the end of a longer path: the value is kept in a relay, and written to the object
  /// to which the path leads now.
  private mutating func makeNested(
    from slot: Slot, _ kind: BindingTransfer.Source, to target: Endpoint, goingRight: Bool,
    isSecond: Bool
  ) -> EdgeIndex {
    let graph = table.graph
    let relay = graph.makeSource(.null)
    let name = (try? target.writtenName()) ?? ""
    let parent = PathBody(target.parent ?? [], from: target.object, toWrite: name)
    let parentNode = graph.makeComputed(parent)
    let generation = table.record(record).pointee.generation
    parent.onEnd = { [unowned table, record] in
      if table.isCurrent(record, generation) { table.end(record) }
    }
    let transfer = pair(
      BindingTransfer(
        table, through: function(goingRight), source: kind, options: options,
        destination: PathFinder(graph, parentNode, target, named: name)))
    transfer.sharer = record
    if goingRight { transfer.renewal = chain.renewal.map(ValueRenewal.init) }
    let details = table.makeDetails(for: record)
    details.nodes += [relay, parentNode]
    let body = gated(transfer, from: slot, to: relay)
    let edge = graph.connect(
      slot, to: relay, through: body, owner: record, isReverse: isSecond)
    try? graph.refresh(parentNode)
    // In a two-way binding the first end's value is written to the new object of the second.
    if isSecond { return edge }
    let retarget = graph.makeSource(.null)
    details.nodes.append(retarget)
    details.extraEdges.append(
      graph.connect(
        parentNode, to: retarget, through: RetargetBody(body, edge, from: slot, to: relay),
        owner: record))
    return edge
  }

  mutating func start(initial: Bool) {
    wantsInitial = initial
    if initial { first?.owesFirst = true }
  }

  func fireInitial() {
    guard wantsInitial && initialEdge != 0 else { return }
    if let firstGate { firstGate.fire() } else { table.graph.fire(initialEdge) }
  }

  func postponeInitial() {
    guard wantsInitial && initialEdge != 0 else { return }
    if let firstGate { firstGate.postpone() } else { table.graph.markMissed(initialEdge) }
  }
}

/// Carries a binding's value again when the path to its target is resolved to another object.
private final class RetargetBody: TransformBody {
  private let body: TransformBody
  private let edge: EdgeIndex
  private let source: Slot
  private let target: Slot

  init(_ body: TransformBody, _ edge: EdgeIndex, from source: Slot, to target: Slot) {
    self.body = body
    self.edge = edge
    self.source = source
    self.target = target
  }

  override func apply(_ edge: EdgeIndex, from source: Slot, to target: Slot) -> Bool {
    if let gate = body as? Gate {
      gate.targetChanged()
    } else {
      _ = body.apply(self.edge, from: self.source, to: self.target)
    }
    return false
  }
}
