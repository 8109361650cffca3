public import TideGraph

/// Stands between a tree of models and views: manages the nodes and the selection.
///
/// ```swift
/// let folders = TreeController(root, childrenPath: "folders")
/// folders.selectionIndexPath = [1, 0]          // the first child of the second node
/// try folders.insertChild(.object(folder))
/// ```
///
/// The content is a list of objects, or a single object at the top. Each object's children are the
/// list at `childrenPath`; the nodes follow edits of that list and its replacement. The selection
/// stays with its nodes while others are inserted, removed and moved. Nodes are made on demand.
public final class TreeController: ObjectController {
  /// The selected nodes when the selection was last settled.
  var selectedNodesNow: [TreeNode] = []
  var isEmptyOnPurpose = false
  /// Whether anything was selected explicitly since then.
  var isTouched = false
  /// The index path of the first selected node when the selection was last settled.
  var lastPath: [Int] = []
  /// The path hash of each selected node when the selection was last settled.
  var shownPathHashes: [Int] = []
  var selectedIdentities: Set<ObjectIdentifier> = []
  /// The content and the order when the selection was settled last.
  var arrangedBy: (content: Value, sort: Value) = (.null, .null)

  /// The lists behind `selectedObjects` and `selectedNodes`.
  private(set) var selectedObjectList: ComputedList?
  private(set) var selectedNodeList: ComputedList?

  private var pathCheck = RowPathCheck()
  /// The script locations that have set the paths, by property.
  var pathLocations: [String: SourceLocation] = [:]

  /// Makes a controller of an object. The path leads from each object to its children.
  public init(_ content: DataObject? = nil, childrenPath: String = "children") {
    super.init(shape: Self.treeShape)
    put("arrangedObjects", .object(makeNodes(below: nil)))
    let handle = ObjectHandle(self)
    func list(_ values: @escaping (TreeController) -> [Value]) -> ComputedList {
      ComputedList { (handle.object as? TreeController).map(values) ?? [] }
    }
    selectedObjectList = list { $0.selectedValues }
    selectedNodeList = list { $0.selectedNodes.map { .object($0) } }
    graph.derive(slot(.state), by: StateBody(self))
    followState()
    put("childrenPath", .string(childrenPath))
    if let content { put("content", .object(content)) }
  }

  // MARK: Reload

  override func takeSelection(of former: Controller) -> Bool {
    guard let former = former as? TreeController else { return true }
    takeRecordEdits(of: former)
    let wanted = former.selectedNodes
    if wanted.isEmpty && !former.isEmptyOnPurpose {
      takeHeldEdits(of: former)
      return true
    }
    if arrangedObjects.count == 0 && !wanted.isEmpty { return false }
    let found = wanted.compactMap { old -> TreeNode? in
      // The node at the same index path is preferred to another node of the object.
      let there = old.indexPath.flatMap { node(at: $0) }
      if let there, there.object == old.object { return there }
      return (try? nodes(of: [old.object]))?.first ?? there
    }
    if found.isEmpty && !wanted.isEmpty { return true }
    selectedNodesNow = found
    isEmptyOnPurpose = found.isEmpty
    isTouched = true
    bump(.command)
    takeHeldEdits(of: former)
    return true
  }

  override func selectionKeeper() -> () -> Void {
    let selected = graph.untracked { selectedNodes.map { ($0.indexPath ?? [], $0.object) } }
    let isOnPurpose = isEmptyOnPurpose
    return { [weak self] in
      guard let self else { return }
      let nodes = graph.untracked {
        selected.compactMap { path, object in
          self.node(at: path).flatMap { $0.object == object ? $0 : nil }
        }
      }
      guard nodes.count == selected.count,
        !nodes.elementsEqual(graph.untracked({ selectedNodes }), by: ===)
      else { return }
      selectedNodesNow = nodes
      isEmptyOnPurpose = isOnPurpose
      isTouched = true
      bump(.command)
    }
  }

  // MARK: Nodes

  /// The nodes at the top. This is always the same list.
  public var arrangedObjects: ValueList {
    if case .object(let list as ValueList) = self["arrangedObjects"] { return list }
    return ValueList()
  }

