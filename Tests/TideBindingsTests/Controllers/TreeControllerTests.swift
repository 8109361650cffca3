import Fuzzing
import Testing
import TideGraph

@testable import TideBindings

@Suite struct TreeControllerTests {
  final class Folder: DataObject {
    @Property var name = ""
    @Property var folders = ObservableList<Folder>()

    convenience init(_ name: String, _ folders: Folder...) {
      self.init()
      self.name = name
      self.folders = ObservableList(folders)
    }
  }

  private let root = ObservableList<Folder>([
    Folder("a", Folder("a1"), Folder("a2", Folder("a2x"))), Folder("b"),
  ])

  @Test func `nodes follow the children, and the selection its node`() throws {
    let controller = TreeController(root.values, childrenPath: "folders")
    #expect(controller.selectionIndexPath == [0])
    controller.selectionIndexPath = [0, 1, 0]
    #expect(controller.selection["name"] == "a2x")
    try root[0]?.folders.insert(Folder("a0"), at: 0)
    #expect(controller.selectionIndexPath == [0, 2, 0])
    root[0]?.folders[2]?.folders = []
    #expect(controller.selection["name"] == "a2")
    root[0]?.folders.removeAll()
    #expect(controller.selection["name"] == "a")
    root.removeAll()
    #expect(controller.selectionIndexPath == nil)
    #expect(controller.selection["name"] == Marker.noSelection.value)
  }

  @Test func `children are added, inserted and removed where the selection is`() throws {
    let controller = TreeController(root.values, childrenPath: "folders")
    controller.selectionIndexPath = [1]
    #expect(controller["canAddChild"] == true)
    try controller.addChild(Folder("b1").makeValue())
    #expect(controller.selectionIndexPath == [1, 0])
    try controller.insert(Folder("b0").makeValue())
    #expect(root[1]?.folders.elements.map(\.name) == ["b0", "b1"])
    try controller.insert(Folder("top").makeValue(), at: [0])
    #expect(root[0]?.name == "top")
    try controller.remove(at: [2, 1])
    #expect(root[2]?.folders.count == 1)
    try controller.select(paths: [[0], [2]])
    #expect(controller.selectedObjects.count == 2)
    try controller.removeSelection()
    #expect(root.count == 1)
    #expect(throws: TideError.self) { try controller.remove(at: [8]) }
    #expect(throws: TideError.self) { try controller.insert(1, at: [8, 0]) }
  }

  @Test func `nodes know their place, and an order holds at every level`() throws {
    let controller = TreeController(root.values, childrenPath: "folders")
    controller.sort = try .key("name", ascending: false)
    let node = try #require(controller.node(at: [1, 0]))
    #expect(node["level"] == 2 && node["isLeaf"] == false && node["count"] == 1)
    #expect(node.parent?.indexPath == [1])
    #expect(controller.node(of: node.object) === node)
    try controller.set("leafPath", "name")
    #expect(node["isLeaf"] == false)
    #expect(throws: TideError.self) { try controller.set("childrenPath", "a..b") }
  }

  @Test func `a path that leads nowhere from any row is found`() throws {
    let controller = TreeController(root.values, childrenPath: "foldrs")
    let error = #expect(throws: TideError.self) { try controller.checkPaths() }
    #expect(error?.code == .unknownProperty)
    #expect(error?.message.hasSuffix("did you mean \"folders\"?") == true)
    try controller.set("childrenPath", "folders")
    try controller.checkPaths()
    try controller.set("leafPath", "nme")
    #expect(throws: TideError.self) { try controller.checkPaths() }
    // Without rows nothing can be told.
    root.removeAll()
    try controller.checkPaths()
  }

  @Test func `selected nodes are found where others have come before them`() throws {
    let list = ObservableList((0..<50).map { Folder("\($0)") })
    let controller = TreeController(list.values, childrenPath: "folders")
    try controller.select(paths: [[7], [20], [49]])
    for count in 1...30 {
      try list.insert(Folder("new"), at: 0)
      #expect(controller.selectionIndexPaths == [[7 + count], [20 + count], [49 + count]])
    }
    // Far from where each stood, in either direction.
    try list.values.move(from: 79, to: 0)
    try list.values.insert(
      contentsOf: (0..<5).map { Folder("other \($0)").makeValue() }, at: 0)
    #expect(controller.selectionIndexPaths == [[5 + 38], [5 + 51], [5]])
    list.removeAll()
    #expect(controller.selectionIndexPaths == [])
  }

  @Test func `random edits leave the selection with its folder, or near it`() throws {
    var random = SeededGenerator("tree controller")
    let list = ObservableList<Folder>()
    let controller = TreeController(list.values, childrenPath: "folders")
    var all: [(folder: Folder, home: ObservableList<Folder>)] = []
    for number in 0..<300 {
      let homes = [list] + all.map(\.folder.folders)
      if all.count < 3 || Int.random(in: 0..<3, using: &random) > 0 {
        let home = homes[Int.random(in: 0..<homes.count, using: &random)]
        let folder = Folder("f\(number)")
        try home.insert(folder, at: Int.random(in: 0...home.count, using: &random))
        all.append((folder, home))
      } else {
        let gone = all[Int.random(in: 0..<all.count, using: &random)]
        gone.home.remove(gone.folder)
        all = all.filter { isInside($0.folder, list) }
      }
      if Bool.random(using: &random), let wanted = all.randomElement(using: &random) {
        try controller.select(objects: [wanted.folder.makeValue()])
        #expect(controller.selectedObjects == [wanted.folder.makeValue()])
      }
      #expect(controller.selectedObjects.isEmpty == all.isEmpty)
      if all.isEmpty { continue }
      let path = try #require(controller.selectionIndexPath)
      #expect(controller.node(at: path)?.object == controller.selectedObjects.first)
    }
  }

  private func isInside(_ folder: Folder, _ list: ObservableList<Folder>) -> Bool {
    list.elements.contains { $0 === folder || isInside(folder, $0.folders) }
  }
}
