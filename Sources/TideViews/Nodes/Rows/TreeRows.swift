import TideBindings
import TideGraph

/// The visible rows of a tree as one sequence, kept in step with the lists of children.
///
/// Rows are found by counting, not by building a list: a tree of a million rows opens as fast as a
/// small one.
final class TreeRows: RowSource {
  /// A row: the branch whose list contains it, and its index in that list.
  struct Entry {
    let branch: TreeBranch
    let index: Int
    let open: TreeBranch?
    let element: Value
    var depth: Int { branch.depth }
  }

  let top = TreeBranch(.null, below: nil, at: 0)
  /// Returns the list of an element's children; nil for a leaf.
  private let childrenOf: (Value) -> ValueList?
  let changed: ([RowEdit]) -> Void
  let graph: Graph
  /// Expanded objects, including hidden ones, so that they are expanded when they reappear.
  var marks = OpenMarks()
  /// The number of expanded rows.
  private(set) var openCount = 0
  var edits: [RowEdit] = []
  var known: [Entry] = []
  private var knownStart = 0
  /// The expanded objects. A tree that contains itself must not expand without end.
  private var openObjects: Set<ObjectIdentifier> = []

  init(
    _ list: ValueList?, in graph: Graph, marks: OpenMarks = OpenMarks(),
    children: @escaping (Value) -> ValueList?, changed: @escaping ([RowEdit]) -> Void
  ) {
    self.graph = graph
    self.marks = marks
    childrenOf = children
    self.changed = changed
    adopt(list, by: top)
    edits = []
  }

  deinit { top.dismantle() }

  // MARK: Rows

  var count: Int { top.rowCount }
  var isOfController: Bool { false }
  var removals: [[Value]] { [] }
  var list: ValueList? { nil }

  func row(_ index: Int) -> Value { entry(index).map { Self.object(of: $0.element) } ?? .null }

  func entry(_ row: Int) -> Entry? {
    if row >= knownStart, row < knownStart + known.count { return known[row - knownStart] }
    guard row >= 0, row < count else { return nil }
    var branch = top
    var rest = row
    while true {
      let found = branch.find(rest)
      guard let inside = found.inside else { return makeEntry(branch, found.index) }
      branch = inside
      rest = found.row
    }
  }

  /// Caches the entries of the visible rows.
  func look(at rows: Range<Int>) {
    known = []
    knownStart = rows.lowerBound
    var next = rows.isEmpty ? nil : entry(rows.lowerBound)
    while let entry = next, known.count < rows.count {
      known.append(entry)
      next = following(entry)
    }
  }

  private func following(_ entry: Entry) -> Entry? {
    if let open = entry.open, open.count > 0 { return makeEntry(open, 0) }
    var branch = entry.branch
    var index = entry.index + 1
    while index >= branch.count {
      guard let parent = branch.parent else { return nil }
      index = branch.index + 1
      branch = parent
    }
    return makeEntry(branch, index)
  }

  private func makeEntry(_ branch: TreeBranch, _ index: Int) -> Entry {
    Entry(
      branch: branch, index: index, open: branch.openChild(at: index),
      element: branch.list?.row(index) ?? .null)
  }

  func index(of value: Value) -> Int? {
    if value == .null { return nil }
    var next = count > 0 ? makeEntry(top, 0) : nil
    var row = 0
    while let entry = next {
      if Self.object(of: entry.element) == value { return row }
      next = following(entry)
      row += 1
    }
    return nil
  }

  /// The row of an element; a visible one is found at once.
  func row(of element: Value) -> Int? {
    known.firstIndex { $0.element == element }.map { knownStart + $0 } ?? index(of: element)
  }

  /// The parent row of a row; nil for a row at the top level.
  func parent(of row: Int) -> Int? {
    guard let branch = entry(row)?.branch, branch.parent != nil else { return nil }
    return branch.firstRow - 1
  }

  /// The object of a row's element: for a controller's node its object, otherwise the element
  /// itself.
  static func object(of element: Value) -> Value {
    if case .object(let node as TreeNode) = element { node.object } else { element }
  }

  /// Whether a row can be expanded; the read is tracked.
  func hasChildren(_ entry: Entry) -> Bool { (childrenOf(entry.element)?.count ?? 0) > 0 }

  // MARK: Opening and closing

  /// Expands or collapses a row; returns whether that changed anything.
  @discardableResult
  func setOpen(_ isOpen: Bool, row: Int) -> Bool {
    guard let entry = entry(row), isOpen == (entry.open == nil) else { return false }
    if let open = entry.open {
      marks.remove(Self.object(of: open.element))
      close(open)
    } else {
      guard graph.untracked({ childrenOf(entry.element) }) != nil else { return false }
      marks.insert(Self.object(of: entry.element))
      open(entry.branch, entry.index)
    }
    deliver()
    return true
  }

