import TideBindings
import TideGraph

/// The models, objects, lists and dicts that scripts have made in a context that they have named,
/// and in the contexts in it, since these were last cleared.
///
///     context("editor") ──made──▶ contents ──▶ the histories that follow "editor"
///                                    ▲
///     context("page") in it ──made──▶ contents
///
/// It holds none of them: an object that nobody needs any more goes as if it had been made
/// elsewhere.
final class ContextContents: ContextMembers {
  private weak var context: BindingContext?
  private let table: BindingTable
  private weak var outer: ContextContents?
  private var inner: [WeakContents] = []
  private var made: [Member] = []
  private var mostMade = 64
  private var followers: [WeakHistory] = []
  /// Whether the context tells when it is cleared.
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

  /// Notes an object that was made in the context.
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

  /// Tells a history of what there is and of what is made later.
  func add(_ history: UndoHistory) {
    followers.removeAll { $0.history == nil }
    followers.append(WeakHistory(history: history))
    forEach { history.include($0) }
  }

  func remove(_ history: UndoHistory) {
    followers.removeAll { $0.history == nil || $0.history === history }
  }

  /// What the context held has ended with it.
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
  /// Notes what a script has made and filled, for the histories that follow the open context.
  func noteMember(_ object: DataObject) {
    if contexts.named.isEmpty { return }
    context.members?.add(object)
  }
}
