import TideGraph

extension BindingContext {
  /// Calls a function for each change of a list, in order, after everything has settled.
  ///
  /// If a batch makes more changes than are worth storing (megabytes of them), the function gets
  /// the smallest changes from the former contents to the present ones instead. After an error
  /// because the turn has no time or memory left, the rest of the wave's changes are dropped.
  ///
  /// With `initial` the function is called once now, with an insertion of all elements.
  @discardableResult
  public func observe(
    _ list: ValueList, initial: Bool = false,
    kinds: Set<ListChange.Kind> = Set(ListChange.Kind.allCases),
    _ body: @escaping (ListChange) throws -> Void
  ) -> ContextEntry {
    let options = ListObservationOptions(initial: initial, kinds: kinds)
    return observe(list, options) { changes in
      for change in changes { try body(change) }
    }
  }

  /// Calls a function with each change of a typed list, after it has settled. With `initial` the
  /// first call has an insertion of all elements.
  @discardableResult
  public func observe<Element>(
    _ list: ObservableList<Element>, initial: Bool = false,
    kinds: Set<ListChange.Kind> = Set(ListChange.Kind.allCases),
    _ body: @escaping (ListChange) throws -> Void
  ) -> ContextEntry {
    observe(list.values, initial: initial, kinds: kinds, body)
  }

  /// Calls a function with a list's changes: one change per call, or with `batch` all changes of a
  /// wave.
  @discardableResult
  public func observe(
    _ list: ValueList, _ options: ListObservationOptions,
    _ body: @escaping ([ListChange]) throws -> Void
  ) -> ContextEntry {
    do throws(TideError) { try join(near: list.firstSlot).admitHere(list) } catch {
      return ContextEntry(0, refuse(error))
    }
    let observer = ListObserver(options, body)
    let slot = observer.observe(list)
    let belonging = own(slot)
    observer.onEnd = { belonging.cancel() }
    do { try observer.deliverInitial(of: list) } catch { table.graph.report(error, of: slot) }
    return belonging
  }
}
