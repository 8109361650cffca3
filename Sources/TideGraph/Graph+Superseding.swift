import CTideSlots

// Both ends of a two-way binding may be written in one batch. The later write wins, as it does
// outside of a batch.
//
//     batch { a = 2; b = 3 }       a <> b        b was written last: the edge a ─▶ b is superseded,
//                                                and b ─▶ a carries 3
//
// Each write claims the slots that it reaches along computed slots and bindings, the latest write
// first. An edge from an earlier write to a claimed slot does not transfer that write.

/// A further write to a slot that is already pending.
struct Rewrite {
  let index: UInt32
  /// The number of pending slots at the time of the write, which orders it after them and before
  /// the next one.
  let position: Int
}

extension Graph {
  /// The number of recorded rewrites beyond which only the last one to each slot is kept.
  private static var mostRewrites: Int { 1024 }

  /// Records that a pending slot was written again, which may make its write the latest.
  func noteRewrite(of slot: Slot) {
    let position = state.pointee.pending.count
    if let last = state.pointee.rewrites.last {
      if last.index == slot.index && last.position == position { return }
    } else if state.pointee.pending.last == slot.index {
      return
    }
    if state.pointee.rewrites.count >= max(Self.mostRewrites, 2 * position) {
      var seen: Set<UInt32> = []
      let latest = state.pointee.rewrites.reversed().filter { seen.insert($0.index).inserted }
      state.pointee.rewrites = latest.reversed()
    }
    state.pointee.rewrites.append(Rewrite(index: slot.index, position: position))
  }

  /// Marks the edges that must not transfer an earlier write of the same batch, and moves the slots
  /// whose own write is superseded to the end.
  func markSuperseded(by roots: inout [UInt32]) -> [EdgeIndex] {
    let rewrites = state.pointee.rewrites
    if !rewrites.isEmpty { state.pointee.rewrites.removeAll(keepingCapacity: true) }
    guard state.pointee.hasTwoWayBindings, roots.count > 1 else { return [] }
    var claims = Claims(self)
    for index in latestFirst(roots, rewrites) { claims.claim(from: index) }
    if !claims.superseded.isEmpty {
      let late = claims.supersededRoots
      roots = roots.filter { !late.contains($0) } + roots.filter { late.contains($0) }
    }
    return claims.superseded
  }

  /// Clears the mark of edges that the wave has not followed.
  func clearSuperseded(_ marked: [EdgeIndex]) {
    for edge in marked { edges[Int(edge)].flags &= ~EdgeFlag.superseded }
  }

  /// The written slots, latest write first.
  private func latestFirst(_ roots: [UInt32], _ rewrites: [Rewrite]) -> [UInt32] {
    if rewrites.isEmpty { return roots.reversed() }
    var order: [UInt32] = []
    var next = 0
    for (position, root) in roots.enumerated() {
      order.append(root)
      while next < rewrites.count, rewrites[next].position <= position + 1 {
        order.append(rewrites[next].index)
        next += 1
      }
    }
    var seen: Set<UInt32> = []
    return order.reversed().filter { seen.insert($0).inserted }
  }
}

/// The slots that the writes of a batch reach, each claimed by the latest write that reaches it.
private struct Claims {
  private let graph: Graph
  /// The rank of the write that has claimed a slot; the latest write is 0.
  private var ranks: [UInt32: Int] = [:]
  /// The claimed slots that a two-way binding writes.
  private var bound: Set<UInt32> = []
  private var rank = 0
  private(set) var superseded: [EdgeIndex] = []
  private(set) var supersededRoots: Set<UInt32> = []

  init(_ graph: Graph) { self.graph = graph }

  mutating func claim(from root: UInt32) {
    let isClaimed = ranks[root] != nil
    if !isClaimed { ranks[root] = rank }
    let before = superseded.count
    var work = [root]
    while let index = work.popLast() {
      var edge = graph.slots[Int(index)].firstOut
      while edge != 0 {
        if let next = follow(edge) { work.append(next) }
        edge = graph.edges[Int(edge)].nextOut
      }
    }
    if isClaimed, superseded.count > before { supersededRoots.insert(root) }
    rank += 1
  }

  /// Claims the slot at the end of an edge; returns nil if it is already claimed.
  private mutating func follow(_ edge: EdgeIndex) -> UInt32? {
    let record = graph.edges[Int(edge)]
    if record.flags & (EdgeFlag.disabled | EdgeFlag.dead) != 0 { return nil }
    if record.flags & EdgeFlag.binding == 0 {
      guard graph.slots[Int(record.target)].kind == Kind.computed, ranks[record.target] == nil
      else { return nil }
      ranks[record.target] = rank
      return record.target
    }
    let counterpart = graph.host?.graph(graph, counterpartOf: edge) ?? 0
    // If the target is a path, the value is written to the object at its end.
    let end = counterpart == 0 ? record.target : graph.edges[Int(counterpart)].source
    if counterpart == 0, !graph.carriesAtOnce(edge) { return nil }
    guard let known = ranks[end] else {
      ranks[end] = rank
      if counterpart != 0 { bound.insert(end) }
      return end
    }
    if known < rank, counterpart != 0 || bound.contains(end) {
      graph.edges[Int(edge)].flags |= EdgeFlag.superseded
      superseded.append(edge)
    }
    return nil
  }
}

extension Graph {
  /// Whether a one-way binding transfers every change at once.
  fileprivate func carriesAtOnce(_ edge: EdgeIndex) -> Bool {
    bodies.with(edges[Int(edge)].body, as: TransformBody.self) { !$0.sharesTarget } ?? true
  }
}
