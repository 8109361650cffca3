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
  /// The rows of a list or table.
  private(set) var rows: Rows?
  /// The picture that it shows.
  var picture: (any ShownPicture)?
  unowned(unsafe) var parent: PageElement?
  /// The person who alone sees this dialog; nil for all. Other people's pages receive the dialog
  /// without content.
  var owner: ScenePerson?
  /// The records that a control has shown.
  var records = ShownHistory<PageRecord>()
  /// The number of different records.
  var recordCount = 0
  /// For a control in a row, the row's object at the last check.
  var rowObject: RowObject?
  /// Whether its content has changed since it was last sent to pages.
  var isStale = false
  /// The name of its draft; nil for none.
  var draft: String?
  /// Whether another view has replaced the one whose record is stored.
  var isOfOtherView = false
  /// For a cell, the objects of the rows that it has shown.
  var objects = ShownHistory<RowObject>()
  /// For a list or table, its selections and the viewers who made them.
  var selections = ShownHistory<(object: RowObject, viewer: ObjectIdentifier?)>()
  /// For a field, the text that was last sent to pages.
  private var sentText: String?

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

  /// Makes the element represent another view, which has replaced the former one.
  func show(_ view: View, _ pageClass: PageClass) {
    self.view = view
    self.pageClass = pageClass
    isOfOtherView = true
  }

  var isCell: Bool { pageClass.name == "cell" }

  /// Whether a person can enter something in it.
  var isControl: Bool { Self.controls.contains(pageClass.name) }

  /// Whether the tree records what the element shows.
  var isFollowed: Bool { isControl || isCell || Self.rows.contains(pageClass.name) }

  private static let controls: Set<String> = [
    "field", "textArea", "numberField", "datePicker", "toggle", "checkbox", "slider", "stepper",
    "picker", "radio",
  ]
  private static let rows: Set<String> = ["list", "table", "tree", "collection"]

  /// Whether a person's pages receive its content; nil stands for people who own no dialog.
  func isSent(to reader: ScenePerson?) -> Bool {
    var element: PageElement? = self
    while let each = element {
      if let owner = each.owner, owner !== reader { return false }
      element = each.parent
    }
    return true
  }

  /// The current owner of a dialog; nil if all people may see it.
  ///
  /// A closed dialog belongs to its last person until it is shown again, because it still contains
  /// what they entered.
  var presentOwner: ScenePerson? {
    guard let dialog = view as? DialogView else { return owner }
    return dialog.person ?? (dialog.isOpen ? nil : owner)
  }

  /// The change of a text since it was last sent to pages; nil if the whole text is shorter, or
  /// there is none.
  func takeTextDifference() -> TextDifference? {
    guard let text = records.present?.text?.text else { return nil }
    if isSecret {
      sentText = nil
      return nil
    }
    let former = sentText
    sentText = text
    guard let former, let difference = TextDifference(from: former, to: text),
      difference.added.utf8.count + Self.wordsOfDifference < text.utf8.count
    else { return nil }
    return difference
  }

  private static let wordsOfDifference = 20

  /// Adopts the view's current properties, and returns those that have changed. A property that is
  /// back at its default is null.
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

  /// Whether pages are sent bullets in place of its text.
  var isSecret: Bool { properties["secure"] == "true" }

  /// The text of a label that has nothing else, as JSON.
  var textAlone: String? {
    guard pageClass.name == "label", properties.count == 1, children.isEmpty else { return nil }
    return properties["text"].flatMap { $0.hasPrefix("\"") ? $0 : nil }
  }

  /// Whether this is a cell with nothing but the elements in it.
  var hasElementsAlone: Bool {
    pageClass.name == "cell" && properties.isEmpty && rows == nil && !children.isEmpty
  }

  /// Whether this is a cell with nothing but labels, which are numbered consecutively from the
  /// cell's number on.
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