  /// Expands a row and all its descendants, visiting at most `limit` rows.
  func openAll(row: Int, limit: Int = 1_000_000) {
    guard let entry = entry(row) else { return }
    var waiting = [(entry.branch, entry.index)]
    var looked = 0
    // Rows that exceed the turn's time budget stay collapsed.
    while let (branch, index) = waiting.popLast(), looked < limit, !WorkBudget.isOver {
      looked += 1
      let element = branch.list?.row(index) ?? .null
      var child = branch.openChild(at: index)
      if child == nil {
        guard !isOpenSomewhere(element),
          graph.untracked({ (childrenOf(element)?.count ?? 0) > 0 })
        else { continue }
        marks.insert(Self.object(of: element))
        child = open(branch, index)
      }
      guard let child else { continue }
      for index in (0..<min(child.count, limit)).reversed() { waiting.append((child, index)) }
    }
    deliver()
  }

  @discardableResult
  private func open(_ branch: TreeBranch, _ index: Int) -> TreeBranch? {
    let element = branch.list?.row(index) ?? .null
    let child = TreeBranch(element, below: branch, at: index)
    known = []
    openCount += 1
    if case .object(let object) = Self.object(of: element) {
      openObjects.insert(ObjectIdentifier(object))
    }
    branch.attach(child)
    // The first run adopts the list; later runs observe the property that holds it.
    let wasBatchingEdits = isBatchingEdits
    isBatchingEdits = true
    defer { isBatchingEdits = wasBatchingEdits }
    child.effect = graph.effect { [unowned self, unowned child] in
      let list = childrenOf(child.element)
      graph.untracked {
        adopt(list, by: child)
        if !isBatchingEdits { deliver() }
      }
    }
    return child
  }

  func close(_ branch: TreeBranch) {
    guard let parent = branch.parent else { return }
    known = []
    let first = branch.firstRow
    let rows = branch.rowCount
    parent.detach(branch)
    forget(branch)
    if rows > 0 { note(.removal(first..<first + rows)) }
  }

  /// Updates the state for a branch that is removed with its descendants.
  private func forget(_ branch: TreeBranch) {
    var doomed = [branch]
    while let gone = doomed.popLast() {
      openCount -= 1
      if case .object(let object) = Self.object(of: gone.element) {
        openObjects.remove(ObjectIdentifier(object))
      }
      doomed += gone.open
    }
    branch.dismantle()
  }

  private func isOpenSomewhere(_ element: Value) -> Bool {
    guard case .object(let object) = Self.object(of: element) else { return false }
    return openObjects.contains(ObjectIdentifier(object))
  }

  /// Expands again the children in a range, and their descendants, that were expanded before.
  func reopen(_ branch: TreeBranch, _ range: Range<Int>) {
    var waiting = [(branch, range)]
    while let (branch, range) = waiting.popLast() {
      if marks.count <= openCount { return }
      for index in range {
        guard let element = branch.list?.row(index), marks.contains(Self.object(of: element)),
          !isOpenSomewhere(element), graph.untracked({ childrenOf(element) }) != nil
        else { continue }
        isReopening = true
        let child = open(branch, index)
        isReopening = false
        if let child { waiting.append((child, 0..<child.count)) }
      }
    }
  }

  /// Set while `reopen` expands a row: its work list handles the descendants, without recursion.
  private(set) var isReopening = false
  /// Edits are delivered after the expansion is complete.
  var isBatchingEdits = false
}

/// The expanded objects, held weakly.
struct OpenMarks {
  private var marks: [ObjectIdentifier: Mark] = [:]
  private var limit = 64

  private final class Mark {
    weak var object: AnyObject?
    init(_ object: AnyObject) { self.object = object }
  }

  var count: Int { marks.count }

  mutating func insert(_ value: Value) {
    guard case .object(let object) = value else { return }
    marks[ObjectIdentifier(object)] = Mark(object)
    if marks.count < limit { return }
    // Entries of deallocated objects are removed from time to time.
    marks = marks.filter { $0.value.object != nil }
    limit = max(64, 2 * marks.count)
  }

  mutating func remove(_ value: Value) {
    guard case .object(let object) = value else { return }
    marks[ObjectIdentifier(object)] = nil
  }

  func contains(_ value: Value) -> Bool {
    guard case .object(let object) = value else { return false }
    return marks[ObjectIdentifier(object)]?.object === object
  }
}
