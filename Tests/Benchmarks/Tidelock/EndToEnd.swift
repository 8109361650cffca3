import Driver
import FoundationEssentials
import Tidelock

/// A write of a script's, its transformer, and a label's text.
func endToEnd(_ driver: Driver) throws {
  let runtime = try Runtime(app: URL(filePath: "workload.lua"))
  let results = try runtime.lua.run(
    """
    local fruit = object { name = "apple" }
    local label = view.label {}
    transformer("shout", function(text) return text .. "!" end)
    bind("name -> text | shout", fruit, label)
    local function work(n)
      for i = 1, n do
        fruit.name = "hello world"
        fruit.name = "other text."
      end
    end
    return work, function() return label.text end
    """, name: "=workload")
  guard let work = results[0].function, let look = results[1].function else {
    driver.fail("the chunk gives no functions")
  }
  driver.measure("operation", units: 2) { count in
    do { try work.call([.integer(count)]) } catch { driver.fail("\(error)") }
  }
  driver.check(try look.call([])[0].string == "other text.!", "the label's text")
}

/// A script makes bindings of expressions, each between two objects of its own, and drops what
/// `bind` gives.
func bindExpressions(_ driver: Driver) throws {
  let count = driver.size(default: 20_000)
  let runtime = try Runtime(app: URL(filePath: "workload.lua"))
  let results = try runtime.lua.run(
    """
    local count = \(count)
    local left, right = {}, {}
    for i = 1, count do
      left[i] = object { name = "apple" }
      right[i] = object { text = "" }
    end
    local function make()
      for i = 1, count do bind("name -> text", left[i], right[i]) end
      collectgarbage()
    end
    return make, function() left[count].name = "pear" return right[count].text end
    """, name: "=workload")
  guard let make = results[0].function, let look = results[1].function else {
    driver.fail("the chunk gives no functions")
  }
  runtime.lua.collectGarbage()
  driver.make(count) {
    do { try make.call([]) } catch { driver.fail("\(error)") }
    runtime.lua.collectGarbage()
  }
  driver.check(try look.call([])[0].string == "pear", "the text")
}
