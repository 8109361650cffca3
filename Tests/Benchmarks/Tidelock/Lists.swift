import Driver
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
