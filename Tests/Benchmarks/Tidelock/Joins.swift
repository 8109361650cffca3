import Driver
import Tidelock

/// W2.
func fanOut(_ driver: Driver) {
  let source = Number(), targets = numbers(1000), context = BindingContext()
  for target in targets { context.bind(source.$value, to: target.$value) }
  let updates = driver.measureWrites("edge", units: targets.count) { source.value = $0 }
  driver.check(targets.allSatisfy { $0.value == updates }, "a target")
  withExtendedLifetime((source, targets, context)) {}
}

/// W3 with the hundred bound to the source through functions, as the peers do it.
func diamond(_ driver: Driver) {
  var effects = 0, seen = 0
  let source = Number(), hundred = numbers(100), context = BindingContext()
  source.value = 0
  for (i, node) in hundred.enumerated() {
    context.bind(source.$value, to: node.$value) { $0 &+ i }
  }
  let sum = Graph.current.computed { hundred.reduce(0) { $0 &+ $1.value } }
  let effect = Graph.current.effect {
    effects += 1; seen = sum.value
  }
  effects = 0
  let updates = driver.measureWrites("edge", units: 201) { source.value = $0 }
  driver.check(seen == 100 * updates + 4950, "the sum")
  driver.report("runs", Double(effects) / Double(updates))
  withExtendedLifetime((source, hundred, context, effect)) {}
}

/// W3 of computed values, which find out for themselves what they read.
func computedDiamond(_ driver: Driver) {
  let graph = Graph.current
  var effects = 0, seen = 0
  let source = graph.signal(0)
  let hundred = (0..<100).map { i in graph.computed { source.value &+ i } }
  let sum = graph.computed { hundred.reduce(0) { $0 &+ $1.value } }
  let effect = graph.effect {
    effects += 1; seen = sum.value
  }
  effects = 0
  let updates = driver.measureWrites("edge", units: 201) { source.value = $0 }
  driver.check(seen == 100 * updates + 4950, "the sum")
  driver.report("runs", Double(effects) / Double(updates))
  withExtendedLifetime(effect) {}
}
