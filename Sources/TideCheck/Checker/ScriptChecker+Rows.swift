import TideBindings
import TideScript
import TideViews

// Paths that begin at the rows of a list: columns, sort keys and group keys.
extension ScriptChecker {
  /// Checks the table from which a list or table view is created.
  func check(rowsOf name: String, _ fields: [LuaField]) {
    let rows = index.rows(of: fields).flatMap { inference.rows(of: $0) }
    if let path = fields["childrenPath"]?.string { check(rowPath: path, rows) }
    check(styles: fields["rowStyle"])
    check(readOnceInCell: fields["cell"])
    check(resultOf: fields["cell"], for: "cell")
    if let cell = fields["cell"], inference.viewClass(of: cell) != nil {
      report(
        .wrongType,
        "\(name).cell is a function that gives a view for each row; write function(row) return … end",
        at: cell.range.lowerBound)
    }
    guard name == "table", let value = fields["columns"] else { return }
    let columns = index.columns(of: value)
    for column in columns { check(column: column, rows) }
    if let sort = fields["sort"]?.string { check(sort: sort, columns) }
  }

  /// Checks the choices that a view offers for a property with an enum.
  func check(choicesOf fields: [LuaField]) {
    guard let items = fields["items"]?.fields, items.isSequence,
      let bound = fields["bindTo"]?.fields?["selectedObject"]?.string,
      let expression = try? ViewExpression.parse(bound.text), expression.transforms.isEmpty,
      expression.arrow.goesLeft, let name = expression.path.lastName,
      let owner = inference.follow(
        rootedIn: Path(steps: Array(expression.path.steps.dropLast())), TypeInference.budget),
      let declared = inference.declarations(of: name, in: owner)?.first, declared.cases != nil
    else { return }
    for text in items.compactMap(\.value.string) where !declared.holds(text.text) {
      let known = declared.cases?.map(\.text) ?? []
      report(
        .wrongType,
        "\(name) is one of \(declared.words), and never \"\(text.text)\""
          + hint(for: text.text, in: known), at: offset(0, in: text), .warning)
    }
  }

  private func check(column: LuaExpression, _ rows: LiteralShape?) {
    if column.string != nil { return check(rowExpression: column, rows) }
    mention(fieldAtCaretIn: column, .options(of: "a column", TableColumn.names))
    for field in column.fields ?? [] {
      guard let key = field.name else { continue }
      mention(key.text, at: key.start, .options(of: "a column", TableColumn.names))
      switch key.text {
      case "path": check(rowExpression: field.value, rows)
      case "cell":
        check(readOnceInCell: field.value)
        check(resultOf: field.value, for: "cell")
      case "sort": if let path = field.value.string { check(rowPath: path, rows) }
      case "width", "minWidth", "maxWidth", "grow":
        guard let kind = LiteralKind(field.value) else { break }
        if case .number = kind { break }
        report(
          .wrongType, "a column's \(key.text) is a number, 0 or more, not \(kind.shown)",
          at: field.value.range.lowerBound)
      case "align":
        guard let align = field.value.string, !TableColumn.alignments.contains(align.text) else {
          break
        }
        report(
          .badArgument,
          "a column's align is start, center or end, not \"\(align.text)\""
            + hint(for: align.text, in: TableColumn.alignments),
          at: align.contentStart ?? align.range.lowerBound)
      case _ where !TableColumn.names.contains(key.text):
        report(
          .unknownProperty,
          "a column has no \"\(key.text)\"\(hintOrNames(for: key.text, in: TableColumn.names))",
          at: key.start)
      default: break
      }
    }
  }

  /// Checks that a table is sorted by the key of one of its columns.
  private func check(sort: LuaToken, _ columns: [LuaExpression]) {
    var keys: [String] = []
    for column in columns {
      guard let key = key(of: column) else { return }
      keys.append(key)
    }
    let name = sort.text.hasPrefix("-") ? String(sort.text.dropFirst()) : sort.text
    if keys.isEmpty || keys.contains(name) { return }
    report(
      .badArgument, "no column has the key \"\(name)\"\(hintOrNames(for: name, in: keys))",
      at: offset(name.utf8.count < sort.text.utf8.count ? 1 : 0, in: sort))
  }

  /// The key of a column; nil if it is unknown.
  private func key(of column: LuaExpression) -> String? {
    if let text = column.string?.text { return plain(text) }
    guard let fields = column.fields, let given = fields["key"] ?? fields["path"] ?? fields["title"]
    else { return nil }
    return given.string.map { fields["key"] == nil ? plain($0.text) : $0.text }
  }

  private func plain(_ path: String) -> String {
    String(path.prefix { $0 != "|" }.reversed().drop { $0 == " " }.reversed())
  }

  // MARK: Fields

  /// Checks the arguments of a method that adds to a list.
  func check(rowsPutInto base: LuaExpression, _ method: String, _ arguments: [LuaExpression]) {
    guard PlacementCollector.additions.contains(method) else { return }
    if method == "set" {
      // The former rows say nothing about those that replace them.
      guard let rows = inference.inferredType(of: base)?.rows else { return }
      let isPlain = arguments.first?.fields?.isSequence == true
      for row in isPlain ? arguments[0].fields?.map(\.value) ?? [] : arguments {
        mention(row: row, of: rows)
      }
      return
    }
    check(rows: arguments, putInto: base)
    if method == "add" { check(arguments, addedTo: base) }
  }

