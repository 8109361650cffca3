import TideBindings

/// What a shared model keeps on the disk.
extension SharedModel {
  /// Has what is not confirmed, and what is known, be kept where the app has a database; and takes
  /// over what was kept before.
  func beginKeeping() {
    // An engine that persists models itself is never away, and its database knows all of them.
    guard isProven, keeper == nil, !(engine is any KeepingEngine),
      let keeper = runtime.sharedKeeper
    else { return }
    do {
      let former = try keeper.load(name)
      self.keeper = keeper
      change {
        show(replica.restore(former.origin, former.entries))
        for list in lists.values { list.resolve() }
      }
      keep()
      sendLater()
    } catch { list(error) }
  }

  /// Has an engine within the process persist the model, and takes over what was kept.
  ///
  /// - Throws: `store` where the model is kept elsewhere; what `open` throws.
  func keep(
    in engine: any KeepingEngine, at place: SharedPlace, _ open: () throws -> any ConfirmedKeeper
  ) throws {
    let unreadable = try engine.keep(name, at: place, open)
    self.place = place
    if unreadable > 0 {
      list(
        TideError(
          .store,
          "\(unreadable) \(unreadable == 1 ? "row" : "rows") of the shared model \"\(name.inMessage)\" "
            + "cannot be read; \(unreadable == 1 ? "it stays" : "they stay") in the database"))
    }
    takeOver(all: true)
  }

  func keep() {
    guard let keeper, let changes = replica.takeUnkept() else { return }
    do { try keeper.save(name, changes.origin, changes.entries) } catch { list(error) }
  }
}
