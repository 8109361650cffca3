/// What a shared model keeps on the disk.
extension SharedModel {
  /// Has what is not confirmed, and what is known, be kept where the app has a database; and takes
  /// over what was kept before.
  func beginKeeping() {
    guard isProven, keeper == nil, let keeper = runtime.sharedKeeper else { return }
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

  func keep() {
    guard let keeper, let changes = replica.takeUnkept() else { return }
    do { try keeper.save(name, changes.origin, changes.entries) } catch { list(error) }
  }
}
