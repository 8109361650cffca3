import TideBindings

/// Persistence of a shared model.
extension SharedModel {
  /// Restores the model's persisted entries and persists later changes, if the app has a database.
  func beginKeeping() {
    // An engine that persists models is always reachable, so no offline copy is needed.
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

  /// Has an engine within the process persist the model, and adopts the persisted values.
  ///
  /// - Throws: `store` if the model is kept elsewhere; and the errors of `open`.
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
    // The script may declare the rows' classes later.
    runtime.runLate { [weak self] in self?.listMissing() }
  }

  /// Reports the number of kept rows whose class the program does not declare.
  private func listMissing() {
    for (property, list) in lists.sorted(by: { $0.key < $1.key }) {
      for (className, count) in list.missing.sorted(by: { $0.key < $1.key }) {
        let (row, it) = count == 1 ? ("row", "it") : ("rows", "they")
        self.list(
          TideError(
            .store,
            "\(count) \(row) of \(name.inMessage).\(property.inMessage) \(count == 1 ? "is" : "are") of the "
              + "class \"\(className.inMessage)\", which the program does not declare; \(it) "
              + "\(count == 1 ? "stays" : "stay") in the database until it is declared; where it has "
              + "another name now, call db:renameClass(\"\(className.inMessage)\", \"NewName\")"))
      }
    }
  }

  /// Renames a class in all values, for all runtimes that share the model.
  ///
  /// - Returns: the number of renamed values.
  func renameClass(_ name: String, to other: String) -> Int {
    var count = 0
    change {
      for (key, entry) in replica.entries where entry.exists {
        for field in entry.names {
          guard let bytes = entry[field],
            let renamed = Self.renamed(bytes, field == SharedDocument.kind, name, other)
          else { continue }
          set(key, field, renamed, of: .null)
          count += 1
        }
      }
      properties.putHeld()
      for list in lists.values where list.hasUnread { list.readAgain() }
    }
    sendLater()
    return count
  }

  private static func renamed(
    _ bytes: [UInt8], _ isKind: Bool, _ name: String, _ other: String
  ) -> [UInt8]? {
    let text = String(decoding: bytes, as: UTF8.self)
    if isKind {
      guard case .named(name, let module)? = SettingsObjectKind(text: text) else { return nil }
      return Array(SettingsObjectKind.named(other, module: module).text.utf8)
    }
    let (before, after) = (KeptValues.mark(ofClass: name), KeptValues.mark(ofClass: other))
    return text.contains(before) ? Array(text.replacing(before, with: after).utf8) : nil
  }

  func keep() {
    guard let keeper, let changes = replica.takeUnkept() else { return }
    do { try keeper.save(name, changes.origin, changes.entries) } catch { list(error) }
  }
}
