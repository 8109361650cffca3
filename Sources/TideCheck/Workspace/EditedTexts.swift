import TideBindings
import TideScript
import TideSystem

/// The texts of scripts in editors, by the paths under which they were opened. Several workspaces
/// may share them.
///
/// A text that equals its file's content has no cost: the file is read as if it were not edited.
package final class EditedTexts {
  /// Finds files for all workspaces with these texts.
  let finder = ScriptFinder()
  private var texts: [PathKey: Entry] = [:]
  /// The paths under which each file is edited, by its real path.
  private var paths: [PathKey: Set<PathKey>] = [:]

  private struct Entry {
    let text: String
    /// The stamp of the file, if the file's content equals the text.
    var saved: FileStamp?
  }

  package init() {}

  /// Replaces the text of a script; nil restores the text of the file.
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

  /// Starts to edit a script. Returns false unless the text is that of a file that is known.
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

  /// Restores the text of the file. Returns false if that is a different text.
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

  /// The edited text of a file by its real path; nil if the file's content is used. If the file is
  /// edited under several paths, the real path takes precedence.
  func text(of identity: String) -> String? {
    guard let path = path(ofFile: PathKey(identity)), let entry = texts[path] else { return nil }
    if let saved = entry.saved, saved == FileStamp(path.path) { return nil }
    return entry.text
  }

  private func path(ofFile identity: PathKey) -> PathKey? {
    guard let paths = paths[identity] else { return nil }
    return paths.contains(identity) ? identity : paths.min()
  }

  /// The path under which a file's current text was opened; nil if the file is not being edited.
  package func editedPath(of file: String) -> String? {
    path(ofFile: PathKey(finder.identity(of: file)))?.path
  }
}
