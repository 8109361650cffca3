import Fuzzing
import TideGraph

@testable import TideBindings

/// A few objects with bindings between them, driven by bytes, beside a model that says what all of
/// them must hold.
///
/// What is done is chosen so that the answer does not depend on the order in which a wave delivers:
/// one-way bindings lead from a property to one of a later letter, each property has one writer,
/// and two-way bindings join properties of the same letter.
final class BindingWorld {
  final class Node: DataObject {
    @Property var a: Value = 0
    @Property var b: Value = 0
    @Property var c: Value = 0
    @Property var d: Value = 0
    @Property var next: Value = nil
    @Property var items = Value.object(ValueList())
    @Property var parts = Value.object(ValueList())
  }

  static let letters = ["a", "b", "c", "d"]
  static let count = 6

  private(set) var nodes: [Node?]
  var model: BindingModel
  let contexts: [BindingContext]
  private var bindings: [Binding] = []
  private let rows: ValueList
  private let derived: [(name: String, list: ValueList, model: (BindingModel) -> [Value])]
  private let errorsBefore: Int
  let log: Bool

  init(log: Bool = false) {
    self.log = log
    let nodes = (0..<Self.count).map { _ in Node() }
    self.nodes = nodes
    contexts = [BindingContext("one"), BindingContext("two")]
    model = BindingModel(count: Self.count)
    let rows = ValueList(nodes.prefix(4).map { .object($0) })
    self.rows = rows
    errorsBefore = BindingTable.current.errors.count
    let isPositive = { (value: Value) in value.compare(with: 0) > 0 }
    derived = [
      (
        "filter", rows.filter { isPositive(($0.node?.a ?? 0)) },
        { model in
          (0..<4).filter { isPositive(model.values[$0][0]) }.map { .integer($0) }
        }
      ),
      (
        "sorted", rows.sorted(byProperty: "b"),
        { model in
          (0..<4).sorted { a, b in
            let difference = model.values[a][1].compare(with: model.values[b][1])
            return difference == 0 ? a < b : difference < 0
          }.map { .integer($0) }
        }
      ),
    ]
  }

  private func object(_ index: Int) -> DataObject { nodes[index] ?? rows }

  /// Does what the bytes say; gives what differs from the model, nil while nothing does.
  func run(_ input: [UInt8]) -> String? {
    var source = ByteSource(input)
    var steps = 0
    while !source.isAtEnd {
      steps += 1
      let what = step(&source)
      if log { print("  \(steps): \(what)") }
      model.settle()
      if let difference { return "after step \(steps), \(what): \(difference)" }
    }
    for context in contexts { context.removeAll() }
    return BindingTable.current.graph.brokenInvariants().first
  }

  private func step(_ source: inout ByteSource) -> String {
    switch source.number(below: 20) {
    case 0...4: return write(&source)
    case 5: return setNext(&source)
    case 6, 7: return editItems(&source)
    case 8: return editParts(&source)
    case 9: return batch(&source)
    case 10...14: return bind(&source)
    case 15: return unbind(&source)
    case 16: return toggle(&source)
    case 17: return toggleContext(&source)
    case 18: return source.number(below: 4) == 0 ? clearContext(&source) : write(&source)
    default: return source.number(below: 3) == 0 ? drop(&source) : write(&source)
    }
  }

  private func value(_ source: inout ByteSource) -> Value {
    let number = source.number(below: 20)
    return number == 19 ? nil : .integer(number - 9)
  }

  private func living(_ source: inout ByteSource) -> Int? {
    let alive = nodes.indices.filter { model.isHeld[$0] }
    return alive.isEmpty ? nil : source.pick(alive)
  }

  // MARK: Edits

  private func write(_ source: inout ByteSource) -> String {
    guard let index = living(&source) else { return "nothing" }
    let letter = source.number(below: 4)
    let value = value(&source)
    let property = BindingModel.PropertyKey(object: index, letter: letter)
    guard model.mayWrite(property) else { return "no write" }
    model.values[index][letter] = value
    try? nodes[index]?.set(Self.letters[letter], value)
    return "\(index).\(Self.letters[letter]) = \(value)"
  }

  private func setNext(_ source: inout ByteSource) -> String {
    guard let index = living(&source) else { return "nothing" }
    let choices = nodes.indices.filter { $0 > index && model.isHeld[$0] }
    let next = choices.isEmpty || source.number(below: 4) == 0 ? nil : source.pick(choices)
    model.next[index] = next
    nodes[index]?.next = next.flatMap { nodes[$0] }.map { .object($0) } ?? nil
    // What the edit changes is delivered before the last reference goes.
    model.settle()
    model.reap(&nodes)
    return "\(index).next = \(next.map(String.init) ?? "nil")"
  }

  private func editItems(_ source: inout ByteSource) -> String {
    guard let index = living(&source), case .object(let held)? = nodes[index]?.items,
      let list = held as? ValueList
    else { return "nothing" }
    if source.number(below: 8) == 0 {
      let values = (0..<source.number(below: 4)).map { _ in Value.integer(source.number(below: 9)) }
      model.items[index] = values
      model.lists[index] += 1
      nodes[index]?.items = .object(ValueList(values))
      return "\(index).items = new list \(values)"
    }
    let value = value(&source)
    let element = value == nil ? 1 : value
    let edit = Self.edit(list, of: element, &source)
    model.items[index] = list.values
    return "\(index).items: \(edit)"
  }

