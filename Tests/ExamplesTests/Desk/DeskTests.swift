import Foundation
import Testing
import TideBindings
import Tidelock

/// What the specs of the desk cannot bring about: two people who act before either hears of the
/// other.
@Suite struct DeskTests {
  private func session(_ shared: SharedModels) throws -> Runtime {
    var configuration = Runtime.Configuration()
    configuration.clock = VirtualClock()
    configuration.shared = shared
    let runtime = try Runtime(
      app: Examples.folder.appending(path: "desk/app.lua"), configuration: configuration)
    try runtime.load()
    return runtime
  }

  /// Lets each take what the others have written.
  private func deliver(_ all: Runtime...) {
    for _ in 0..<8 {
      for runtime in all { runtime.settle() }
    }
  }

  private func lend(to person: Int, until day: String, in runtime: Runtime) throws {
    let isLent = try runtime.evaluate(
      """
      local desk = require "desk"
      models.me.person = desk.data.people[\(person)]
      return desk.lend(desk.data.devices[1], desk.data.people[\(person)], "\(day)")
      """, as: Bool.self)
    #expect(isLent)
  }

  private static let state = """
    local desk = models.desk
    local device = desk.devices[1]
    local parts = { device.holder, device.due }
    for _, loan in ipairs(desk.loans) do parts[#parts + 1] = loan.person .. loan.back end
    for _, entry in ipairs(desk.history) do
      if entry.what:find "already" then parts[#parts + 1] = entry.who .. ": " .. entry.what end
    end
    return table.concat(parts, " ")
    """

  @Test func `of two who lend a device at once the first keeps it, and the other is told`() throws {
    let shared = SharedModels()
    let (ann, bo) = (try session(shared), try session(shared))
    deliver(ann, bo)
    try lend(to: 1, until: "1970-02-01", in: ann)
    try lend(to: 2, until: "1970-03-01", in: bo)
    deliver(ann, bo)
    let wanted = "ann 1970-02-01 ann Bo: found A-001 lent already"
    #expect(try ann.evaluate(Self.state, as: String.self) == wanted)
    #expect(try bo.evaluate(Self.state, as: String.self) == wanted)
    #expect(try bo.evaluate("models.me.message", as: String.self) == "Somebody was quicker.")
    #expect(ann.errors.isEmpty && bo.errors.isEmpty)
  }
}
