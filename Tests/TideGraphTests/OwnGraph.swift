import TideGraph

/// Runs a test on a graph of its own, which is the thread's meanwhile.
///
/// The graph outlives whatever the test makes on it. Never inlined, because the optimizer may release
/// a constant after its last use, which would be before the end of objects that reach for the graph.
@inline(never)
func withOwnGraph<Result>(_ body: (Graph) throws -> Result) throws -> Result {
  let graph = try Graph()
  let outer = graph.enter()
  defer { Graph.leave(to: outer) }
  return try withExtendedLifetime(graph) { try body(graph) }
}