  private func editParts(_ source: inout ByteSource) -> String {
    guard let index = living(&source), case .object(let held)? = nodes[index]?.parts,
      let list = held as? ValueList
    else { return "nothing" }
    let choices = nodes.indices.filter { $0 > index && model.isHeld[$0] }
    guard !choices.isEmpty else { return "nothing" }
    let part = source.pick(choices)
    guard let node = nodes[part] else { return "nothing" }
    let edit = Self.edit(list, of: .object(node), &source)
    model.parts[index] = list.values.compactMap { value in
      nodes.firstIndex { $0 === value.node }
    }
    model.settle()
    model.reap(&nodes)
    return "\(index).parts: \(edit) \(part)"
  }

  private static func edit(
    _ list: ValueList, of value: Value, _ source: inout ByteSource
  ) -> String {
    let count = list.count
    let property = source.number(below: max(1, count))
    switch source.number(below: 8) {
    case 0, 1, 2:
      try? list.insert(value, at: property)
      return "insert at \(property)"
    case 3:
      _ = try? list.remove(at: property)
      return "remove at \(property)"
    case 4:
      try? list.replace(at: property, with: value)
      return "replace at \(property)"
    case 5:
      try? list.move(from: property, to: source.number(below: max(1, count)))
      return "move \(property)"
    case 6:
      try? list.set(list.values.reversed() + [value])
      return "set"
    default:
      if source.number(below: 4) == 0 { try? list.clear() }
      return "clear"
    }
  }

  private func batch(_ source: inout ByteSource) -> String {
    var done: [String] = []
    var properties: Set<BindingModel.PropertyKey> = []
    let graph = BindingTable.current.graph
    graph.beginBatch()
    for _ in 0..<1 + source.number(below: 4) {
      guard let index = living(&source) else { break }
      let property = BindingModel.PropertyKey(object: index, letter: source.number(below: 4))
      let value = value(&source)
      guard model.mayWriteInBatch(property), properties.insert(property).inserted else { continue }
      model.values[index][property.letter] = value
      try? nodes[index]?.set(Self.letters[property.letter], value)
      done.append("\(index).\(Self.letters[property.letter]) = \(value)")
    }
    graph.endBatch()
    return "batch: " + done.joined(separator: ", ")
  }

  // MARK: Bindings

  private func bind(_ source: inout ByteSource) -> String {
    guard let first = living(&source), let second = living(&source) else { return "nothing" }
    let plan = BindingModel.Plan(&source, first, second, context: source.number(below: 2))
    guard model.admits(plan) else { return "no binding" }
    var options = BindingOptions()
    options.isEnabled = plan.isEnabled
    let text = plan.text
    let left = plan.goesRight ? plan.source.object : plan.target.object
    let right = plan.goesRight ? plan.target.object : plan.source.object
    do {
      let binding = try contexts[plan.context].bind(text, object(left), object(right), options)
      bindings.append(binding)
      model.add(plan)
      return "bind \(left) \(right): \(text)\(plan.isEnabled ? "" : " disabled")"
    } catch {
      return "bind \(text) fails: \(error)"
    }
  }

  private func chosen(_ source: inout ByteSource) -> Int? {
    let alive = model.bindings.indices.filter { model.bindings[$0].isAlive }
    return alive.isEmpty ? nil : source.pick(alive)
  }

  private func unbind(_ source: inout ByteSource) -> String {
    guard let index = chosen(&source) else { return "nothing" }
    bindings[index].unbind()
    model.bindings[index].isAlive = false
    return "unbind \(index)"
  }

  private func toggle(_ source: inout ByteSource) -> String {
    guard let index = chosen(&source) else { return "nothing" }
    let isEnabled = !model.bindings[index].isEnabled
    bindings[index].isEnabled = isEnabled
    model.setEnabled(index, isEnabled)
    return "\(isEnabled ? "enable" : "disable") \(index)"
  }

  private func toggleContext(_ source: inout ByteSource) -> String {
    let index = source.number(below: 2)
    contexts[index].isEnabled.toggle()
    model.setContextEnabled(index, contexts[index].isEnabled)
    return "context \(index) \(contexts[index].isEnabled)"
  }

  private func clearContext(_ source: inout ByteSource) -> String {
    let context = source.number(below: 2)
    contexts[context].removeAll()
    for index in model.bindings.indices where model.bindings[index].plan.context == context {
      model.bindings[index].isAlive = false
    }
    return "clear context \(context)"
  }

  /// Lets go of an object; others may hold it still.
  private func drop(_ source: inout ByteSource) -> String {
    let choices = nodes.indices.filter { $0 >= 4 && model.isHeld[$0] }
    guard !choices.isEmpty else { return "nothing" }
    let index = source.pick(choices)
    model.isHeld[index] = false
    model.reap(&nodes)
    return "drop \(index)"
  }

  // MARK: Comparing

  private var difference: String? {
    for index in nodes.indices where model.isAlive[index] {
      for (letter, name) in Self.letters.enumerated() {
        let found = nodes[index]?.graph.untracked { nodes[index]?[name] ?? nil } ?? nil
        if found != model.values[index][letter] {
          return "\(index).\(name) is \(found), not \(model.values[index][letter])"
        }
      }
    }
    for (index, binding) in bindings.enumerated()
    where binding.isAlive != model.bindings[index].isAlive {
      return "binding \(index) is \(binding.isAlive ? "alive" : "ended")"
    }
    for (name, list, expected) in derived {
      let found = list.values.map { value in
        Value.integer(nodes.firstIndex { $0 === value.node } ?? -1)
      }
      if found != expected(model) { return "\(name) is \(found), not \(expected(model))" }
    }
    if BindingTable.current.errors.count > errorsBefore {
      return "\(BindingTable.current.errors.map(\.message))"
    }
    return nil
  }
}

extension Value {
  var node: BindingWorld.Node? {
    if case .object(let object) = self { object as? BindingWorld.Node } else { nil }
  }
}
