import Driver
import Tidelock

/// W4. Code and tables are touched before, as the array of handles is, which need not be kept.
///
/// An object belongs to nobody until it is first bound, observed or exposed; it then joins the
/// graph. "make" and "bytes" are what a binding takes between objects that have joined, "join" and
/// "growth" what it takes together with the joining of both, 96 bytes each, which they leave
/// elsewhere.
func pairs(_ driver: Driver) {
  let count = driver.size(default: 100_000)
  let joined = bindJoined(driver, count)
  let sources = numbers(count), targets = numbers(count), context = BindingContext()
  for (i, source) in sources.enumerated() { source.value = i + 1 }
  let first = context.bind(sources[0].$value, to: targets[0].$value)
  sources[0].value = 0
  first.unbind()
  sources[0].value = 1
  var bindings = Array(repeating: first, count: count)
  driver.grow("growth", each: count) {
    driver.time("join", each: count) {
      for i in 0..<count {
        bindings[i] = context.bind(sources[i].$value, to: targets[i].$value)
      }
    }
  }
  driver.check((0..<count).allSatisfy { targets[$0].value == $0 + 1 }, "a target's first value")
  for i in 0..<count { sources[i].value = i + 2 }
  driver.time("update", each: count) { for i in 0..<count { sources[i].value = i + 3 } }
  driver.check((0..<count).allSatisfy { targets[$0].value == $0 + 3 }, "a target")
  driver.time("unbind", each: count) { for binding in bindings { binding.unbind() } }
  for source in sources { source.value = -5 }
  driver.check((0..<count).allSatisfy { targets[$0].value == $0 + 3 }, "an unbound target")
  withExtendedLifetime((sources, context, joined)) {}
}

/// Reports what bindings of objects take that belong to the graph already. They are kept, so that
/// none of those that are made later takes their place.
private func bindJoined(_ driver: Driver, _ count: Int) -> (BindingContext, [Number], [Number]) {
  let sources = numbers(count), targets = numbers(count), context = BindingContext()
  for (source, target) in zip(sources, targets) {
    context.bind(source.$value, to: target.$value).unbind()
  }
  // As in W5, the loop itself counts no references.
  let ends = zip(sources, targets).map {
    (Unmanaged.passUnretained($0), Unmanaged.passUnretained($1))
  }
  driver.make(count) {
    for (source, target) in ends {
      source._withUnsafeGuaranteedRef { source in
        target._withUnsafeGuaranteedRef { _ = context.bind(source.$value, to: $0.$value) }
      }
    }
  }
  return (context, sources, targets)
}

/// W5.
func twoWay(_ driver: Driver) {
  var updates = 0
  let left = numbers(1000), right = numbers(1000), context = BindingContext()
  for i in left.indices { context.bind(left[i].$value, with: right[i].$value) }
  // Held elsewhere, as the peers' are: otherwise a loop over an array of objects counts references,
  // which takes longer than an update.
  let ends = [left, right].map { $0.map { Unmanaged.passUnretained($0) } }
  driver.measure("update", units: left.count) { count in
    for _ in 0..<count {
      updates += 1
      for node in ends[updates & 1] { node._withUnsafeGuaranteedRef { $0.value = updates } }
    }
  }
  driver.check(left.allSatisfy { $0.value == updates }, "a left end")
  driver.check(right.allSatisfy { $0.value == updates }, "a right end")
  withExtendedLifetime((left, right, context)) {}
}

private let words = ["hello binding world alpha", "hello binding world gamma"]

/// W6.
func transformer(_ driver: Driver) {
  let source = Text(), target = Text(), context = BindingContext()
  context.bind(source.$value, to: target.$value) { $0.uppercased() }
  writeWords(driver, to: source, arrivingAt: target)
  withExtendedLifetime((source, target, context)) {}
}

/// W6 with a binding that is described by text.
func namedTransformer(_ driver: Driver) {
  let source = Text(), target = Text(), context = BindingContext()
  do {
    try context.bind("value -> value | uppercase", source, target)
  } catch {
    driver.fail("\(error)")
  }
  writeWords(driver, to: source, arrivingAt: target)
  withExtendedLifetime((source, target, context)) {}
}

private func writeWords(_ driver: Driver, to source: Text, arrivingAt target: Text) {
  var updates = 0
  driver.measure("update", units: 1) { count in
    for _ in 0..<count {
      updates += 1
      source.value = words[updates & 1]
    }
  }
  driver.check(target.value == words[updates & 1].uppercased(), "the upper-cased string")
}
