import TideBindings
import TideGraph

/// Tracks the models, objects, lists and dicts that scripts make in a named context and in the
/// contexts inside it, until the context is cleared.
///
///     context("editor") ──made──▶ contents ──▶ the histories that follow "editor"
///                                    ▲
///     context("page") in it ──made──▶ contents
///
/// It retains none of them.
final class ContextContents: ContextMembers {
  private weak var context: BindingContext?
  private let table: BindingTable
  private weak var outer: ContextContents?
  private var inner: [WeakContents] = []
  private var made: [Member] = []
  private var mostMade = 64
  private var followers: [WeakHistory] = []
  /// Whether the context notifies this object when it is cleared.
  private var isNoted = false

  private struct WeakContents {
    weak var contents: ContextContents?
  }

  private struct WeakHistory {
    weak var history: UndoHistory?
  }

  /// An object, by its header.
  private struct Member {
    let index: UInt32
    let generation: UInt32
  }

  init(of context: BindingContext, in outer: ContextContents?) {
    self.context = context
    table = context.table
    self.outer = outer
    outer?.add(self)
  }

  private func add(_ contents: ContextContents) {
    inner.removeAll { $0.contents == nil }
    inner.append(WeakContents(contents: contents))
  }

  /// Adds an object that was made in the context.
  func add(_ object: DataObject) {
    if !isNoted {
      isNoted = true
      context?.own { [weak self] in self?.clear() }
    }
    if made.count >= mostMade {
      made.removeAll { self.object(of: $0) == nil }
      mostMade = max(64, 2 * made.count)
    }
    let header = object.header
    made.append(Member(index: header.index, generation: header.blockGeneration))
    tell { $0.include(object) }
  }

  /// Passes the tracked objects, and all later ones, to a history.
  func add(_ history: UndoHistory) {
    followers.removeAll { $0.history == nil }
    followers.append(WeakHistory(history: history))
    forEach { history.include($0) }
  }

  func remove(_ history: UndoHistory) {
    followers.removeAll { $0.history == nil || $0.history === history }
  }

  /// The context was cleared, and its objects with it.
  private func clear() {
    isNoted = false
    let members = made
    made = []
    for object in members.compactMap({ object(of: $0) }) { tell { $0.exclude(object) } }
  }

  private func tell(_ body: (UndoHistory) -> Void) {
    var contents: ContextContents? = self
    while let current = contents {
      for follower in current.followers { follower.history.map(body) }
      contents = current.outer
    }
  }

  private func forEach(_ body: (DataObject) -> Void) {
    for object in made.compactMap({ object(of: $0) }) { body(object) }
    for contents in inner { contents.contents?.forEach(body) }
  }

  private func object(of member: Member) -> DataObject? {
    let header = table.graph.slot(at: member.index)
    return header.blockGeneration == member.generation ? header.block as? DataObject : nil
  }
}

extension Runtime {
  /// Records an object that a script has made, for the histories that follow the open context.
  func noteMember(_ object: DataObject) {
    if contexts.named.isEmpty { return }
    context.members?.add(object)
  }
}
