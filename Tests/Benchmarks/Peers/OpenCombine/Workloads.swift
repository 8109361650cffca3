import Driver
import OpenCombine

typealias Subject<Value> = CurrentValueSubject<Value, Never>

func chain(_ driver: Driver) {
  let length = 1000
  var effects = 0, sink = 0
  let nodes = (0...length).map { _ in Subject(-1) }
  var bag = (0..<length).map { i in
    nodes[i].map { $0 &+ 1 }.sink { nodes[i + 1].send($0) }
  }
  bag.append(
    nodes[length].sink {
      effects += 1; sink &+= $0
    })
  effects = 0
  nodes[0].send(7)
  driver.check(nodes[length].value == 7 + length && effects == 1, "end of the chain")
  let updates = driver.measureWrites("edge", units: length) { update in
    nodes[0].send(update)
  }
  driver.check(nodes[length].value == updates + length, "end of the chain")
  withExtendedLifetime(bag) {}
}

func fanOut(_ driver: Driver) {
  let source = Subject(0)
  let targets = (0..<1000).map { _ in Subject(0) }
  let bag = targets.map { target in source.sink { target.send($0) } }
  let updates = driver.measureWrites("edge", units: targets.count) { update in
    source.send(update)
  }
  driver.check(targets.allSatisfy { $0.value == updates }, "a target")
  withExtendedLifetime(bag) {}
}

/// OpenCombine has no `combineLatest`: each of the hundred sends a new sum.
func diamond(_ driver: Driver) {
  var effects = 0, total = 0
  let source = Subject(0), sum = Subject(0)
  let computed = (0..<100).map { _ in Subject(0) }
  var bag = (0..<100).map { i in source.map { $0 &+ i }.sink { computed[i].send($0) } }
  bag += computed.map { node in
    node.sink { _ in sum.send(computed.reduce(0) { $0 &+ $1.value }) }
  }
  bag.append(
    sum.sink {
      effects += 1; total = $0
    })
  effects = 0
  let updates = driver.measureWrites("edge", units: 201) { update in
    source.send(update)
  }
  driver.check(total == 100 * updates + 4950, "the sum")
  driver.report("runs", Double(effects) / Double(updates))
  withExtendedLifetime(bag) {}
}

func pairs(_ driver: Driver) {
  let count = driver.size(default: 100_000)
  let sources = (0..<count).map { _ in Subject(-1) }
  let targets = (0..<count).map { _ in Subject(-1) }
  var bag: [AnyCancellable] = []
  bag.reserveCapacity(count)
  driver.make(count) {
    for i in 0..<count {
      let target = targets[i]
      bag.append(sources[i].sink { target.send($0) })
    }
  }
  driver.updatePairs(count, write: { sources[$0].send($1) }, read: { targets[$0].value })
  driver.time("unbind", each: count) { for i in 0..<count { bag[i].cancel() } }
  sources[0].send(-5)
  driver.check(targets[0].value == 1, "an unbound target")
}

func twoWay(_ driver: Driver) {
  let left = (0..<1000).map { _ in Subject(0) }, right = (0..<1000).map { _ in Subject(0) }
  let bag = left.indices.flatMap { i in
    [
      left[i].sink { if right[i].value != $0 { right[i].send($0) } },
      right[i].sink { if left[i].value != $0 { left[i].send($0) } },
    ]
  }
  let updates = driver.measureWrites("update", units: left.count) { update in
    for node in update & 1 == 1 ? right : left { node.send(update) }
  }
  driver.check(left.allSatisfy { $0.value == updates }, "a left end")
  driver.check(right.allSatisfy { $0.value == updates }, "a right end")
  withExtendedLifetime(bag) {}
}

func transformer(_ driver: Driver) {
  let words = ["hello binding world alpha", "hello binding world gamma"]
  let source = Subject(words[0]), target = Subject("")
  let binding = source.map { $0.uppercased() }.sink { target.send($0) }
  let updates = driver.measureWrites("update", units: 1) { update in
    source.send(words[update & 1])
  }
  driver.check(target.value == words[updates & 1].uppercased(), "the upper-cased string")
  withExtendedLifetime(binding) {}
}

/// A publisher of arrays maps the whole array at each edit.
func mappedList(_ driver: Driver) {
  let rows = Subject(Array(0..<10_000)), mapped = Subject([Int]())
  let binding = rows.map { $0.map { $0 &* 2 } }.sink { mapped.send($0) }
  var random = RandomRows()
  driver.measure("edit", units: 2) { count in
    for i in 0..<count {
      rows.value.insert(i, at: random.next())
      rows.value.remove(at: random.next())
    }
  }
  driver.check(mapped.value == rows.value.map { $0 &* 2 }, "the mapped list")
  withExtendedLifetime(binding) {}
}

func depth(_ driver: Driver) {
  let length = driver.size(default: 10_000)
  let nodes = (0...length).map { Subject($0) }
  var bag: [AnyCancellable] = []
  for i in (0..<length).reversed() {
    let target = nodes[i + 1]
    bag.append(nodes[i].dropFirst().map { $0 &+ 1 }.sink { target.send($0) })
  }
  nodes[0].send(7)
  driver.check(nodes[length].value == 7 + length, "end of the chain")
  driver.report("depth", Double(length))
}
