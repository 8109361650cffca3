import Driver
import TideBindings
import Tidelock

enum Carrying {
  case typed, copy
}

/// W1: what is written to the first object is bound along a thousand others.
func chain(_ driver: Driver, _ carrying: Carrying) {
  let length = 1000, step = carrying == .typed ? 1 : 0
  var updates = 0, effects = 0, sink = 0
  let nodes = numbers(length + 1), context = BindingContext()
  for i in 0..<length {
    switch carrying {
    case .typed: context.bind(nodes[i].$value, to: nodes[i + 1].$value) { $0 &+ 1 }
    case .copy: context.bind(nodes[i].$value, to: nodes[i + 1].$value)
    }
  }
  let first = nodes[0], last = nodes[length]
  let effect = Graph.current.effect {
    effects += 1; sink &+= last.value
  }
  effects = 0
  first.value = 7
  driver.check(last.value == 7 + length * step && effects == 1, "end of the chain")
  driver.measure("edge", units: length) { count in
    for _ in 0..<count {
      updates += 1
      first.value = updates
    }
  }
  driver.check(last.value == updates + length * step, "end of the chain")
  driver.check(effects == updates + 1, "one effect an update")
  withExtendedLifetime((nodes, context, effect)) {}
}

/// W1 with values whose type is only known when it runs, as scripts have them.
func dynamicChain(_ driver: Driver) {
  let length = 1000
  var updates = 0, effects = 0
  var seen = Value.null
  let nodes = (0...length).map { _ in Anything() }, context = BindingContext()
  for i in 0..<length {
    context.bind(nodes[i].$value, to: nodes[i + 1].$value) { value in
      guard case .integer(let number) = value else { return .null }
      return .integer(number &+ 1)
    }
  }
  let first = nodes[0], last = nodes[length]
  let effect = Graph.current.effect {
    effects += 1; seen = last.value
  }
  effects = 0
  first.value = .integer(7)
  driver.check(seen == .integer(7 + length) && effects == 1, "end of the chain")
  driver.measure("edge", units: length) { count in
    for _ in 0..<count {
      updates += 1
      first.value = .integer(updates)
    }
  }
  driver.check(seen == .integer(updates + length), "end of the chain")
  withExtendedLifetime((nodes, context, effect)) {}
}

/// A chain of a thousand computed values that nobody follows, read after its source was set to
/// something that is the same at its first step.
func pulledChain(_ driver: Driver) {
  let length = 1000, graph = Graph.current
  var evaluations = 0
  let source = graph.signal(1)
  var last = graph.computed {
    evaluations += 1
    return source.value % 2
  }
  for _ in 1..<length {
    let before = last
    last = graph.computed {
      evaluations += 1
      return before.value &+ 1
    }
  }
  let end = last
  driver.check(end.value == length && evaluations == length, "all are evaluated at first")
  evaluations = 0
  source.value = 3
  driver.check(end.value == length, "the end of the chain")
  driver.report("evaluations", Double(evaluations))
}

/// W1 of computed values, which find out for themselves what they read.
func computedChain(_ driver: Driver) {
  let length = 1000, graph = Graph.current
  var updates = 0, effects = 0, seen = 0
  let source = graph.signal(0)
  let second = graph.computed { source.value &+ 1 }
  var last = second
  for _ in 1..<length {
    let before = last
    last = graph.computed { before.value &+ 1 }
  }
  let end = last
  let effect = graph.effect {
    effects += 1; seen = end.value
  }
  effects = 0
  source.value = 7
  driver.check(seen == 7 + length && effects == 1, "end of the chain")
  driver.measure("edge", units: length) { count in
    for _ in 0..<count {
      updates += 1
      source.value = updates
    }
  }
  driver.check(seen == updates + length, "end of the chain")
  withExtendedLifetime(effect) {}
}

func depth(_ driver: Driver) {
  let length = driver.size(default: 10_000)
  let nodes = numbers(length + 1), context = BindingContext()
  for i in 0..<length { context.bind(nodes[i].$value, to: nodes[i + 1].$value) { $0 &+ 1 } }
  nodes[0].value = 7
  driver.check(nodes[length].value == 7 + length, "end of the chain")
  driver.report("depth", Double(length))
  withExtendedLifetime((nodes, context)) {}
}
