import TideSystem
import TideViews

/// An act of a person in a page, as its script sends it: `[number, message, kind, view, …]`.
///
/// It applies to what the page showed after it had received that message. Without a message number
/// it applies to the current state.
///
/// No event names a property, a path or a function, so a page can do only what its views offer.
struct PageEvent {
  /// Counts from 1 in a session. An event with an earlier number is not handled again.
  let number: Int
  let message: Int?
  var view: Int
  let kind: Kind
  /// The cells of the rows that it names, in the same order; 0 for a row without a cell in the
  /// page.
  private(set) var cells: [Int] = []
  /// For a dragged row, the message that the page had received when the row was pressed. Until the
  /// drag ends, the cell may show another row.
  private(set) var pressMessage: Int?
  /// The title of a chosen item.
  private(set) var title: String?

  enum Kind {
    case action(ViewAction)
    case edit(PageEdit)
    /// Text that the page held when the app restarted and that was not stored, with the name of its
    /// draft from the app.
    case draft(String, name: String?)
    case key(Key)
    /// The mouse moves without a button over a view, named by its number, or by 0 if none handles
    /// it.
    case hover(over: Int, PointerPosition?)
    /// A context menu is requested: by the mouse or a finger, or without a position by the
    /// keyboard.
    case menu(PointerPosition?)
    case focus
    /// The person prints whole tables.
    case print
    /// The person picks the view for an inspector; number 0 picks none.
    case pick
    /// The rows that the page needs.
    case rows(Range<Int>)
    case size(Size)
    /// A view was scrolled, to an offset in cells.
    case scroll(Point)

    /// Whether the event shows that a person has stopped typing.
    var endsTyping: Bool {
      switch self {
      case .action, .key, .menu, .focus: true
      default: false
      }
    }
  }

  /// Whether the event is an act of a person rather than a request of the page itself, such as one
  /// for rows.
  var isAct: Bool {
    switch kind {
    case .rows, .size, .hover: false
    // Without a view, a page that was suspended checks whether the server still answers.
    case .scroll: view != 0
    default: true
    }
  }

  /// Whether the event presses or changes a control, or asks for a context menu.
  var isPress: Bool {
    switch kind {
    case .action, .menu: true
    default: false
    }
  }

  /// Why a valid event is refused, in the words that its page shows.
  enum Excess: String, Error, CaseIterable {
    case rows = "The app does not give so many rows at once."
    case levels = "The app takes nothing from a menu as deep as that."
    case key = "The app does not know that key."
    case number = "The app does not know where that was."
  }

  /// An event that is refused because it exceeds a limit.
  struct Refusal: Error {
    let number: Int
    let view: Int
    let reason: Excess
  }

  /// Reads an event.
  ///
  /// - Throws: `Refusal` for an event beyond a limit, `WireFault` for a message that no page sends.
  init(_ bytes: [UInt8]) throws {
    var reader = try WireReader(bytes)
    let number = try reader.integer()
    message = reader.isAtInteger ? try reader.integer() : nil
    let name = try reader.string()
    view = try reader.integer()
    guard number > 0, view >= 0, message ?? 0 >= 0 else { throw WireFault() }
    self.number = number
    do { kind = try Self.kind(name, &reader) } catch let excess as Excess {
      throw Refusal(number: number, view: view, reason: excess)
    }
    if name == "choose", !reader.isAtEnd { title = try reader.string() }
    while cells.count < Self.rows[name] ?? 0, !reader.isAtEnd {
      let cell = try reader.integer()
      if cell < 0 { throw WireFault() }
      cells.append(cell)
    }
    if name == "move", cells.count == 2, !reader.isAtEnd {
      let message = try reader.integer()
      if message < 0 { throw WireFault() }
      pressMessage = message
    }
    try reader.end()
  }

  /// The number of rows that each event of rows names.
  private static let rows = [
    "select": 1, "open": 1, "expand": 1, "delete": 1, "move": 2,
  ]

  private static func kind(_ name: String, _ reader: inout WireReader) throws -> Kind {
    switch name {
    case "press": return .action(.press)
    case "edit":
      let (start, removed) = (try reader.integer(), try reader.integer())
      guard start >= 0, removed >= 0 else { throw WireFault() }
      return .edit(PageEdit(start: start, removed: removed, added: try reader.string()))
    case "draft":
      let text = try reader.string()
      return .draft(text, name: reader.isAtEnd ? nil : try reader.optionalString())
    case "date": return .action(.setDate(try reader.string()))
    case "scroll": return .scroll(Point(x: try reader.cells(), y: try reader.cells()))
    case "value": return .action(.setValue(try reader.double()))
    case "choose": return .action(.choose(try reader.integer()))
    case "select": return .action(.select(row: try reader.integer(), try reader.modifiers()))
    case "open": return .action(.open(row: try reader.integer()))
    case "expand":
      let row = try reader.integer()
      return .action(.setOpen(try reader.boolean(), row: row))
    case "rows":
      let (first, count) = (try reader.integer(), try reader.integer())
      guard first >= 0, (0...PageLimits.rows).contains(count), first < Int.max - count else {
        throw Excess.rows
      }
      return .rows(first..<first + count)
    case "sort": return .action(.sort(column: try reader.integer()))
    case "move":
      let row = try reader.integer()
      return .action(.move(row: row, to: try reader.integer()))
    case "delete": return .action(.delete(row: try reader.integer()))
    case "menu": return .action(.pick(try reader.integers(atMost: PageLimits.levels)))
    case "context": return .menu(reader.isAtEnd ? nil : try reader.position())
    case "key":
      let name = try reader.string()
      guard let key = try? Key(name) else { throw Excess.key }
      return .key(key)
    case "submit": return .key(Key(.enter))
    case "step": return .key(try key(ofStep: try reader.integer()))
    case "focus": return .focus
    case "print": return .print
    case "pick": return .pick
    case "click": return .action(.click(count: 1, at: try reader.position()))
    case "double": return .action(.click(count: 2, at: try reader.position()))
    case "hover":
      let id = try reader.integer()
      return .hover(over: id, reader.isAtEnd ? nil : try reader.position())
    case "close": return .action(.close)
    case "size":
      let (width, height) = (try reader.integer(), try reader.integer())
      return .size(
        Size(
          width: max(0, min(width, Self.mostCells.width)),
          height: max(0, min(height, Self.mostCells.height))))
    default: throw WireFault()
    }
  }

