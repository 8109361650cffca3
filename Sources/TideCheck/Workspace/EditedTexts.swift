import TideBindings
import TideScript
import TideSystem

/// The texts that editors show, by the paths that they were given under. Several workspaces may
/// share them.
///
/// A text that its file already has costs nothing more: the file is read as if nobody edited it.
package final class EditedTexts {
  /// Finds files for all workspaces with these texts.
  let finder = ScriptFinder()
  private var texts: [PathKey: Entry] = [:]
  /// The paths under which each file was given a text, by its real path.
  private var paths: [PathKey: Set<PathKey>] = [:]

  private struct Entry {
    let text: String
    /// The state of the file whose contents are the text.
    var saved: FileStamp?
  }

  package init() {}

  /// Replaces the text of a script; nil goes back to the text of the file.
  package func edit(_ path: String, _ text: String?) {
    let entry = text.map { Entry(text: $0, saved: nil) }
    let isNew = texts[path: path] == nil
    texts[path: path] = entry
    guard isNew || text == nil else { return }
    finder.setEdited(path, text != nil)
    let identity = PathKey(finder.identity(of: path))
    if text == nil {
      paths[identity]?.remove(PathKey(path))
    } else {
      paths[identity, default: []].insert(PathKey(path))
    }
  }

  /// Begins to edit a script; false if the text is not that of a file which is known.
  package func beginEditing(_ path: String, _ text: String) -> Bool {
    let stamp = FileStamp(path)
    let isKnown = finder.scripts(in: ScriptFiles.folder(of: path)).contains(path)
    edit(path, text)
    guard isKnown, let stamp, !stamp.isRecent, (try? ScriptFile.read(path)) == text else {
      return false
    }
    texts[path: path]?.saved = stamp
    return true
  }

  /// Goes back to the text of the file; false if that is another one.
  package func endEditing(_ path: String) -> Bool {
    let isSaved = texts[path: path]?.saved.map { $0 == FileStamp(path) } ?? false
    edit(path, nil)
    return isSaved
  }

  /// Notes that files may have been written, created or removed.
  package func filesChanged() {
    finder.forget()
    paths = [:]
    for path in texts.keys {
      paths[PathKey(finder.identity(of: path.path)), default: []].insert(path)
    }
  }

  /// The text of a file by its real path; nil if the file's contents count. If the file was given
  /// texts under several names, its real path wins.
  func text(of identity: String) -> String? {
    guard let path = path(ofFile: PathKey(identity)), let entry = texts[path] else { return nil }
    if let saved = entry.saved, saved == FileStamp(path.path) { return nil }
    return entry.text
  }

  private func path(ofFile identity: PathKey) -> PathKey? {
    guard let paths = paths[identity] else { return nil }
    return paths.contains(identity) ? identity : paths.min()
  }

  /// The path under which a file was given the text that counts; nil if it is not being edited.
  package func editedPath(of file: String) -> String? {
    path(ofFile: PathKey(finder.identity(of: file)))?.path
  }
}
