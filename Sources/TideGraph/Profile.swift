import CTideSlots
import Synchronization

/// Measures an app's run time: which code runs within which other code, how often, for how long,
/// and how many bytes it requests from the interpreter.
///
/// ```swift
/// let profile = Profile(of: graph, named: { key in Profile.Name(.computed, "\(key)") })
/// …
/// for node in profile?.end() ?? [] { print(node.name.text, node.runs, node.seconds) }
/// ```
///
/// It belongs to the graph's owner. Only a graph that keeps its history can be measured.
package final class Profile {
  private let graph: Graph
  private let raw: UnsafeMutablePointer<TideProfile>
  private let naming: (Key) -> Name
  /// Names by the numbers that nodes use for them, and the reverse.
  private var names: [Name] = []
  private var numbers: [Name: UInt32] = [:]
  /// The names of code other than slots and bindings, by the number in its keys, and the reverse.
  private var labels: [Name] = []
  private var labelNumbers: [Name: Int] = [:]
  /// The number of each identity's label, or -1.
  private var identityLabels: [Int] = []
  private let start = (ticks: tide_profile_clock(), time: ContinuousClock.now)
  private var hasEnded = false

  /// The name of a piece of code that runs.
  package struct Name: Hashable, Sendable {
    package enum Kind: String, Sendable, CaseIterable {
      case binding, path, computed, effect, observer, transformer, handler, view, module, frame
    }

    package let kind: Kind
    package let text: String
    /// A location such as `app.lua:12`; empty for code outside of scripts.
    package let location: String

    package init(_ kind: Kind, _ text: String, at location: String = "") {
      (self.kind, self.text, self.location) = (kind, text, location)
    }
  }

  /// Identifies the code that runs: a slot's function, a binding, or code with a label.
  package enum Key {
    case slot(Slot)
    case binding(EdgeIndex, generation: UInt16)
    case label(Int)
  }

  /// The identity of code that runs without a slot, such as a transformer's function.
  package struct Identity: Hashable, Sendable {
    fileprivate let number: Int
    private static let last = Atomic(0)

    package init() { number = Self.last.add(1, ordering: .relaxed).newValue }
  }

  /// The total of all runs of one piece of code within another.
  package struct Node: Sendable {
    package let name: Name
    /// The index of the enclosing node; nil for outermost code.
    package let parent: Int?
    package let runs: Int
    /// The duration, including everything that ran within the node.
    package let seconds: Double
    package let bytes: Int
  }

  /// Begins to measure. Fails if the graph keeps no history or is already being measured.
  ///
  /// - Parameters:
  ///   - bytes: The counter of the bytes allocated by the interpreter.
  ///   - naming: Returns the name of a slot's function or a binding; called when it first runs.
  package init?(
    of graph: Graph, bytes: UnsafePointer<UInt64>? = nil, named naming: @escaping (Key) -> Name
  ) {
    guard let history = graph.arena.pointee.history, history.pointee.profile == nil,
      let raw = tide_profile_make()
    else { return nil }
    (self.graph, self.raw, self.naming) = (graph, raw, naming)
    raw.pointee.bytes = bytes
    raw.pointee.host = Unmanaged.passUnretained(self).toOpaque()
    raw.pointee.name = { host, key in
      guard let host else { return 0 }
      return Unmanaged<Profile>.fromOpaque(host).takeUnretainedValue().number(of: key)
    }
    history.pointee.profile = raw
  }

  /// Ends measuring and returns the nodes, outer nodes before inner ones.
  package func end() -> [Node] {
    if hasEnded { return [] }
    hasEnded = true
    graph.arena.pointee.history?.pointee.profile = nil
    let ticks = Double(tide_profile_clock() - start.ticks)
    let seconds = (ContinuousClock.now - start.time) / .seconds(1)
    let tick = ticks > 0 ? seconds / ticks : 0
    defer { tide_profile_free(raw) }
    return (1..<Int(raw.pointee.count)).map { index in
      let node = raw.pointee.nodes[index]
      return Node(
        name: names[Int(node.name)], parent: node.parent == 0 ? nil : Int(node.parent) - 1,
        runs: Int(node.runs), seconds: Double(node.ticks) * tick, bytes: Int(clamping: node.bytes))
    }
  }

  deinit { if !hasEnded { _ = end() } }

  // MARK: Names

  private func number(of key: UInt64) -> UInt32 {
    let name =
      switch Key(key, in: graph) {
      case .label(let index): labels[index]
      case let key: naming(key)
      }
    if let known = numbers[name] { return known }
    let number = UInt32(names.count)
    names.append(name)
    numbers[name] = number
    return number
  }

  private func key(labelled name: Name) -> Key {
    if let known = labelNumbers[name] { return .label(known) }
    labels.append(name)
    labelNumbers[name] = labels.count - 1
    return .label(labels.count - 1)
  }

  fileprivate func measure<Result>(
    _ identity: Identity, _ name: () -> Name, _ body: () throws -> Result
  ) rethrows -> Result {
    let number = identity.number
    if number >= identityLabels.count {
      identityLabels += Array(repeating: -1, count: number - identityLabels.count + 64)
    }
    if identityLabels[number] < 0 {
      labels.append(name())
      identityLabels[number] = labels.count - 1
    }
    tide_profile_enter(raw, Key.label(identityLabels[number]).number)
    defer { if !hasEnded { tide_profile_leave(raw) } }
    return try body()
  }

  fileprivate func measure<Result>(
    _ name: Name, _ body: () throws -> Result
  ) rethrows -> Result {
    tide_profile_enter(raw, key(labelled: name).number)
    defer { if !hasEnded { tide_profile_leave(raw) } }
    return try body()
  }
}