  /// Sorts the children of every node.
  public var sort: Ordering? {
    get { try? Ordering(self["sort"], in: .of(graph)) }
    set { put("sort", newValue.map { .object(Arrangement(.order($0))) } ?? .null) }
  }

  func makeNodes(below parent: TreeNode?) -> ValueList {
    let owner = ObjectHandle(self)
    let parentHandle = parent.map { ObjectHandle($0) }
    var known: (list: ObjectIdentifier, sort: Value, sorted: ValueList)?
    weak var following: FollowingList?
    let objects = FollowingList {
      guard let controller = owner.object as? TreeController else { return nil }
      if let parentHandle, parentHandle.object == nil { return nil }
      let node = parentHandle?.object as? TreeNode
      let list = parentHandle == nil ? controller.topList() : node?.childList
      guard let list else { return nil }
      let sort = controller["sort"]
      following?.holdsEditedRows = controller["holdsEditedRow"] == true
      if let known, known.list == ObjectIdentifier(list), known.sort == sort { return known.sorted }
      let order = try? Ordering(sort, in: .of(controller.graph))
      let sorted = order?.sorted(list) ?? list
      known = (ObjectIdentifier(list), sort, sorted)
      return sorted
    }
    objects.controller = owner
    following = objects
    return objects.map { object in
      guard let controller = owner.object as? TreeController else { return .null }
      return .object(
        TreeNode(object, of: controller, below: parentHandle?.object as? TreeNode))
    }
  }

  /// The content's list, or a list of the single object.
  func topList() -> ValueList? {
    switch contentValue {
    case .object(let list as ValueList): return list
    case .object(let object as DataObject):
      if let single, single.object === object { return single.list }
      let list = ValueList([.object(object)])
      single = (object, list)
      return list
    default: return nil
    }
  }

  private var single: (object: DataObject, list: ValueList)?

  func path(_ property: String) -> [PathStep]? {
    guard case .string(let text) = self[property] else { return nil }
    return try? Path(text).steps
  }

  func read(_ steps: [PathStep], of object: Value) throws -> Value {
    guard case .object(let object as DataObject) = object else { return .null }
    return try PathReader.read(steps[...], from: object).value
  }

  /// The list of an object's children; nil if it has none.
  func findChildren(of object: Value) throws -> ValueList? {
    guard let steps = path("childrenPath"), case .object(let object as DataObject) = object else {
      return nil
    }
    return try ChildrenPath.read(steps, of: object)
  }

  /// Like `findChildren(of:)`, but nil for an error, which the object's nodes list.
  func childList(of object: Value) -> ValueList? { try? findChildren(of: object) }

  /// Throws if one of the paths begins with a property that no row at the top has, with the script
  /// location that has set the path. Records its reads.
  package func checkPaths() throws {
    guard let rows = topList() else { return }
    // A copy, because reading the rows may run a script's functions.
    var check = pathCheck
    defer { pathCheck = check }
    for option in ["childrenPath", "countPath", "leafPath"] {
      guard case .string(let path) = self[option] else { continue }
      do {
        let isGiven = option != "childrenPath" || path != "children"
        try check.check(path, givenAs: option, of: rows, isGiven: isGiven)
      } catch var error as TideError {
        error.location = pathLocations[option]
        throw error
      }
    }
  }

  /// The node at an index path, from 0.
  public func node(at path: [Int]) -> TreeNode? {
    var list = arrangedObjects
    var found: TreeNode?
    for index in path {
      guard case .object(let node as TreeNode)? = list[index] else { return nil }
      found = node
      list = node.children
    }
    return found
  }

  /// The first node of an object, searched level by level; nil if there is none, or if the running
  /// turn has no time or memory left.
  public func node(of object: Value) -> TreeNode? { try? find(object) }

  /// Like `node(of:)`, but throws if the search was given up.
  package func find(_ object: Value) throws(TideError) -> TreeNode? {
    var found: TreeNode?
    try search { node in
      if node.object == object { found = node }
      return found == nil
    }
    return found
  }

