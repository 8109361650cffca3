import CTideLua
import FoundationEssentials
import Testing
import TideBindings
import TideGraph
import TideLua
import TideReload
@testable import TideScript

/// A script that uses the whole Lua API is run with its n-th allocation failing, once or from there
/// on for ever. Whatever becomes of it, the runtime must then run it from beginning to end, and
/// nothing may be left when the runtime is gone.
///
/// Some of all n are tried, beginning at a random one, which is part of the comment of a failure.
/// `TIDELOCK_ALLOCATIONS=all` tries every one, which takes some minutes; `TIDELOCK_ALLOCATIONS=512`
/// just that one.
@Suite(.serialized) struct `Failing allocations` {
  static let path = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "Failures/everything.lua").path

  /// What one run left.
  private struct Remains: Equatable {
    var slots: Int
    var edges: Int
    var blocks: Int
  }

  private enum Failing { case never, once(UInt64), forever(UInt64) }

  @Test(arguments: [false, true])
  func `harm nothing`(forever: Bool) throws {
    let total = try run(.never)
    #expect(total > 1000)
    let (first, step) = choice(among: total)
    // What the first runs make and keep is not a leak.
    _ = try run(.never)
    let before = remains()
    for n in stride(from: first, through: total, by: step) {
      _ = try run(forever ? .forever(UInt64(n)) : .once(UInt64(n)))
      let after = remains()
      #expect(after == before, "allocation \(n) of \(total)")
      if after != before { return }
    }
  }

  private func choice(among total: Int) -> (first: Int, step: Int) {
    switch ProcessInfo.processInfo.environment["TIDELOCK_ALLOCATIONS"] {
    case "all": (1, 1)
    case let number?: (Int(number) ?? 1, total)
    case nil: (Int.random(in: 1...97), 97)
    }
  }

  private func remains() -> Remains {
    let counts = Graph.current.counts
    return Remains(slots: counts.slots, edges: counts.edges, blocks: counts.blocks)
  }

  /// Runs the script in a runtime of its own; gives the number of allocations that it asked for.
  private func run(_ failing: Failing) throws -> Int {
    var configuration = Runtime.Configuration()
    configuration.print = { _ in }
    configuration.lua.turn = .seconds(300)
    var asked = 0
    let raw: OpaquePointer
    do {
      let runtime = try Runtime(file: Self.path, configuration: configuration)
      raw = runtime.lua.raw
      tide_state_retain(raw)
      let height = tide_state_height(raw)
      switch failing {
      case .never: tide_memory_refuse(raw, .max, false)
      case .once(let n): tide_memory_refuse(raw, n, false)
      case .forever(let n): tide_memory_refuse(raw, n, true)
      }
      var failure: (any Error)?
      do { try runtime.load() } catch { failure = error }
      runtime.settle()
      asked = Int(tide_memory_allocations(raw))
      tide_memory_refuse(raw, 0, false)
      check(failure, failing)
      #expect(tide_state_height(raw) == height, "after \(failing)")
      // All of it works afterwards.
      runtime.onError = { Issue.record("after \(failing): \($0)") }
      do { try runtime.reset() } catch { Issue.record("after \(failing): \(error)") }
    }
    #expect(tide_memory_used(raw) == 0, "after \(failing)")
    tide_state_release(raw)
    return asked
  }

  /// What comes out is an error of memory, or the script's own, which noticed that something was
  /// missing that it had seen fail under `pcall`.
  private func check(_ failure: (any Error)?, _ failing: Failing) {
    guard let failure else { return }
    guard let error = failure as? TideError else {
      Issue.record("after \(failing): \(failure)")
      return
    }
    let isScripts = error.code == .scriptError && error.message.contains("assertion failed")
    #expect(
      error.code == .scriptMemory || isScripts || error.message.contains("not enough memory"),
      "after \(failing): \(error.code) \(error)")
  }
}
