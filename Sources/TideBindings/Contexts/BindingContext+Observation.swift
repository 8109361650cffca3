public import TideGraph

extension BindingContext {
  /// Calls a function when the value at the end of a path has changed, after everything has
  /// settled.
  ///
  /// With `initial` it is called once now, with nil as the old value. When a list at the end of the
  /// path is edited, the list is both the new and the old value. Errors that the function throws
  /// are listed.
  ///
  /// - Throws: `TideError`: of code `unknownProperty` for a first step that the object does not
  ///   have, `syntax` or another code of paths for an invalid path, `graph` for an object of
  ///   another actor, thread or runtime.
  @discardableResult
  public func observe(
    _ object: DataObject, _ path: String, initial: Bool = false,
    _ body: @escaping (_ new: Value, _ old: Value) throws -> Void
  ) throws -> ContextEntry {
    try join(near: object.firstSlot).admitHere(object)
    let observer = ObserverFunction { old, new in try body(new, old) }
    return try observe(object, path, by: observer, initial: initial) { list, _ in
      try body(.object(list), .object(list))
    }
  }

  /// The slot by which a path is observed.
  struct ObservedPath {
    let slot: Slot
    /// The node that must end with the observation.
    var node: Slot?
    /// The error of reading the path now.
    var failure: (any Error)?
  }

  /// The slot to observe for a path.
  func source(of object: DataObject, _ path: String) throws -> ObservedPath {
    let end = try Endpoint(object, Path(path))
    if let property = end.property {
      var source = ObservedPath(slot: property)
      do { try table.graph.refresh(property) } catch { source.failure = error }
      return source
    }
    let made = table.graph.makeComputed(PathBody(end.path.steps[...], from: end.object))
    var source = ObservedPath(slot: made, node: made)
    do { try table.graph.refresh(made) } catch { source.failure = error }
    return source
  }

  /// Notifies an observer of a slot that is not a property.
  package func observe(_ source: Slot, by body: ObserverBody) -> ContextEntry {
    observe(source, by: body, initial: false)
  }

  func observe(
    _ source: Slot, initial: Bool, _ body: @escaping (Value, Value) throws -> Void
  ) -> ContextEntry {
    observe(source, by: ObserverFunction { old, new in try body(new, old) }, initial: initial)
  }

  func observe(
    _ source: Slot, alsoOwning node: Slot? = nil, failing failure: (any Error)? = nil,
    by body: ObserverBody, initial: Bool
  ) -> ContextEntry {
    let observer = table.graph.makeObserver(of: source, body)
    let belonging = own(observer, and: node)
    body.onEnd = { belonging.cancel() }
    if failure != nil { _ = table.graph.reportSource(source, of: observer) }
    if initial {
      do {
        try table.graph.untracked {
          try body.valueChanged(of: source, from: .null, to: source.load())
        }
      } catch {
        table.graph.report(error, of: observer)
      }
    }
    return belonging
  }

  private func own(_ observer: Slot, and node: Slot?) -> ContextEntry {
    let belonging = own(observer)
    if let node { belonging.keep(node) }
    return belonging
  }

  /// Calls a function with the name, the new and the old value of any property that changes.
  @discardableResult
  public func observe(
    _ object: DataObject,
    _ body: @escaping (_ name: String, _ new: Value, _ old: Value) throws -> Void
  ) -> ContextEntry {
    do throws(TideError) { try join(near: object.firstSlot).admitHere(object) } catch {
      return ContextEntry(0, refuse(error))
    }
    let parts = object.shape.propertiesByIndex.enumerated().filter { !$1.isRetired }.map {
      index, property in
      // A computed property has no dependencies until it has been evaluated.
      if object.slot(index).isDerived { try? table.graph.refresh(object.slot(index)) }
      let observer = ObserverFunction { old, new in try body(property.name, new, old) }
      observer.reportsSource = true
      return observe(object.slot(index), by: observer)
    }
    return own(
      setEnabled: { isOn in for part in parts { part.setEnabled(isOn) } },
      { for part in parts { part.cancel() } })
  }

  /// Runs a function now and whenever something that it read has changed.
  @discardableResult
  public func effect(_ body: @escaping () throws -> Void) -> ContextEntry {
    do throws(TideError) { _ = try join() } catch { return ContextEntry(0, refuse(error)) }
    return effect(EffectFunction(body)) {}
  }

  /// Runs an effect now and whenever something that it read has changed.
  ///
  /// - Parameter ended: called when it ends, which may be in its first run.
  package func effect(_ body: EffectBody, whenEnded ended: @escaping () -> Void) -> ContextEntry {
    let slot = table.graph.prepareEffect(body)
    // Before it runs, because it may end itself or its context.
    let belonging = own(slot)
    belonging.whenEnded(ended)
    table.graph.start(slot)
    return belonging
  }
}
