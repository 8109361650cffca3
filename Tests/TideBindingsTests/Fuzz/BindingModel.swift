import TideGraph

@testable import TideBindings

/// What a world of bindings must hold, found by walking all of them until nothing changes.
struct BindingModel {
  struct PropertyKey: Hashable {
    var object: Int
    var letter: Int
  }

  /// By object and letter.
  var values: [[Value]]
  var next: [Int?]
  var items: [[Value]]
  var parts: [[Int]]
  /// How often an object was given another list.
  var lists: [Int]
  var isHeld: [Bool]
  private(set) var isAlive: [Bool]
  var bindings: [Entry] = []
  private var contextIsEnabled = [true, true]

  struct Entry {
    let plan: Plan
    var isAlive = true
    var isEnabled: Bool
    /// Enabled, in a context that is enabled and has got to it.
    var isOn: Bool
    /// What was there when it was looked at last.
    var last: Source
    var lastBack: Value
    var lastTarget: Int?
    var wasResolved = false
    var isMissed = false
    var isMissedBack = false
  }

  struct Source: Equatable {
    var value: Value
    var isResolved: Bool
    /// Of a list, whose length is the value, and which list of which object it is.
    var contents: [Int] = []
    /// What a path has led to, where the same value of another object counts as a change.
    var origin: [Int] = []
  }

  init(count: Int) {
    values = Array(repeating: [0, 0, 0, 0], count: count)
    next = Array(repeating: nil, count: count)
    items = Array(repeating: [], count: count)
    parts = Array(repeating: [], count: count)
    lists = Array(repeating: 0, count: count)
    isHeld = Array(repeating: true, count: count)
    isAlive = isHeld
  }

  // MARK: What may be done

  private func isOn(_ index: Int) -> Bool { bindings[index].isOn }

  private var living: [Int] { bindings.indices.filter { bindings[$0].isAlive } }

  /// A write to a target of something that waits may or may not be overwritten, where that reads a
  /// path: then it is left alone.
  func mayWrite(_ property: PropertyKey) -> Bool {
    for index in living where !isOn(index) {
      let plan = bindings[index].plan
      if plan.target.steps > 0 && property.letter == 3 { return false }
      if !plan.source.isPlain && plan.target.property == property { return false }
      if !plan.source.isPlain && group(of: property).contains(where: { $0 == plan.target.property })
      {
        return false
      }
    }
    return !group(of: property).contains { followsList($0) }
      && !(property.letter == 3 && followsList(property))
  }

  /// Whether a binding of a list writes there. An edit of a list counts as a change though it
  /// leaves the same contents, which the model does not know.
  private func followsList(_ property: PropertyKey) -> Bool {
    living.contains { index in
      let plan = bindings[index].plan
      guard plan.source.isList else { return false }
      return plan.target.steps > 0 ? property.letter == 3 : plan.target.property == property
    }
  }

  /// In a batch the order of a write and a delivery would count: only what nobody writes is
  /// written.
  func mayWriteInBatch(_ property: PropertyKey) -> Bool {
    mayWrite(property) && group(of: property).count == 1 && property.letter != 3
      && !living.contains { bindings[$0].plan.target.property == property }
  }

  /// The properties that two-way bindings join with one.
  private func group(of property: PropertyKey) -> Set<PropertyKey> {
    var group: Set<PropertyKey> = [property]
    var grows = true
    while grows {
      grows = false
      for index in living where bindings[index].plan.isTwoWay {
        let ends = [bindings[index].plan.source.property, bindings[index].plan.target.property]
        if ends.contains(where: { group.contains($0) }) != ends.allSatisfy({ group.contains($0) }) {
          group.formUnion(ends)
          grows = true
        }
      }
    }
    return group
  }

  private func writers(of group: Set<PropertyKey>) -> Int {
    living.count { index in
      let plan = bindings[index].plan
      return !plan.isTwoWay && plan.target.steps == 0 && group.contains(plan.target.property)
    }
  }

  func admits(_ plan: Plan) -> Bool {
    if living.count >= 12 { return false }
    if plan.isTwoWay {
      guard plan.source.isPlain, plan.target.steps == 0,
        plan.source.property != plan.target.property,
        plan.source.property.letter == plan.target.property.letter, plan.source.property.letter < 3
      else { return false }
      let joined = group(of: plan.source.property)
      let ends = joined.union(group(of: plan.target.property))
      if ends.contains(where: { followsList($0) }) { return false }
      if joined.contains(plan.target.property) {
        let ring = living.filter {
          bindings[$0].plan.isTwoWay && joined.contains(bindings[$0].plan.source.property)
        }
        return plan.isIdentity && ring.allSatisfy { bindings[$0].plan.isIdentity }
      }
      return writers(of: joined) + writers(of: group(of: plan.target.property)) <= 1
    }
    if plan.target.steps > 0 {
      return plan.target.property.letter == 3
        && !living.contains { bindings[$0].plan.target.steps > 0 }
    }
    return plan.target.property.letter < 3 && plan.source.level < plan.target.property.letter
      && writers(of: group(of: plan.target.property)) == 0
  }

  // MARK: Doing

  mutating func add(_ plan: Plan) {
    bindings.append(
      Entry(
        plan: plan, isEnabled: plan.isEnabled,
        isOn: plan.isEnabled && contextIsEnabled[plan.context], last: read(plan),
        lastBack: values[plan.target.property.object][plan.target.property.letter],
        lastTarget: holder(of: plan.target)))
    let index = bindings.count - 1
    guard plan.copiesAtFirst else { return }
    if isOn(index) { fire(index) } else { bindings[index].isMissed = true }
  }

