import TideBindings
import TideGraph
import Testing

/// Objects that join a graph when they are bound.
@Suite struct `A binding's ends` {
  private final class Meter: DataObject {
    @Property var level = 0
    @Property var shown = 0
  }

  @Test func `join the context's graph, whose values stay`() {
    let source = Meter(), target = Meter(), context = BindingContext()
    source.level = 3
    target.level = 4
    #expect(source.isUnjoined && target.isUnjoined)
    context.bind(source.$level, to: target.$shown)
    #expect(!source.isUnjoined && !target.isUnjoined)
    #expect(source.level == 3 && target.level == 4 && target.shown == 3)
  }

  /// The graph outlives the objects in it.
  @inline(never)
  private func bindOther(_ context: BindingContext, to target: Meter, in other: Graph) -> Binding {
    let foreign = Meter()
    foreign.join(other)
    return context.bind(foreign.$level, to: target.$level)
  }

  @Test func `belong to nobody still where the binding cannot be made`() throws {
    let own = Meter(), target = Meter(), context = BindingContext()
    context.bind(own.$level, to: own.$shown)
    let other = try Graph()
    let binding = withExtendedLifetime(other) { bindOther(context, to: target, in: other) }
    #expect(!binding.isAlive)
    #expect(BindingTable.current.errors.last?.code == .graph)
    #expect(target.isUnjoined)
  }
}
