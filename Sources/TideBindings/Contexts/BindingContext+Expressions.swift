import TideGraph
package import TideValues

extension BindingContext {
  /// Binds two objects by an expression: `name <> text | trim`.
  ///
  /// ```swift
  /// try context.bind("name -> text | uppercase", person, label)
  /// ```
  ///
  /// Later errors are listed in `errors`.
  ///
  /// - Throws: `TideError`: of code `syntax` or another code of expressions for an invalid
  ///   expression, `unknownTransformer`, `irreversible` for a transformer that needs a reverse and
  ///   has none, `unknownProperty` for a first step that does not exist, `readOnly` for an end that
  ///   cannot be written, `graph` for an object of another actor, thread or runtime, and
  ///   `badArgument` for an option that needs a clock, outside of a runtime.
  @discardableResult
  public func bind(
    _ expression: String, _ left: DataObject, _ right: DataObject,
    _ options: BindingOptions = BindingOptions()
  ) throws -> Binding {
    try bind(BindingExpression(expression), text: expression, left, right, options)
  }

  /// Binds by an expression whose first steps are names of the given objects.
  ///
  /// ```swift
  /// try context.bind("person.name -> label.text", ["person": person, "label": label])
  /// ```
  ///
  /// - Throws: as `bind` with two objects does, and `unresolvedName` for a name that is not among
  ///   the objects.
  @discardableResult
  public func bind(
    _ expression: String, _ roots: [String: DataObject],
    _ options: BindingOptions = BindingOptions()
  ) throws -> Binding {
    var parsed = try BindingExpression(expression)
    let left = try Self.takeRoot(of: &parsed.left, from: roots)
    let right = try Self.takeRoot(of: &parsed.right, from: roots)
    return try bind(parsed, text: expression, left, right, options)
  }

  static func takeRoot(
    of path: inout Path, from roots: [String: DataObject]
  ) throws -> DataObject {
    guard let name = path.steps.first?.propertyName, path.steps.count > 1 else {
      throw TideError(
        .unresolvedName, "\"\(path)\" starts with no name of an object; write object.property")
    }
    guard let root = roots[name] else {
      let hint = NearestName.hint(for: name, in: roots.keys, areOrdered: false)
      throw TideError(.unresolvedName, "there is no object named \"\(name.inMessage)\"\(hint)")
    }
    path.steps.removeFirst()
    return root
  }

  @discardableResult
  package func bind(
    _ expression: BindingExpression, text: String?, _ left: DataObject, _ right: DataObject,
    _ options: BindingOptions
  ) throws -> Binding {
    let first = ResolvedEndpoint(left, expression.left),
      last = ResolvedEndpoint(right, expression.right)
    let (left, right) = (first.object, last.object)
    let table = try join(near: left.firstSlot, right.firstSlot)
    try table.admitHere(left)
    try table.admitHere(right)
    let leftEnd = try Endpoint(left, first.path)
    let rightEnd = try Endpoint(right, last.path)
    let arrow = expression.arrow
    let chain = try chain(from: first, expression.transforms, to: last, options, for: arrow)
    if arrow.goesRight { try rightEnd.checkWritable() }
    if arrow.goesLeft { try leftEnd.checkWritable() }
    let record = table.makeRecord(.binding, in: self)
    if text != nil || options.location != nil || options.name != nil {
      let origin =
        options.origin
        ?? BindingOrigin(
          text: text, location: options.location, name: options.name, in: table)
      table.setOrigin(origin, of: record)
      let (source, target) = arrow.goesRight ? (leftEnd, rightEnd) : (rightEnd, leftEnd)
      // Needed where the edge does not lead to these objects.
      if source.property == nil || options.when != nil || target.property?.isDerived != false {
        table.makeDetails(for: record).ends = (
          ObjectHandle(source.object), ObjectHandle(target.object)
        )
      }
    }
    if !first.references.isEmpty || !last.references.isEmpty {
      note(first.references + last.references, of: record)
    }
    var maker = EdgeMaker(table: table, record: record, chain: chain, options: options)
    maker.isTwoWay = arrow.goesRight && arrow.goesLeft
    if arrow.goesRight { maker.make(from: leftEnd, to: rightEnd, goingRight: true) }
    if arrow.goesLeft { maker.make(from: rightEnd, to: leftEnd, goingRight: false) }
    maker.start(initial: arrow.copiesAtFirst && options.initial)
    return try finish(record, options, maker, from: left)
  }

  /// Makes a binding findable by the references that it goes through.
  private func note(_ references: [ObjectHandle], of record: UInt32) {
    if !references.isEmpty { table.makeDetails(for: record).references = references }
  }

  func finish(
    _ record: UInt32, _ options: BindingOptions, _ maker: EdgeMaker, from root: DataObject
  ) throws -> Binding {
    let binding = Binding(record, table)
    do {
      try start(binding, options, from: root)
    } catch {
      binding.unbind()
      throw error
    }
    if !options.isEnabled || !isEnabled {
      if !options.isEnabled { table.record(record).pointee.flags |= BindingRecord.disabled }
      applyEnabled(to: record)
      maker.postponeInitial()
    } else {
      maker.fireInitial()
    }
    return binding
  }

  /// Starts the condition and the triggers of a binding, before its first value.
  private func start(
    _ binding: Binding, _ options: BindingOptions, from root: DataObject
  ) throws {
    if options.delay > 0 || options.throttle > 0 || options.delivery == .frame {
      _ = try table.clock(for: "a binding with delay, throttle or frames")
    }
    if let condition = options.when {
      let gates = table.makeDetails(for: binding.index).gates
      let made = try GateCondition(condition, of: binding.index, from: root, in: table) {
        [weak first = gates.first] in
        first?.conditionChanged(to: $0)
        first?.opposite?.conditionChanged(to: $0)
      }
      table.makeDetails(for: binding.index).nodes += made.nodes
      for gate in gates { gate.condition = made }
    }
    for trigger in options.triggers ?? [] { try binding.add(trigger) }
    for trigger in options.addedTriggers { try binding.add(trigger) }
  }

  /// Binds a property to the result of a function.
  @discardableResult
  package func bind(
    _ target: DataObject, _ name: String, _ options: BindingOptions = BindingOptions(),
    text: String? = nil, to function: @escaping () throws -> Value
  ) throws -> Binding {
    let last = ResolvedEndpoint(target, Path(steps: [.property(name)]))
    let table = try join(near: last.object.firstSlot)
    try table.admitHere(last.object)
    let end = try Endpoint(last.object, last.path)
    try end.checkWritable()
    let chain = try TransformChain(added(options) + last.backward, for: .right)
    let record = table.makeRecord(.binding, in: self)
    let details = table.makeDetails(for: record)
    details.origin = BindingOrigin(
      text: text ?? "function -> \(name)", location: options.location, name: options.name,
      in: table)
    let node = table.graph.makeComputed(FunctionBody(function))
    details.nodes.append(node)
    try? table.graph.refresh(node)
    note(last.references, of: record)
    var maker = EdgeMaker(table: table, record: record, chain: chain, options: options)
    maker.make(fromNode: node, .slot, to: end, goingRight: true)
    maker.start(initial: options.initial)
    return try finish(record, options, maker, from: last.object)
  }
}