  mutating func setEnabled(_ index: Int, _ isEnabled: Bool) {
    bindings[index].isEnabled = isEnabled
    applyEnabled(to: index)
  }

  private mutating func applyEnabled(to index: Int) {
    let was = isOn(index), plan = bindings[index].plan
    bindings[index].isOn = bindings[index].isEnabled && contextIsEnabled[plan.context]
    if !was && isOn(index) { deliverMissed(index) }
  }

  mutating func setContextEnabled(_ context: Int, _ isEnabled: Bool) {
    contextIsEnabled[context] = isEnabled
    // One after the other catches up.
    for index in living where bindings[index].plan.context == context { applyEnabled(to: index) }
  }

  private mutating func deliverMissed(_ index: Int) {
    if bindings[index].isMissed {
      bindings[index].isMissed = false
      fire(index)
      settle()
    }
    if bindings[index].isMissedBack {
      bindings[index].isMissedBack = false
      fireBack(index)
      settle()
    }
  }

  /// Walks all bindings until nothing changes.
  mutating func settle() {
    var rounds = 0
    var isStale = true
    while isStale && rounds < 200 {
      rounds += 1
      isStale = false
      for index in living where look(index) { isStale = true }
    }
  }

  /// Looks at one binding's ends; true when something has changed.
  private mutating func look(_ index: Int) -> Bool {
    let plan = bindings[index].plan
    let source = read(plan)
    let target = holder(of: plan.target)
    var isStale = false
    if source != bindings[index].last || target != bindings[index].lastTarget {
      bindings[index].last = source
      bindings[index].lastTarget = target
      isStale = true
      if isOn(index) { fire(index) } else { bindings[index].isMissed = true }
    }
    if plan.isTwoWay {
      let back = values[plan.target.property.object][plan.target.property.letter]
      if back != bindings[index].lastBack {
        bindings[index].lastBack = back
        isStale = true
        if isOn(index) { fireBack(index) } else { bindings[index].isMissedBack = true }
      }
    }
    return isStale
  }

  private mutating func fire(_ index: Int) {
    let plan = bindings[index].plan
    let source = read(plan)
    bindings[index].last = source
    if source.isResolved { bindings[index].wasResolved = true }
    guard bindings[index].wasResolved, let holder = holder(of: plan.target) else { return }
    values[holder][plan.target.property.letter] =
      source.isResolved ? plan.forward(source.value) : nil
  }

  private mutating func fireBack(_ index: Int) {
    let plan = bindings[index].plan
    let back = values[plan.target.property.object][plan.target.property.letter]
    bindings[index].lastBack = back
    values[plan.source.property.object][plan.source.property.letter] = plan.backward(back)
  }

  /// Ends what has lost an end.
  mutating func reap(_ nodes: inout [BindingWorld.Node?]) {
    var reached: Set<Int> = []
    var work = isHeld.indices.filter { isHeld[$0] }
    while let index = work.popLast() {
      guard reached.insert(index).inserted else { continue }
      work += parts[index]
      if let next = next[index] { work.append(next) }
    }
    for index in isAlive.indices where isAlive[index] && !reached.contains(index) {
      isAlive[index] = false
      nodes[index] = nil
    }
    for index in living {
      let plan = bindings[index].plan
      if !isAlive[plan.source.property.object] || !isAlive[plan.target.property.object] {
        bindings[index].isAlive = false
      }
    }
  }

  // MARK: Reading

  private func follow(_ steps: Int, from object: Int) -> Int? {
    var current: Int? = object
    for _ in 0..<steps { current = current.flatMap { next[$0] } }
    return current
  }

  /// The object that holds an end's property now.
  private func holder(of end: End) -> Int? { follow(end.steps, from: end.property.object) }

  /// What a binding reads. What a transformer makes of a value is that of the object it came from.
  private func read(_ plan: Plan) -> Source {
    var source = read(plan.source)
    if plan.isIdentity || plan.source.isPlain || !source.isResolved { return source }
    guard let holder = holder(of: plan.source) else { return source }
    source.origin = [holder]
    if case .items = plan.source.kind { source.origin.append(lists[holder]) }
    return source
  }

  private func read(_ end: End) -> Source {
    guard let holder = follow(end.steps, from: end.property.object) else {
      return Source(value: nil, isResolved: false)
    }
    let letter = end.property.letter
    switch end.kind {
    case .plain: return Source(value: values[holder][letter], isResolved: true)
    case .items(let summary):
      return summarized(items[holder], summary, of: [holder, lists[holder]])
    case .parts(let summary):
      return summarized(parts[holder].map { values[$0][letter] }, summary, of: [holder])
    }
  }

  private func summarized(
    _ all: [Value], _ summary: CollectionOperator, of list: [Int]
  ) -> Source {
    let numbers = all.compactMap { value -> Int? in
      if case .integer(let number) = value { number } else { nil }
    }
    var value: Value = nil
    var contents: [Int] = []
    switch summary {
    case .count: value = .integer(all.count)
    case .sum: value = .integer(numbers.reduce(0, +))
    case .min: value = numbers.min().map { .integer($0) } ?? nil
    case .max: value = numbers.max().map { .integer($0) } ?? nil
    case .unionOfObjects: contents = numbers
    case .distinctUnionOfObjects:
      for number in numbers where !contents.contains(number) { contents.append(number) }
    default: break
    }
    if summary == .unionOfObjects || summary == .distinctUnionOfObjects {
      value = .integer(contents.count)
      contents = list + contents
    }
    return Source(value: value, isResolved: true, contents: contents)
  }
}
