import TideGraph

extension Binding {
  /// Lets a trigger make it carry its value, beside those that it has. Harmless when it has it
  /// already, or has ended.
  public func add(_ trigger: Trigger) throws {
    guard isAlive else { return }
    let details = table.makeDetails(for: index)
    if details.triggers.contains(where: { $0.trigger === trigger }) { return }
    let running = try trigger.start(in: table) { [self] in triggered() }
    // Starting it may have run a script, which may have ended the binding.
    guard isAlive else { return running.stop() }
    if !isFollowing { running.setEnabled?(false) }
    details.triggers.append((trigger, running))
  }

  /// Stops a trigger. Throws when it is none of this binding's; harmless when the binding has ended.
  public func remove(_ trigger: Trigger) throws(TideError) {
    guard isAlive else { return }
    let details = table.details(of: index)
    guard let place = details?.triggers.firstIndex(where: { $0.trigger === trigger }) else {
      throw TideError(
        .badArgument,
        "this binding has no such trigger (\(trigger)); keep the one that was given to it")
    }
    details?.triggers.remove(at: place).running.stop()
  }

  private func triggered() {
    guard isAlive else { return }
    if let gate = table.details(of: index)?.gates.first { return gate.trigger() }
    if isFollowing { fire() }
  }

  /// Whether neither it nor its context is disabled.
  private var isFollowing: Bool {
    let record = table.record(index).pointee
    let edge = record.edge != 0 ? record.edge : record.reverse
    return edge != 0 && table.graph.isEnabled(edge)
  }
}
