import Driver

func set(_ node: Node, _ value: Int) {
  node.value = value
  Reaction.settle()
}

func bind(_ source: Node, _ target: Node) -> Reaction {
  Reaction { target.value = source.value }
}

func bind(_ source: Node, _ target: Node, _ transform: @escaping (Int) -> Int) -> Reaction {
  Reaction { target.value = transform(source.value) }
}

func chain(_ driver: Driver) {
  let length = 1000
  var effects = 0, sink = 0
  let nodes = (0...length).map { _ in Node(-1) }
  var bag = (0..<length).map { i in bind(nodes[i], nodes[i + 1]) { $0 &+ 1 } }
  bag.append(
    Reaction {
      effects += 1; sink &+= nodes[length].value
    })
  effects = 0
  set(nodes[0], 7)
  driver.check(nodes[length].value == 7 + length && effects == 1, "end of the chain")
  let updates = driver.measureWrites("edge", units: length) { update in
    set(nodes[0], update)
  }
  driver.check(nodes[length].value == updates + length, "end of the chain")
  withExtendedLifetime(bag) {}
}

func fanOut(_ driver: Driver) {
  let source = Node(-1)
  let targets = (0..<1000).map { _ in Node(-1) }
  let bag = targets.map { bind(source, $0) }
  let updates = driver.measureWrites("edge", units: targets.count) { update in
    set(source, update)
  }
  driver.check(targets.allSatisfy { $0.value == updates }, "a target")
  withExtendedLifetime(bag) {}
}

func diamond(_ driver: Driver) {
  var effects = 0, total = 0
  let source = Node(0), sum = Node(-1)
  let computed = (0..<100).map { _ in Node(-1) }
  var bag = (0..<100).map { i in bind(source, computed[i]) { $0 &+ i } }
  bag.append(Reaction { sum.value = computed.reduce(0) { $0 &+ $1.value } })
  bag.append(
    Reaction {
      effects += 1; total = sum.value
    })
  effects = 0
  let updates = driver.measureWrites("edge", units: 201) { update in
    set(source, update)
  }
  driver.check(total == 100 * updates + 4950, "the sum")
  driver.report("runs", Double(effects) / Double(updates))
  withExtendedLifetime(bag) {}
}

func pairs(_ driver: Driver) {
  let count = driver.size(default: 100_000)
  let sources = (0..<count).map { _ in Node(-1) }
  let targets = (0..<count).map { _ in Node(-2) }
  var bag: [Reaction] = []
  bag.reserveCapacity(count)
  driver.make(count) {
    for i in 0..<count { bag.append(bind(sources[i], targets[i])) }
  }
  driver.updatePairs(count, write: { set(sources[$0], $1) }, read: { targets[$0].value })
}

func twoWay(_ driver: Driver) {
  let left = (0..<1000).map { _ in Node(-1) }, right = (0..<1000).map { _ in Node(-1) }
  let bag = left.indices.flatMap { i in [bind(left[i], right[i]), bind(right[i], left[i])] }
  let updates = driver.measureWrites("update", units: left.count) { update in
    for node in update & 1 == 1 ? right : left { set(node, update) }
  }
  driver.check(left.allSatisfy { $0.value == updates }, "a left end")
  driver.check(right.allSatisfy { $0.value == updates }, "a right end")
  withExtendedLifetime(bag) {}
}

func transformer(_ driver: Driver) {
  let words = ["hello binding world alpha", "hello binding world gamma"]
  let source = TextNode(words[0]), target = TextNode("")
  let binding = Reaction { target.value = source.value.uppercased() }
  let updates = driver.measureWrites("update", units: 1) { update in
    source.value = words[update & 1]
    Reaction.settle()
  }
  driver.check(target.value == words[updates & 1].uppercased(), "the upper-cased string")
  withExtendedLifetime(binding) {}
}

func depth(_ driver: Driver) {
  let length = driver.size(default: 10_000)
  let nodes = (0...length).map { Node($0) }
  let bag = (0..<length).map { i in bind(nodes[i], nodes[i + 1]) { $0 &+ 1 } }
  set(nodes[0], 7)
  driver.check(nodes[length].value == 7 + length, "end of the chain")
  driver.report("depth", Double(length))
  withExtendedLifetime(bag) {}
}
