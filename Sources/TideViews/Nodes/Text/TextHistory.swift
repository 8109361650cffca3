/// The undo and redo history of a text.
///
/// Consecutive typing without caret movement is one step, and so are consecutive deletions. Old
/// steps are dropped beyond a thousand steps or a few megabytes of text.
struct TextHistory {
  /// The replacement of one piece of text by another.
  struct Edit: Equatable {
    var offset: Int
    var removed: String
    var inserted: String

    var cost: Int { removed.utf8.count + inserted.utf8.count }
  }

  struct Carets: Equatable {
    var caret: Int
    var anchor: Int
  }

  enum Kind {
    case typing, deleting, other
  }

  /// The unit of undo.
  struct Step {
    var edits: [Edit]
    var kind: Kind
    var before: Carets
    var after: Carets
    var cost: Int
  }

  private var done: [Step] = []
  private var undone: [Step] = []
  private var isRunning = false
  private var cost = 0

  private static let longest = 1000
  private static let largest = 1 << 22

  /// The memory of the steps in bytes.
  var byteCount: Int {
    cost + undone.reduce(0) { $0 + $1.cost } + (done.count + undone.count) * 128
  }

  var canUndo: Bool { !done.isEmpty }
  var canRedo: Bool { !undone.isEmpty }

  mutating func clear() { self = TextHistory() }

  /// Makes the next edit a step of its own.
  mutating func endRun() { isRunning = false }

  mutating func add(_ edit: Edit, _ kind: Kind, _ before: Carets, _ after: Carets) {
    undone.removeAll()
    cost += edit.cost
    if isRunning && kind != .other, join(edit, kind, after) { return trim() }
    done.append(
      Step(edits: [edit], kind: kind, before: before, after: after, cost: edit.cost))
    isRunning = kind != .other
    trim()
  }

  /// Appends an automatic edit to the step that caused it.
  mutating func extend(_ edit: Edit, _ before: Carets, _ after: Carets) {
    cost += edit.cost
    guard var step = done.popLast() else {
      done = [Step(edits: [edit], kind: .other, before: before, after: after, cost: edit.cost)]
      return
    }
    step.edits.append(edit)
    step.after = after
    step.cost += edit.cost
    done.append(step)
    trim()
  }

  /// Merges an edit into the last step if it continues that step.
  private mutating func join(_ edit: Edit, _ kind: Kind, _ after: Carets) -> Bool {
    guard var step = done.last, step.kind == kind, var last = step.edits.last else { return false }
    switch kind {
    case .typing
    where edit.removed.isEmpty && edit.offset == last.offset + last.inserted.utf8.count:
      last.inserted += edit.inserted
    case .deleting where edit.offset + edit.removed.utf8.count == last.offset:
      last.removed = edit.removed + last.removed
      last.offset = edit.offset
    case .deleting where edit.offset == last.offset && last.inserted.isEmpty:
      last.removed += edit.removed
    case .typing where step.after == Carets(caret: edit.offset, anchor: edit.offset):
      // An automatic edit came between, such as the capitalization of the typed text.
      step.edits.append(last)
      last = edit
    default: return false
    }
    step.edits[step.edits.count - 1] = last
    step.after = after
    step.cost += edit.cost
    done[done.count - 1] = step
    return true
  }

  private mutating func trim() {
    while done.count > Self.longest || (cost > Self.largest && done.count > 1) {
      cost -= done.removeFirst().cost
    }
  }

  mutating func takeUndo() -> Step? {
    guard let step = done.popLast() else { return nil }
    cost -= step.cost
    undone.append(step)
    endRun()
    return step
  }

  mutating func takeRedo() -> Step? {
    guard let step = undone.popLast() else { return nil }
    cost += step.cost
    done.append(step)
    endRun()
    return step
  }
}
