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
  /// Of a dialog that one person sees alone, that person. Pages of others have it without content.
  var owner: ScenePerson?
  /// Of a control, the records that it has shown.
  var records = ShownHistory<PageRecord>()
  /// How many different ones these were.
  var recordCount = 0
  /// Of a control in a row, the row's object when that was looked at last.
  var rowObject: RowObject?
  /// It shows something else than pages know of.
  var isStale = false
  /// Another view has taken the place of the one whose record is known.
  var isOfOtherView = false
  /// Of a cell, the objects of the rows that it has shown.
  var objects = ShownHistory<RowObject>()
  /// Of a view of rows, what was selected, and who has selected it.
  var selections = ShownHistory<(object: RowObject, viewer: ObjectIdentifier?)>()
  /// Of a field, the text that pages were sent.
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

  /// Stands for another view from now on, which has taken the other one's place.
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

  /// Whether a reader's pages are sent what is in it: that of all others, if the reader is nil.
  func isSent(to reader: ScenePerson?) -> Bool {
    var element: PageElement? = self
    while let each = element {
      if let owner = each.owner, owner !== reader { return false }
      element = each.parent
    }
    return true
  }

  /// Whose the dialog is that the view is; nil for one that all may see.
  ///
  /// A dialog that is hidden or gone remains its last person's until it is shown again: what they
  /// entered there is still in it.
  var presentOwner: ScenePerson? {
    guard let dialog = view as? DialogView else { return owner }
    return dialog.person ?? (dialog.isOpen ? nil : owner)
  }

  /// What a text has come to since pages were sent it; nil where the whole text is shorter, or there
  /// is none.
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
