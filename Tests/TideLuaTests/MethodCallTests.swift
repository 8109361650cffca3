import Testing
import TideLua

@Suite struct `Methods that Swift calls by name` {
  final class Account: TideConvertible { var balance = 5 }

  private let state: LuaState

  init() throws {
    state = try LuaState()
    try state.run(
      """
      Cart = {}
      Cart.__index = Cart
      function Cart:add(n) self.total = self.total + n return self.total, "kept" end
      cart = setmetatable({ total = 1 }, Cart)
      """, name: "@a.lua")
  }

  @Test func `are a script object's, inherited ones too`() throws {
    let cart = try state.globals["cart", as: LuaTable.self]
    #expect(try cart.call(method: "add", 2, as: Int.self) == 3)
    try cart.call(method: "add", 0, as: Void.self)
    let (sum, kept) = try cart.call(method: "add", 0, as: (Int, String).self)
    #expect(sum == 3 && kept == "kept")
    let (total, word) = try state.call(method: "add", of: cart, 4, as: (Int, String).self)
    #expect(total == 7 && word == "kept")
  }

  @Test func `are a Swift object's and a string's`() throws {
    let type = LuaUserType<Account>("Account")
    type.method("add") { (account: Account, n: Int) in account.balance + n }
    try state.register(type)
    #expect(try state.call(method: "add", of: Account(), 2, as: Int.self) == 7)
    let userdata = try state.userdata(for: Account())
    #expect(try userdata.call(method: "add", 3, as: Int.self) == 8)
    #expect(try state.call(method: "upper", of: "fig", as: String.self) == "FIG")
    #expect(throws: LuaError.self) { try userdata.call(method: "none", as: Int.self) }
  }

  @Test func `count their arguments from the one after the receiver`() throws {
    let cart = try state.globals["cart", as: LuaTable.self]
    let error = #expect(throws: LuaError.self) {
      try cart.call(method: "add", UInt64.max, as: Int.self)
    }
    #expect(error?.message.hasPrefix("bad argument #1 ") == true, "\(error as Any)")
  }

  @Test func `are missed by name`() throws {
    let cart = try state.globals["cart", as: LuaTable.self]
    func message(_ name: String) -> String? {
      #expect(throws: LuaError.self) { try cart.call(method: name, as: Int.self) }?.message
    }
    #expect(message("none") == "the table has no method 'none' (a nil value)")
    #expect(message("total") == "the table has no method 'total' (a number value)")
    let error = #expect(throws: LuaError.self) { try state.call(method: "x", of: 1, as: Int.self) }
    #expect(error?.message == "a number has no method 'x'")
  }
}
