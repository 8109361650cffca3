import Driver
import LuaWorkloads
import Tidelock

/// Whether calls share a turn of the time budget, as those of one settle do, or each opens its own.
enum Turns {
  case shared, own

  func run(in state: LuaState, _ body: () -> Void) {
    switch self {
    case .shared: state.turn(body)
    case .own: body()
    }
  }
}

/// The host calls a script's function with a number, which returns another one.
func callWithNumber(_ driver: Driver, _ turns: Turns) throws {
  let state = try LuaState(), function = try makeFunction(driver, "call number", in: state)
  var isRight = true
  driver.measure("operation", units: 1) { count in
    turns.run(in: state) {
      for i in 0..<count {
        isRight = isRight && (try? function(number: Double(i))) == Double(i) + 1
      }
    }
  }
  driver.check(isRight, "the number")
  withExtendedLifetime(state) {}
}

/// The host calls a script's function with a number, and converts the number that it returns.
func callTyped(_ driver: Driver) throws {
  let state = try LuaState(), function = try makeFunction(driver, "call number", in: state)
  var isRight = true
  driver.measure("operation", units: 1) { count in
    state.turn {
      for i in 0..<count {
        isRight = isRight && (try? function.call(Double(i), as: Double.self)) == Double(i) + 1
      }
    }
  }
  driver.check(isRight, "the number")
  withExtendedLifetime(state) {}
}

/// The host calls a script's function with a string for a string.
func callWithString(_ driver: Driver, _ turns: Turns) throws {
  let state = try LuaState(), function = try makeFunction(driver, "call string", in: state)
  let words = ["hello world", "other text."]
  var isRight = true
  driver.measure("operation", units: 1) { count in
    turns.run(in: state) {
      for i in 0..<count {
        let result = try? function(string: words[i & 1])
        isRight = isRight && result?.string?.utf8.count == 11
      }
    }
  }
  driver.check(isRight, "the string")
  withExtendedLifetime(state) {}
}

/// The function that a workload's chunk gives.
private func makeFunction(
  _ driver: Driver, _ workload: String, in state: LuaState
) throws -> LuaFunction {
  let chunk = lua_workload(workload).map { String(cString: $0) } ?? ""
  guard let function = try state.run(chunk, name: "=workload").first?.function else {
    driver.fail("the chunk gives no function")
  }
  return function
}
