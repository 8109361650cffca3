import Driver
import FoundationEssentials
import TideBindings
import TideViews
import Tidelock

/// W7.
func mappedList(_ driver: Driver) {
  let rows = ObservableList(0..<10_000)
  let mapped = rows.mapped { $0 &* 2 }
  var random = RandomRows()
  driver.check(mapped.count == 10_000, "the mapped list")
  driver.measure("edit", units: 2) { count in
    do {
      for i in 0..<count {
        try rows.insert(i, at: random.next())
        try rows.remove(at: random.next())
      }
    } catch {
      driver.fail("\(error)")
    }
  }
  driver.check(mapped.elements == rows.elements.map { $0 &* 2 }, "the mapped list")
}

/// Puts a thousand rows into a list of 100,000 that is sorted or filtered.
func insertRows(_ driver: Driver, into arrange: (ObservableList<Int>) -> ObservableList<Int>) {
  let rows = ObservableList((0..<100_000).map { $0 &* 7919 % 1_000_003 })
  let arranged = arrange(rows)
  var random = RandomRows()
  let before = arranged.count
  driver.time("insert", each: 1000) {
    for i in 0..<1000 {
      do { try rows.insert(i &* 1009, at: random.next()) } catch { driver.fail("\(error)") }
    }
    // A derived list takes up the edits when it is read.
    driver.check(arranged.count > before, "the arranged list")
  }
}

/// The same by a script's comparison.
func insertCompared(_ driver: Driver) throws {
  var configuration = Runtime.Configuration(turn: .seconds(120))
  configuration.limits.rows = 200_000
  let runtime = try Runtime(app: URL(filePath: "workload.lua"), configuration: configuration)
  let results = try runtime.lua.run(
    """
    local rows = {}
    for i = 1, 100000 do rows[i] = i * 7919 % 1000003 end
    local source = list(rows)
    local sorted = source:sorted(function(a, b) return a < b end)
    assert(#sorted == 100000)
    return function()
      for i = 1, 1000 do source:insert(i * 97, i * 1009) end
      return #sorted
    end
    """, name: "=workload")
  guard let insert = results[0].function else { driver.fail("the chunk gives no function") }
  driver.time("insert", each: 1000) {
    do {
      driver.check(try insert.call([])[0].integer == 101_000, "the sorted list")
    } catch {
      driver.fail("\(error)")
    }
  }
}

/// A script's loop over a model's list, or over what is selected in a controller. With "live" the
/// loop takes each element from the list as it is then, by the step that goes over tables.
func loopOverRows(_ driver: Driver, _ workload: String) throws {
  let words = workload.split(separator: " ")
  let loop = words.last == "live" ? "step, rows, 0" : "ipairs(rows)"
  let rows = words.first == "selection" ? "people.selectedObjects" : "people.content"
  let runtime = try Runtime(
    app: URL(filePath: "workload.lua"), configuration: Runtime.Configuration(turn: .seconds(60)))
  let results = try runtime.lua.run(
    """
    local source = list()
    for i = 1, 1000 do source:append(object { number = i }) end
    local people = controller.list { content = source }
    people:selectAll()
    local rows = \(rows)
    local step = ipairs {}
    return function(n)
      local sum = 0
      for _ = 1, n do
        for i, row in \(loop) do sum = sum + i end
      end
      return sum, people
    end
    """, name: "=workload")
  guard let run = results[0].function else { driver.fail("the chunk gives no function") }
  driver.measure("element", units: 1000) { count in
    do {
      driver.check(try run.call([.integer(count)])[0].integer == count * 500_500, "the sum")
    } catch {
      driver.fail("\(error)")
    }
  }
  withExtendedLifetime(runtime) {}
}

/// Gives a list of 10,000 rows ten other ones, and counts what observers are told.
func setRows(_ driver: Driver) {
  let rows = ObservableList(0..<10_000)
  let context = BindingContext()
  var told = 0
  context.observe(rows) { change in told += change.objects.count }
  var wanted = Array(0..<10_000)
  for i in 0..<10 { wanted[i * 997] = -i - 1 }
  driver.time("set", each: 1) {
    rows.set(wanted)
  }
  driver.check(rows.elements == wanted, "the list")
  driver.report("told", Double(told))
}

/// Shows a feed of so many rows: its first page, in a list view, drawn.
func openFeed(_ driver: Driver) throws {
  let total = driver.size(default: 1000)
  open(driver) {
    let feed = FeedList(page: 50) { offset, wanted in
      (offset..<min(offset + wanted, total)).map { .integer($0) }
    }
    feed.fetchMore()
    return feed
  }
}

/// Shows a list that holds all of so many rows.
func openList(_ driver: Driver) throws {
  let rows = ValueList((0..<driver.size(default: 1000)).map { .integer($0) })
  open(driver) { rows }
}

/// Scrolls a list of rows that wrap by pages, and draws each.
func scrollList(_ driver: Driver, rowHeight: Value, step: Int) throws {
  let count = driver.size(default: 100_000)
  let rows = ValueList(
    (0..<count).map { row in
      .string("row \(row) " + String(repeating: "some words ", count: row * 7 % 18))
    })
  guard let list = ViewClass.list.make() as? ListView else { driver.fail("no list view") }
  try list.set("rowHeight", rowHeight)
  let context = BindingContext()
  list.makeCell = { _, _ in
    let label = ViewClass.label.make()
    try label.set("wrap", true)
    try context.bind("dataObject -> text", label, label)
    return label
  }
  try list.set("items", .object(rows))
  let scene = try Scene(root: list, size: Size(width: 80, height: 24))
  try scene.mount(TextRenderer())
  driver.measure("page", units: 1) { pages in
    do {
      for _ in 0..<pages {
        if list.firstRow + step >= count { list.scroll(toRow: 0) } else { list.scroll(by: step) }
        try scene.commit()
      }
    } catch {
      driver.fail("\(error)")
    }
  }
  driver.check(list.subviews.count > 8, "the list")
}

private func open(_ driver: Driver, _ items: () -> ValueList) {
  var pictures = 0
  driver.measure("open", units: 1) { count in
    for _ in 0..<count {
      let view = ViewClass.list.make()
      do {
        try view.set("items", .object(items()))
        (view as? ListView)?.makeCell = { value, _ in
          let label = ViewClass.label.make()
          try label.set("text", value)
          return label
        }
        pictures += view.snapshot().count
      } catch {
        driver.fail("\(error)")
      }
    }
  }
  driver.check(pictures > 0, "the picture")
}
