import TideGraph

extension BindingContext {
  /// Calls a function for each change of a list, in order, after everything has settled.
  ///
  /// Where a batch makes more changes than are worth keeping, which is megabytes of them, it is
  /// told the smallest ones from the former contents to the present ones instead. After an error
  /// that says that the turn has no time or memory left, the rest of the wave's changes are
  /// dropped.
  ///
  /// With `initial` it is called once now, with an insertion of all that is there.
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

  /// Calls a function with each change of a typed list, after it has settled; with `initial` first
  /// with an insertion of what is there.
  @discardableResult
  public func observe<Element>(
    _ list: ObservableList<Element>, initial: Bool = false,
    kinds: Set<ListChange.Kind> = Set(ListChange.Kind.allCases),
    _ body: @escaping (ListChange) throws -> Void
  ) -> ContextEntry {
    observe(list.values, initial: initial, kinds: kinds, body)
  }

  /// Calls a function with a list's changes: one a call, or with `batch` all of a wave together.
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