extension Profile.Key {
  private static let kindShift = UInt64(62)
  private static let generationMask = UInt64(1 << 30) - 1

  /// A number that is unique even if one slot or edge has replaced another.
  @inline(__always)
  var number: UInt64 {
    switch self {
    case .slot(let slot):
      1 << Self.kindShift | (UInt64(tide_block_generation(slot)) & Self.generationMask) << 32
        | UInt64(slot.index)
    case .binding(let edge, let generation):
      2 << Self.kindShift | UInt64(generation) << 32 | UInt64(edge)
    case .label(let index): 3 << Self.kindShift | UInt64(index)
    }
  }

  fileprivate init(_ number: UInt64, in graph: Graph) {
    let index = UInt32(truncatingIfNeeded: number)
    switch number >> Self.kindShift {
    case 1: self = .slot(graph.slot(at: index))
    case 2: self = .binding(index, generation: UInt16(truncatingIfNeeded: number >> 32))
    default: self = .label(Int(index))
    }
  }
}

extension Graph {
  /// The profile that is measuring the graph. It outlives every call that it measures.
  private var profile: Profile? {
    guard let raw = arena.pointee.history?.pointee.profile, let host = raw.pointee.host else {
      return nil
    }
    return Unmanaged<Profile>.fromOpaque(host).takeUnretainedValue()
  }

  /// Whether the graph is being measured.
  package var isMeasured: Bool { arena.pointee.history?.pointee.profile != nil }

  /// Runs a function for an object, identified by its header, and measures it if the graph is being
  /// measured.
  @inline(__always)
  package static func measured<Result>(
    at header: Slot, _ body: () throws -> Result
  ) rethrows -> Result {
    guard let profile = tide_arena_of(header).pointee.history?.pointee.profile else {
      return try body()
    }
    tide_profile_enter(profile, Profile.Key.slot(header).number)
    defer {
      if profile == tide_arena_of(header).pointee.history?.pointee.profile {
        tide_profile_leave(profile)
      }
    }
    return try body()
  }

  /// Runs code that has an identity, and measures it if the graph is being measured. The name is
  /// evaluated once per identity.
  @inline(__always)
  package func measured<Result>(
    _ identity: Profile.Identity, _ name: @autoclosure () -> Profile.Name,
    _ body: () throws -> Result
  ) rethrows -> Result {
    guard let profile else { return try body() }
    return try profile.measure(identity, name, body)
  }

  /// Runs a function, and measures it under a name if the graph is being measured.
  @inline(__always)
  package func measured<Result>(
    _ name: @autoclosure () -> Profile.Name, _ body: () throws -> Result
  ) rethrows -> Result {
    guard let profile else { return try body() }
    return try profile.measure(name(), body)
  }
}
