import TideBindings
import TideScript

// Pending writes of a database: edits of rows, and changes of kept models.
extension Store {
  /// The lists with edits that the database does not have.
  private var listsToWrite: [QueryList] {
    queries(QueryList.self).filter { $0.edits?.isPending == true }
  }

  /// Writes the edits of rows for a script that waits for them.
  ///
  /// - Throws: the first error, after an attempt to write the rows of every list.
  func flushEdits() throws {
    var failure: (any Error)?
    for list in listsToWrite {
      do {
        if let refusal = try list.edits?.write() { failure = failure ?? refusal }
      } catch { failure = failure ?? error }
    }
    if let failure { throw failure }
  }

  /// Writes the edits of rows within the transaction of a script. Errors are listed.
  func writeEdits() {
    for list in listsToWrite { list.edits?.writeOrList() }
  }

  /// Writes what is left when the app ends. While another program is writing, waits for it.
  ///
  /// - Parameter end: when to give up, in seconds of the loop's clock.
  /// - Returns: false, with a listed error, if something could not be written.
  func writeRest(until end: () -> Bool) -> Bool {
    var failure: (any Error)?
    var isLocked = false
    func attempt(_ write: () throws -> Void) {
      do { try write() } catch {
        failure = failure ?? error
        isLocked = isLocked || error.isLocked
      }
    }
    repeat {
      (failure, isLocked) = (nil, false)
      home.runWithinBudget {
        attempt { try keeper.write() }
        // The other program would lock out the edits as well.
        if !isLocked { attempt { try flushEdits() } }
      }
    } while isLocked && !end()
    guard let failure else { return true }
    var lost = keeper.unwrittenNames
    for list in listsToWrite {
      lost += list.edits?.unwrittenRows.flatMap { list.unwrittenTexts(of: $0) } ?? []
    }
    // Edits that no attempt can write have been listed, and given up.
    if lost.isEmpty { return true }
    var error = TideError(wrapping: failure, graph: graph)
    error.message += "; the app has ended without writing \(Self.listing(lost))"
    home.runtime?.bindings.list(TideError(.unwritten, error.message))
    return false
  }

  private static func listing(_ texts: [String]) -> String {
    let most = 5
    let rest = texts.count > most ? " and \(texts.count - most) more" : ""
    return texts.prefix(most).joined(separator: ", ") + rest
  }
}