  /// More than a screen of 8000 pixels has.
  private static let mostCells = Size(width: 1000, height: 400)

  private static func key(ofStep step: Int) throws -> Key {
    switch step {
    case 1: Key(.up)
    case -1: Key(.down)
    case 10: Key(.pageUp)
    case -10: Key(.pageDown)
    default: throw WireFault()
    }
  }
}

/// A message that no page of this server sends.
struct WireFault: Error {}

/// Reads a flat array of JSON, element by element.
struct WireReader {
  private var tokens: [Item] = []
  private var index = 0

  private enum Item {
    case integer(Int)
    case number(Double)
    case string(String)
    case boolean(Bool)
    case integers([Int])
    /// A page without a layout sends null for a number that it cannot compute.
    case null
  }

  /// - Throws: `WireFault` if it is not an array of plain values.
  init(_ bytes: [UInt8]) throws {
    let items = try bytes.withUnsafeBufferPointer { bytes in
      var json = JSONScanner(bytes, levels: 3)
      guard try Self.next(&json) == .beginArray else { throw WireFault() }
      var items: [Item] = []
      while true {
        switch try Self.next(&json) {
        case .integer(let number): items.append(.integer(number))
        case .number(let number): items.append(.number(number))
        case .string: items.append(.string(json.text))
        case .boolean(let flag): items.append(.boolean(flag))
        case .null: items.append(.null)
        case .beginArray: items.append(.integers(try Self.integers(&json)))
        case .endArray:
          guard try Self.next(&json) == .end else { throw WireFault() }
          return items
        default: throw WireFault()
        }
        if items.count > 9 { throw WireFault() }
      }
    }
    tokens = items
  }

  private static func next(_ json: inout JSONScanner) throws -> JSONScanner.Token {
    while true {
      let token = try json.next()
      if token != .pause { return token }
    }
  }

  private static func integers(_ json: inout JSONScanner) throws -> [Int] {
    var numbers: [Int] = []
    while true {
      switch try next(&json) {
      case .integer(let number) where numbers.count < 100: numbers.append(number)
      case .endArray: return numbers
      default: throw WireFault()
      }
    }
  }

  private mutating func item() throws -> Item {
    guard index < tokens.count else { throw WireFault() }
    defer { index += 1 }
    return tokens[index]
  }

  mutating func integer() throws -> Int {
    switch try item() {
    case .integer(let number): return number
    case .null: throw PageEvent.Excess.number
    default: throw WireFault()
    }
  }

  mutating func double() throws -> Double {
    switch try item() {
    case .integer(let number): return Double(number)
    case .number(let number): return number
    case .null: throw PageEvent.Excess.number
    default: throw WireFault()
    }
  }

  mutating func string() throws -> String {
    guard case .string(let text) = try item() else { throw WireFault() }
    return text
  }

  mutating func optionalString() throws -> String? {
    switch try item() {
    case .string(let text): return text
    case .null: return nil
    default: throw WireFault()
    }
  }

  mutating func boolean() throws -> Bool {
    guard case .boolean(let flag) = try item() else { throw WireFault() }
    return flag
  }

  mutating func integers(atMost limit: Int) throws -> [Int] {
    guard case .integers(let numbers) = try item() else { throw WireFault() }
    if numbers.count > limit { throw PageEvent.Excess.levels }
    return numbers
  }

  mutating func modifiers() throws -> Key.Modifiers {
    switch try string() {
    case "": []
    case "shift": .shift
    case "ctrl": .control
    default: throw WireFault()
    }
  }

  /// A position in cells from the corner of the view, with the modifiers as bits of
  /// `Key.Modifiers`.
  mutating func position() throws -> PointerPosition {
    let point = Point(x: try integer(), y: try integer())
    guard let held = UInt8(exactly: try integer()), held < 8 else { throw WireFault() }
    return PointerPosition(point, Key.Modifiers(rawValue: held))
  }

  /// An offset, which is negative while a finger pulls beyond the edge.
  mutating func cells() throws -> Int { max(0, min(try integer(), PageLimits.cells)) }

  var isAtEnd: Bool { index == tokens.count }

  var isAtInteger: Bool { if !isAtEnd, case .integer = tokens[index] { true } else { false } }

  func end() throws { if !isAtEnd { throw WireFault() } }
}
