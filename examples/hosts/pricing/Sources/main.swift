import TideLua

// Prices orders by rules that a script gives on standard input:
//
//   swift run Pricing < rules.lua
//
// The rules come from somebody else: they get a memory of 8 MiB and 200 ms for each order, and
// whatever they do wrong is an error of the order at hand.

struct Order: Encodable {
  var customer: String
  var country: String
  var items: [String: Int]
}

struct Price: Decodable {
  var total: Double
  var notes: [String]
}

struct UnknownCountry: Error, CustomStringConvertible {
  var country: String
  var description: String { "there is no tax rate for \(country)" }
}

func readRules() -> String {
  var text = ""
  while let line = readLine(strippingNewline: false) { text += line }
  return text
}

var configuration = LuaConfiguration()
configuration.memory = 8 << 20
configuration.turn = .milliseconds(200)
let state = try LuaState(configuration)

let prices = ["apple": 0.5, "fig": 0.75, "melon": 4]
let rates = ["de": 0.19, "no": 0.25]
try state.register("priceOf") { (item: String) in prices[item] }
try state.register("taxRate") { (country: String) throws -> Double in
  guard let rate = rates[country] else { throw UnknownCountry(country: country) }
  return rate
}

let rules: LuaFunction
do {
  try state.run(readRules(), name: "@rules.lua")
  rules = try state.evaluate("price", as: LuaFunction.self)
} catch {
  print("the rules cannot be used: \(error)")
  throw error
}

let orders = [
  Order(customer: "Ada", country: "de", items: ["apple": 4, "melon": 1]),
  Order(customer: "Bob", country: "no", items: ["fig": 20]),
  Order(customer: "Eve", country: "xx", items: ["fig": 1]),
  Order(customer: "Zeno", country: "de", items: ["melon": 1]),
  Order(customer: "Kim", country: "no", items: ["durian": 2]),
]
for order in orders {
  do {
    let price = try rules(state.encode(order)).decode(Price.self)
    print("\(order.customer): \(price.total)\(price.notes.map { " (\($0))" }.joined())")
  } catch let error as LuaError where error.kind == .time {
    print("\(order.customer): the rules took too long")
  } catch let error as LuaError {
    print("\(order.customer): \(error.cause.map { "\($0)" } ?? "\(error)")")
  }
}
