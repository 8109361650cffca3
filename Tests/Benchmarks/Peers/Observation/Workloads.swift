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
  var updates = 0, effects = 0, sink = 0
  let nodes = (0...length).map { _ in Node(-1) }
  var bag = (0..<length).map { i in bind(nodes[i], nodes[i + 1]) { $0 &+ 1 } }
  bag.append(
    Reaction {
      effects += 1; sink &+= nodes[length].value
    })
  effects = 0
  set(nodes[0], 7)
  driver.check(nodes[length].value == 7 + length && effects == 1, "end of the chain")
  driver.measure("edge", units: length) { count in
    for _ in 0..<count {
      updates += 1
      set(nodes[0], updates)
    }
  }
  driver.check(nodes[length].value == updates + length, "end of the chain")
  withExtendedLifetime(bag) {}
}

func fanOut(_ driver: Driver) {
  var updates = 0
  let source = Node(-1)
  let targets = (0..<1000).map { _ in Node(-1) }
  let bag = targets.map { bind(source, $0) }
  driver.measure("edge", units: targets.count) { count in
    for _ in 0..<count {
      updates += 1
      set(source, updates)
    }
  }
  driver.check(targets.allSatisfy { $0.value == updates }, "a target")
  withExtendedLifetime(bag) {}
}

func diamond(_ driver: Driver) {
  var updates = 0, effects = 0, total = 0
  let source = Node(0), sum = Node(-1)
  let computed = (0..<100).map { _ in Node(-1) }
  var bag = (0..<100).map { i in bind(source, computed[i]) { $0 &+ i } }
  bag.append(Reaction { sum.value = computed.reduce(0) { $0 &+ $1.value } })
  bag.append(
    Reaction {
      effects += 1; total = sum.value
    })
  effects = 0
  driver.measure("edge", units: 201) { count in
    for _ in 0..<count {
      updates += 1
      set(source, updates)
    }
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
  for i in 0..<count { set(sources[i], i) }
  driver.time("update", each: count) { for i in 0..<count { set(sources[i], i + 1) } }
  driver.check((0..<count).allSatisfy { targets[$0].value == $0 + 1 }, "a target")
}

func twoWay(_ driver: Driver) {
  var updates = 0
  let left = (0..<1000).map { _ in Node(-1) }, right = (0..<1000).map { _ in Node(-1) }
  let bag = left.indices.flatMap { i in [bind(left[i], right[i]), bind(right[i], left[i])] }
  driver.measure("update", units: left.count) { count in
    for _ in 0..<count {
      updates += 1
      for node in updates & 1 == 1 ? right : left { set(node, updates) }
    }
  }
  driver.check(left.allSatisfy { $0.value == updates }, "a left end")
  driver.check(right.allSatisfy { $0.value == updates }, "a right end")
  withExtendedLifetime(bag) {}
}

func transformer(_ driver: Driver) {
  var updates = 0
  let words = ["hello binding world alpha", "hello binding world gamma"]
  let source = TextNode(words[0]), target = TextNode("")
  let binding = Reaction { target.value = source.value.uppercased() }
  driver.measure("update", units: 1) { count in
    for _ in 0..<count {
      updates += 1
      source.value = words[updates & 1]
      Reaction.settle()
    }
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
