import Driver

func chain(_ driver: Driver) {
  let length = 1000
  var effects = 0, sink = 0
  let nodes = (0...length).map { _ in Node(-1) }
  for i in 0..<length { nodes[i].bind(to: nodes[i + 1]) { $0 &+ 1 } }
  nodes[length].listen {
    effects += 1; sink &+= $0
  }
  nodes[0].set(7)
  driver.check(nodes[length].value == 7 + length && effects == 1, "end of the chain")
  let updates = driver.measureWrites("edge", units: length) { update in
    nodes[0].set(update)
  }
  driver.check(nodes[length].value == updates + length, "end of the chain")
}

func fanOut(_ driver: Driver) {
  let source = Node(0)
  let targets = (0..<1000).map { _ in Node(0) }
  for target in targets { source.bind(to: target) }
  let updates = driver.measureWrites("edge", units: targets.count) { update in
    source.set(update)
  }
  driver.check(targets.allSatisfy { $0.value == updates }, "a target")
}

/// The order is written by hand: first the hundred, then their sum, then the effect.
func diamond(_ driver: Driver) {
  var effects = 0, sink = 0
  let source = Node(0)
  let computed = (0..<100).map { _ in Node(0) }
  for (i, node) in computed.enumerated() { source.bind(to: node) { $0 &+ i } }
  let sum = Node(0)
  source.listen { _ in sum.set(computed.reduce(0) { $0 &+ $1.value }) }
  sum.listen {
    effects += 1; sink &+= $0
  }
  source.set(7)
  driver.check(sum.value == 100 * 7 + 4950 && effects == 1, "the sum")
  effects = 0
  let updates = driver.measureWrites("edge", units: 201) { update in
    source.set(update + 7)
  }
  driver.check(sum.value == 100 * (updates + 7) + 4950, "the sum")
  driver.report("runs", Double(effects) / Double(updates))
}

func pairs(_ driver: Driver) {
  let count = driver.size(default: 100_000)
  let sources = (0..<count).map { _ in Node(-1) }
  let targets = (0..<count).map { _ in Node(-1) }
  driver.make(count) { for i in 0..<count { sources[i].bind(to: targets[i]) } }
  driver.updatePairs(count, write: { sources[$0].set($1) }, read: { targets[$0].value })
  driver.time("unbind", each: count) { for i in 0..<count { sources[i].unbind() } }
  sources[0].set(-5)
  driver.check(targets[0].value == 1, "an unbound target")
}

func twoWay(_ driver: Driver) {
  let left = (0..<1000).map { _ in Node(0) }, right = (0..<1000).map { _ in Node(0) }
  for i in left.indices {
    left[i].bind(to: right[i])
    right[i].bind(to: left[i])
  }
  let updates = driver.measureWrites("update", units: left.count) { update in
    for node in update & 1 == 1 ? right : left { node.set(update) }
  }
  driver.check(left.allSatisfy { $0.value == updates }, "a left end")
  driver.check(right.allSatisfy { $0.value == updates }, "a right end")
}

func transformer(_ driver: Driver) {
  let words = ["hello binding world alpha", "hello binding world gamma"]
  let source = Node(words[0]), target = Node("")
  source.bind(to: target) { $0.uppercased() }
  let updates = driver.measureWrites("update", units: 1) { update in
    source.set(words[update & 1])
  }
  driver.check(target.value == words[updates & 1].uppercased(), "the upper-cased string")
}

/// No observers at all: the two array edits that a mapped list cannot do without.
func mappedList(_ driver: Driver) {
  var rows = Array(0..<10_000), mapped = rows.map { $0 &* 2 }
  var random = RandomRows()
  driver.measure("edit", units: 2) { count in
    for i in 0..<count {
      let index = random.next()
      rows.insert(i, at: index)
      mapped.insert(i &* 2, at: index)
      let gone = random.next()
      rows.remove(at: gone)
      mapped.remove(at: gone)
    }
  }
  driver.check(mapped == rows.map { $0 &* 2 }, "the mapped list")
}

func depth(_ driver: Driver) {
  let length = driver.size(default: 10_000)
  let nodes = (0...length).map { Node($0) }
  for i in 0..<length { nodes[i].bind(to: nodes[i + 1]) { $0 &+ 1 } }
  nodes[0].set(7)
  driver.check(nodes[length].value == 7 + length, "end of the chain")
  driver.report("depth", Double(length))
}
