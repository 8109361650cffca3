import FoundationEssentials

/// Files of snapshots whose spec is gone: nothing will ever ask for what is in them.
///
///     spec/__snapshots__/old_spec.snap     but no spec/old_spec.lua
enum ObsoleteSnapshots {
  /// Those in the folders in which specs were looked for.
  static func find(in folders: [String]) -> [String] {
    folders.flatMap { folder -> [String] in
      guard folder.hasSuffix("/__snapshots__") else { return [] }
      let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
      let specs = folder.dropLast("__snapshots__".count)
      return names.sorted().compactMap { name in
        guard name.hasSuffix(".snap") else { return nil }
        let spec = "\(specs)\(name.dropLast(".snap".count)).lua"
        let file = "\(folder)/\(name)"
        // Other test runners have folders and files that are called the same.
        let isObsolete = !FileManager.default.fileExists(atPath: spec) && SnapshotBook.isOurs(file)
        return isObsolete ? file : nil
      }
    }
  }

  /// Removes them where snapshots are written; gives what to tell of each.
  static func tell(of folders: [String], removing: Bool) -> [String] {
    find(in: folders).map { file in
      if !removing { return "\(file) is of a spec that is gone; -u removes it" }
      do { try FileManager.default.removeItem(atPath: file) } catch {
        return "\(file) is of a spec that is gone, and cannot be removed"
      }
      return "\(file): removed, because its spec is gone"
    }
  }
}
