import TideBindings
import TideGraph
import TideViews

/// The state of a view as it was last sent to pages: its number, its properties, and its children.
final class PageElement {
  let id: Int
  private(set) weak var view: View?
  private(set) var pageClass: PageClass
  /// By name, as JSON.
  private(set) var properties: [String: String] = [:]
  private(set) var children: [PageElement] = []
  /// Of a view of rows.
  private(set) var rows: Rows?
  /// The picture that it shows.
  var picture: (any ShownPicture)?
  unowned(unsafe) var parent: PageElement?

  struct Rows: Equatable {
    var count = 0
    var cells: [Cell] = []

    struct Cell: Equatable {
      let row: Int
      let element: Int
    }
  }

  init(_ id: Int, _ view: View, _ pageClass: PageClass) {
    self.id = id
    self.view = view
    self.pageClass = pageClass
  }

  /// Stands for another view from now on, which has taken the other one's place.
  func show(_ view: View, _ pageClass: PageClass) {
    self.view = view
    self.pageClass = pageClass
  }

  /// Takes over what the view's properties are now; gives those that have changed, in the order of
  /// their names, with null for the ones that are as the page takes them without a word.
  func update(_ described: [(name: String, json: String)]) -> [(name: String, json: String)] {
    var new: [String: String] = [:]
    var changed: [(name: String, json: String)] = []
    for (name, json) in described {
      new[name] = json
      if properties[name] != json { changed.append((name, json)) }
    }
    for name in properties.keys where new[name] == nil { changed.append((name, "null")) }
    properties = new
    return changed
  }

  /// The text of a label that has nothing else, as JSON.
  var textAlone: String? {
    guard pageClass.name == "label", properties.count == 1, children.isEmpty else { return nil }
    return properties["text"].flatMap { $0.hasPrefix("\"") ? $0 : nil }
  }

  /// Whether this is a cell with nothing but the elements in it.
  var hasElementsAlone: Bool {
    pageClass.name == "cell" && properties.isEmpty && rows == nil && !children.isEmpty
  }

  /// Whether this is a cell with nothing but texts, which pages have as they were made.
  var holdsTextsAlone: Bool {
    hasElementsAlone
      && children.enumerated().allSatisfy { $1.id == id + 1 + $0 && $1.textAlone != nil }
  }

  var isLabelInCell: Bool { pageClass.name == "label" && parent?.pageClass.name == "cell" }

  func setChildren(_ elements: [PageElement]) {
    children = elements
    for element in elements { element.parent = self }
  }

  func setRows(_ rows: Rows?) { self.rows = rows }
}