  /// The first nodes of some objects, in the order of the objects; those without one are left out.
  private func find(_ objects: [Value]) throws(TideError) -> [TreeNode] {
    if objects.count == 1 { return try find(objects[0]).map { [$0] } ?? [] }
    var wanted = Set(objects.map(ContentKey.init))
    var found: [ContentKey: TreeNode] = [:]
    try search { node in
      let key = ContentKey(node.object)
      if wanted.remove(key) != nil { found[key] = node }
      return !wanted.isEmpty
    }
    return objects.compactMap { found[ContentKey($0)] }
  }

  package func nodes(of objects: [Value]) throws(TideError) -> [TreeNode] {
    objects.isEmpty ? [] : try find(objects)
  }

  /// Visits the tree level by level until the function returns false.
  ///
  /// An object that appears several times has the same children each time. Only its first node is
  /// expanded, so that the search of a tree that contains itself ends.
  private func search(_ visit: (TreeNode) -> Bool) throws(TideError) {
    var queue = arrangedObjects.values
    var next = 0
    var known: Set<ContentKey> = []
    do throws(WorkError) {
      while next < queue.count {
        let element = queue[next]
        next += 1
        guard case .object(let node as TreeNode) = element else { continue }
        if !visit(node) { return }
        try WorkBudget.checkTime()
        guard known.insert(ContentKey(node.object)).inserted else { continue }
        try WorkBudget.admit(bytes: TreeNode.weight * max(1, node.count(limit: 1 << 20)))
        queue += node.children.values
      }
    } catch {
      throw TideError(error)
    }
  }

  override func hasObject(_ matches: (Value) -> Bool) -> Bool {
    var isFound = false
    do {
      try search { node in
        isFound = matches(node.object)
        return !isFound
      }
    } catch {
      // The tree was not searched completely.
      return true
    }
    return isFound
  }

  // MARK: The selection

  override package var selectedValues: [Value] { selectedNodes.map(\.object) }
  override var prefersMarker: Bool { self["alwaysUsesMultipleValuesMarker"] == true }

  private final class StateBody: ComputedBody {
    private unowned(unsafe) let controller: TreeController

    init(_ controller: TreeController) { self.controller = controller }

    override func evaluate(_ slot: Slot) throws -> Bool {
      Graph.trackRead(of: controller.slot(.command))
      guard try controller.settleSelection() else { return false }
      if let history = BindingTable.of(controller.graph).selectionHistory {
        let nodes = controller.selectedNodesNow
        history.note(controller, isNew: Int.load(slot) == 0, count: nodes.count) { limit in
          nodes.prefix(limit).map(\.object)
        }
      }
      return Int.store(Int.load(slot) &+ 1, in: slot)
    }
  }

  // MARK: Permissions

  override var mayAdd: Bool { isEditable && topList()?.isReadOnly != true }
  override var mayRemove: Bool { isEditable && !selectedNodes.isEmpty }

  var mayAddChild: Bool {
    guard isEditable, let node = selectedNodes.first else { return false }
    return childList(of: node.object)?.isReadOnly == false
  }

  // MARK: Adding and removing

  /// Adds an object at the end of the top level.
  ///
  /// - Throws: `readOnly` when the controller or the list cannot be edited, and the error of a
  ///   pending edit that the model refuses.
  public override func add(_ object: Value) throws {
    try insert(object, into: nil, at: nil)
  }

  /// Removes the selected nodes' objects from their lists.
  ///
  /// - Throws: `readOnly` when the controller or a list cannot be edited.
  public override func removeSelection() throws {
    let nodes = graph.untracked { selectedNodes }
    BindingTable.of(graph).editedRecords?.willRemove(nodes.map(\.object))
    discardEditing()
    try graph.batch { try remove(nodes) }
  }

  /// Removes an object, with its children, from its list. Returns false if it is not in the tree.
  ///
  /// - Throws: `readOnly` when the controller or the list cannot be edited.
  @discardableResult
  public override func remove(_ object: Value) throws -> Bool {
    guard let node = try graph.untracked({ try find(object) }) else { return false }
    try remove(node)
    return true
  }
}