  /// Checks plain tables that are added to a list: a key that is nearly a field of the other rows
  /// is a typing error if the table lacks that field.
  func check(rows: [LuaExpression], putInto base: LuaExpression) {
    guard rows.contains(where: { row(of: $0) != nil }),
      let owner = inference.inferredType(of: base), let known = owner.rows
    else { return }
    for row in rows { mention(row: row, of: known) }
    switch owner {
    case .list, .controller("list", _): break
    default: return
    }
    if let list = inference.emptyList(base) {
      let added = inference.context.additions(to: list)
      guard added.count <= TypeInference.rowLimit else { return }
      let plain = added.compactMap { row(of: $0) }
      if plain.count > 2 {
        let counts = counts(of: plain)
        for row in rows { check(row: row, amongst: counts, plain.count) }
      } else if let names = names(ofObjectsIn: added), names.count > 1 {
        for row in rows { check(row: row, like: names) }
      }
    } else if known.names.count > 1 {
      for row in rows { check(row: row, like: known.names) }
    }
  }

  /// The properties of the values that are objects of classes; nil if there are none.
  private func names(ofObjectsIn values: [LuaExpression]) -> Set<String>? {
    var names: Set<String>?
    for value in values where row(of: value) == nil {
      guard case .object(let shape)? = inference.inferredType(of: value), !shape.isOpen else {
        continue
      }
      names = (names ?? []).union(shape.names)
    }
    return names
  }

  /// In how many rows each field is.
  private func counts(of rows: [[LuaField]]) -> [String: Int] {
    var counts: [String: Int] = [:]
    for name in rows.flatMap({ Set($0.compactMap { $0.name?.text }) }) {
      counts[name, default: 0] += 1
    }
    return counts
  }

  /// Checks one of some rows against the fields that all others have.
  private func check(row value: LuaExpression, amongst counts: [String: Int], _ count: Int) {
    guard let row = row(of: value) else { return }
    let own = Set(row.compactMap { $0.name?.text })
    let common = Set(counts.filter { $0.value >= count - 1 }.keys)
    if !common.isSubset(of: own) { check(row, like: common, known: { counts[$0] ?? 0 > 1 }) }
  }

  /// `people:add { name = "Ada" }`: a controller creates an object of its class from a plain table.
  private func check(_ rows: [LuaExpression], addedTo controller: LuaExpression) {
    guard let call = inference.controllerCall(controller), case .call(_, let arguments) = call.kind,
      let made = arguments.first?.fields?["objectClass"],
      case .constructor(let shape)? = inference.inferredType(of: made)
    else { return }
    for field in rows.compactMap(\.fields).joined() {
      guard let name = field.name else { continue }
      check(
        value: field.value, of: name.text, at: name.start, in: .object(shape),
        called: text(of: made))
    }
  }

  /// Records the fields of a row that a script adds, as properties that the other rows have.
  private func mention(row value: LuaExpression, of rows: LiteralShape) {
    guard mentions != nil else { return }
    var table: LuaExpression? = value.fields == nil ? nil : value
    if case .call(let callee, let arguments) = value.kind, inference.function(callee) == "object" {
      table = arguments.first
    }
    let namespace = Namespace.properties(of: .held(rows), isMethod: false)
    mention(fieldAtCaretIn: table, namespace)
    for field in table?.fields ?? [] {
      guard let name = field.name, rows.names.contains(name.text) else { continue }
      mention(name.text, at: name.start, namespace, .declaration)
    }
  }

  /// Checks the rows of a literal list, each against the fields of all others.
  func check(rowsOf list: LuaExpression?) {
    let rows = list?.fields?.compactMap { self.row(of: $0.value) } ?? []
    guard rows.count > 2, rows.count == list?.fields?.count, rows.count <= 64 else { return }
    let counts = counts(of: rows)
    for field in list?.fields ?? [] { check(row: field.value, amongst: counts, rows.count) }
  }

  private func row(of value: LuaExpression) -> [LuaField]? {
    if case .call(let callee, let arguments) = value.kind {
      return inference.function(callee) == "object" ? arguments.first?.fields : nil
    }
    return value.fields
  }

  private func check(row value: LuaExpression, like names: Set<String>) {
    if let row = row(of: value) { check(row, like: names, known: { names.contains($0) }) }
  }

  private func check(_ row: [LuaField], like names: Set<String>, known: (String) -> Bool) {
    let own = Set(row.compactMap { $0.name?.text })
    let lacking = names.subtracting(own)
    for field in row {
      guard let name = field.name, !known(name.text), !lacking.isEmpty else { continue }
      let hint = hint(for: name.text, in: lacking)
      if hint.isEmpty { continue }
      report(
        .unknownProperty, "the other rows have no \"\(name.text)\"\(hint)", at: name.start, .warning
      )
    }
  }

  // MARK: Paths

  /// Checks a path from a row, with transformers.
  private func check(rowExpression text: LuaExpression, _ rows: LiteralShape?) {
    guard let token = text.string, let expression = parse(view: token) else { return }
    var locator = PathStepLocator(token, in: source)
    if let rows { check(expression.path, from: .held(rows), "the row", &locator) }
  }

  /// Checks a path from a row that may begin with `-` for descending order.
  func check(rowPath token: LuaToken, _ rows: LiteralShape?) {
    var token = token
    if token.text.hasPrefix("-") {
      token.text.removeFirst()
      token.contentStart = token.contentStart.map { $0 + 1 }
    }
    guard let path = parse(path: token), let rows else { return }
    var locator = PathStepLocator(token, in: source)
    check(path, from: .held(rows), "the row", &locator)
  }
}
