import Testing
import TideBindings
import TideGraph

/// Errors of the host's own, as they are listed.
@Suite struct HostErrorTests {
  struct Outage: Error {}

  final class Meter: DataObject {
    @Property var level = 0
    @Property var shown = 0
  }

  private let meter = Meter()
  private let context = BindingContext()

  @Test func `of an observer and an effect are told from those of a transformer`() throws {
    try context.observe(meter, "level") { _, _ in throw Outage() }
    meter.level = 1
    let observed = try #require(BindingTable.current.errors.last)
    #expect(observed.code == .observer && observed.cause is Outage)

    let effect = context.effect { if meter.level == 2 { throw Outage() } }
    meter.level = 2
    #expect(BindingTable.current.errors.suffix(2).map(\.code) == [.observer, .observer])
    effect.cancel()

    let registry = BindingTable.current.transformers
    registry.register("failing", Transformer { (_: Int) -> Int in throw Outage() })
    let binding = try context.bind("level -> shown | failing", meter, meter)
    #expect(binding.error?.code == .transformer && binding.error?.cause is Outage)
    registry.remove("failing")
  }
}
