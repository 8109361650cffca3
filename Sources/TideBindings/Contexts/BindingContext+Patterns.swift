import TideGraph

extension BindingContext {
  /// Binds a property to a text made of several values: a display pattern.
  ///
  /// ```swift
  /// try context.bind(
  ///   ["person.first", "person.last"], to: "label.text", format: "%s %s",
  ///   ["person": person, "label": label])
  /// ```
  ///
  /// The first step of each path names one of the objects. The pattern has conversions like `%s`
  /// and `%.2f`, which take the values in order, or Cocoa's `%{value1}@`. Nil is shown as the
  /// option `null`, or as empty text without it.
  ///
  /// - Throws: `badArgument` for no values, an invalid pattern or one with more conversions than
  ///   values; `unresolvedName` for a name that is not among the objects; else as `bind` with an
  ///   expression does.
  @discardableResult
  public func bind(
    _ sources: [String], to target: String, format: String, _ roots: [String: DataObject],
    _ options: BindingOptions = BindingOptions()
  ) throws -> Binding {
    let ends = try sources.map { try Self.end(of: $0, from: roots) }
    let last = try Self.end(of: target, from: roots)
    return try bind(ends, to: last.object, last.path, format: format, options)
  }

  /// Like `bind` with names, but with an object for each path.
  ///
  /// ```swift
  /// try context.bind([(person, "first"), (person, "last")], to: label, "text", format: "%s %s")
  /// ```
  ///
  /// - Throws: as with names, except for `unresolvedName`.
  @discardableResult
  public func bind(
    _ sources: [(object: DataObject, path: String)], to target: DataObject, _ path: String,
    format: String, _ options: BindingOptions = BindingOptions()
  ) throws -> Binding {
    let sources = try sources.map { ($0.object, try Path($0.path)) }
    return try bind(sources, to: target, Path(path), format: format, options)
  }

  private static func end(
    of text: String, from roots: [String: DataObject]
  ) throws -> (object: DataObject, path: Path) {
    var path = try Path(text)
    let root = try takeRoot(of: &path, from: roots)
    return (root, path)
  }

  package func bind(
    _ sources: [(object: DataObject, path: Path)], to target: DataObject, _ path: Path,
    format: String, text: String? = nil, _ options: BindingOptions
  ) throws -> Binding {
    guard !sources.isEmpty else {
      throw TideError(.badArgument, "a display pattern shows one value at least; there is none")
    }
    let format = try LuaFormat(format, values: sources.count)
    let table = try join(near: sources[0].object.firstSlot, target.firstSlot)
    for source in sources { try table.admitHere(source.object) }
    let ends = try sources.map { try Endpoint($0.object, $0.path) }
    let target = ResolvedEndpoint(target, path)
    try table.admitHere(target.object)
    let last = try Endpoint(target.object, target.path)
    try last.checkWritable()
    let chain = try TransformChain(options.transformers + target.backward, for: .right)
    let record = table.makeRecord(.binding, in: self)
    let details = table.makeDetails(for: record)
    details.origin =
      options.origin
      ?? BindingOrigin(
        text: text ?? "\(sources.map { $0.path.description }.joined(separator: ", ")) -> \(path)",
        location: options.location, name: options.name, in: table)
    details.ends = (ObjectHandle(sources[0].object), ObjectHandle(last.object))
    let parts = ends.map { $0.makeNode(in: table, record: record) }
    // The option `null` applies to the parts, so it does not apply to the whole text.
    var whole = options
    whole.null = nil
    let body = PatternBody(parts, format, options)
    let node = table.graph.makeComputed(body)
    details.nodes.append(node)
    try? table.graph.refresh(node)
    var maker = EdgeMaker(table: table, record: record, chain: chain, options: whole)
    maker.make(fromNode: node, .path(body), to: last, goingRight: true)
    maker.start(initial: options.initial)
    return try finish(record, whole, maker, from: sources[0].object)
  }
}
