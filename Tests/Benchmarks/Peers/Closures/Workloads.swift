import Driver

func chain(_ driver: Driver) {
  let length = 1000
  var updates = 0, effects = 0, sink = 0
  let nodes = (0...length).map { _ in Node(-1) }
  for i in 0..<length { nodes[i].bind(to: nodes[i + 1]) { $0 &+ 1 } }
  nodes[length].listen {
    effects += 1; sink &+= $0
  }
  nodes[0].set(7)
  driver.check(nodes[length].value == 7 + length && effects == 1, "end of the chain")
  driver.measure("edge", units: length) { count in
    for _ in 0..<count {
      updates += 1
      nodes[0].set(updates)
    }
  }
  driver.check(nodes[length].value == updates + length, "end of the chain")
}

func fanOut(_ driver: Driver) {
  var updates = 0
  let source = Node(0)
  let targets = (0..<1000).map { _ in Node(0) }
  for target in targets { source.bind(to: target) }
  driver.measure("edge", units: targets.count) { count in
    for _ in 0..<count {
      updates += 1
      source.set(updates)
    }
  }
  driver.check(targets.allSatisfy { $0.value == updates }, "a target")
}

/// The order is written by hand: first the hundred, then their sum, then the effect.
func diamond(_ driver: Driver) {
  var updates = 0, effects = 0, sink = 0
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
  driver.measure("edge", units: 201) { count in
    for _ in 0..<count {
      updates += 1
      source.set(updates + 7)
    }
  }
  driver.check(sum.value == 100 * (updates + 7) + 4950, "the sum")
  driver.report("runs", Double(effects) / Double(updates))
}

func pairs(_ driver: Driver) {
  let count = driver.size(default: 100_000)
  let sources = (0..<count).map { _ in Node(-1) }
  let targets = (0..<count).map { _ in Node(-1) }
  driver.make(count) { for i in 0..<count { sources[i].bind(to: targets[i]) } }
  for i in 0..<count { sources[i].set(i) }
  driver.time("update", each: count) { for i in 0..<count { sources[i].set(i + 1) } }
  driver.check((0..<count).allSatisfy { targets[$0].value == $0 + 1 }, "a target")
  driver.time("unbind", each: count) { for i in 0..<count { sources[i].unbind() } }
  sources[0].set(-5)
  driver.check(targets[0].value == 1, "an unbound target")
}

func twoWay(_ driver: Driver) {
  var updates = 0
  let left = (0..<1000).map { _ in Node(0) }, right = (0..<1000).map { _ in Node(0) }
  for i in left.indices {
    left[i].bind(to: right[i])
    right[i].bind(to: left[i])
  }
  driver.measure("update", units: left.count) { count in
    for _ in 0..<count {
      updates += 1
      for node in updates & 1 == 1 ? right : left { node.set(updates) }
    }
  }
  driver.check(left.allSatisfy { $0.value == updates }, "a left end")
  driver.check(right.allSatisfy { $0.value == updates }, "a right end")
}

func transformer(_ driver: Driver) {
  var updates = 0
  let words = ["hello binding world alpha", "hello binding world gamma"]
  let source = Node(words[0]), target = Node("")
  source.bind(to: target) { $0.uppercased() }
  driver.measure("update", units: 1) { count in
    for _ in 0..<count {
      updates += 1
      source.set(words[updates & 1])
    }
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
