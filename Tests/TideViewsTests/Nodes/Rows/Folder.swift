import TideBindings
import TideGraph

/// A model that holds others of its kind.
final class Folder: DataObject {
  @Property var name = ""
  @Property var children = ObservableList<Folder>()

  init(_ name: String, _ children: [Folder] = []) {
    super.init()
    self.name = name
    if !children.isEmpty { self.children = ObservableList(children) }
  }
}
