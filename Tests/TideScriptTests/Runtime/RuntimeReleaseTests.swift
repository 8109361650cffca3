import Testing
import TideBindings
import TideLua
import TideScript

/// The host may let go of the last reference to a runtime in a function that a script calls:
/// whatever called the script goes on with what is there.
@Suite struct `A runtime that its host lets go of while a script runs` {
  private final class Holder {
    var runtime: Runtime?
  }

  private let holder = Holder()

  /// Runs a script that may call `drop`, and gives a model that it declares.
  private func load(_ script: String) throws -> DataObject {
    let runtime = try Runtime(file: "test.lua")
    holder.runtime = runtime
    try runtime.lua.register(
      "drop",
      runtime.lua.function(named: "drop") { [holder] _ in holder.runtime = nil })
    try runtime.lua.run(script, name: "@test.lua")
    return try #require(runtime.models["m"])
  }

  private func expectGone() { #expect(holder.runtime == nil) }

  @Test func `ends after a computed value has been read`() throws {
    let model = try load(
      """
      model "m" { value = 1, total = computed(function(self) drop() return self.value + 1 end) }
      """)
    #expect(try model.value(of: "total") == 2)
    expectGone()
  }

  @Test func `ends after a computed value that a script reads`() throws {
    _ = try load(
      """
      model "m" { value = 1, total = computed(function(self) drop() return self.value + 1 end) }
      function read() return models.m.total + models.m.total end
      """)
    let read = try #require(try holder.runtime?.lua.globals["read"].function)
    #expect((try? read.call([]))?.first ?? .integer(4) == .integer(4))
    expectGone()
  }

  @Test func `ends after an effect`() throws {
    let model = try load(
      """
      model "m" { value = 1 }
      effect(function() if models.m.value > 1 then drop() end end)
      effect(function() return models.m.value end)
      """)
    try model.set("value", 2)
    #expect(try model.value(of: "value") == 2)
    expectGone()
  }

  @Test func `ends after a transformer`() throws {
    let model = try load(
      """
      local m = model "m" { value = 1, shown = 0, again = 0 }
      transformer("more", function(x) if x > 1 then drop() end return x + 1 end)
      bind("value -> shown | more", m, m)
      bind("shown -> again | more", m, m)
      """)
    try model.set("value", 2)
    expectGone()
  }

  @Test func `ends after a comparison of rows`() throws {
    let model = try load(
      """
      local rows = list { 3, 1, 2 }
      model "m" { rows = rows, count = 0, sorted = computed(function(self)
        return rows:sorted(function(a, b) if a == 9 then drop() end return a < b end)
      end) }
      """)
    let sorted = try model.value(of: "sorted")
    if case .object(let rows as ValueList) = try model.value(of: "rows") {
      try rows.insert(.integer(9), at: 0)
    }
    if case .object(let list as ValueList) = sorted { #expect(list.count == 4) }
    expectGone()
  }

  @Test func `ends after a write of a script whose observers it calls`() throws {
    _ = try load(
      """
      model "m" { value = 1 }
      observe(models.m, "value", function() drop() end)
      observe(models.m, "value", function() end)
      function write() models.m.value = 2 return models.m.value end
      """)
    let write = try #require(try holder.runtime?.lua.globals["write"].function)
    _ = try? write.call([])
    expectGone()
  }
}
