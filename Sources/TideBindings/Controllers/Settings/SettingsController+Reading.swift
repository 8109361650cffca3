import TideGraph

extension SettingsController {
  /// Reads the file, if there is one, and follows all settings from now on.
  func read() { graph.restoring { readFile() } }

  private func readFile() {
    do throws(SettingsReader.Fault) {
      if let file, let bytes = try contents(of: file) {
        var reader = SettingsReader(classes: classes)
        store.replace(by: try reader.contents(of: bytes, file: file.name))
      }
    } catch {
      report(error)
    }
    do throws(TideError) { try adopt(store.possibleKeys) } catch { report(.unreadable(error)) }
    noteApplication()
  }

  /// Records settings as they are in the file.
  private func adopt(_ keys: some Sequence<DictionaryKey>) throws(TideError) {
    let sorted: [DictionaryKey]
    do { sorted = try Array(keys).sorted(byKey: { $0 }) } catch { throw TideError(error) }
    for key in sorted { ledger.adopt(key, try text(of: key)) }
  }

  private func contents(of file: SettingsFile) throws(SettingsReader.Fault) -> [UInt8]? {
    do { return try file.read() } catch { throw .unreadable(error) }
  }

  /// Called when the app has a new class: reads the settings that need it.
  package func classesChanged() {
    if store.unread.isEmpty { return }
    graph.adopt {
      let before = ledger.differing.union(ledger.changed.keys)
      do throws(TideError) {
        var failure: TideError?
        do throws(TideError) { try store.readUnread() } catch { failure = error }
        // A setting that was just read is not a change.
        try adopt(ledger.changed.keys.filter { !before.contains($0) })
        noteApplication()
        if let failure { throw failure }
      } catch {
        BindingTable.of(graph).list(error)
      }
    }
  }

  /// Lists the settings in the file that cannot be read because the app does not have their
  /// classes.
  package func listUnread() {
    guard let unread = try? store.unread.sorted(byKey: \.key) else { return }
    for (key, tree) in unread where !store.holds(key) {
      let names = SettingsReader.classNames(in: tree).sorted().map { "\"\($0)\"" }
      BindingTable.of(graph).list(
        TideError(
          .settings,
          "the setting \"\(key.excerpt)\" holds objects of classes of which the app does not declare "
            + "all: \(names.joined(separator: ", ")); it reads as its initial value, and stays in the "
            + "file as it is"))
    }
  }

  private func report(_ fault: SettingsReader.Fault) {
    var error = fault.error
    guard let file else {
      BindingTable.of(graph).list(error)
      return
    }
    if case .broken = fault, !isKept {
      error.cause = error.cause ?? UnderlyingFile(path: file.path)
      error.message = "the settings are broken: \(error.message)"
    } else if case .broken = fault {
      error.cause = error.cause ?? UnderlyingFile(path: file.path)
      do throws(TideError) {
        let name = try file.moveAside()
        volume?.forget()
        error.message = "the settings are broken: \(error.message); they are kept in \(name)"
      } catch let other {
        error.message = "the settings are broken: \(error.message). \(other.message)"
        blockade = other
      }
    } else {
      // The file may be intact. To preserve its contents, it is neither moved nor written.
      if error.code != .settings {
        error.message =
          "the settings in \(file.name) cannot be read now, and stay as they are: \(error.message)"
      }
      error.cause = error.cause ?? UnderlyingFile(path: file.path)
      blockade = error
    }
    BindingTable.of(graph).list(error)
  }
}
