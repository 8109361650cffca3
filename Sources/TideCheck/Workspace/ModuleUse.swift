import TideSystem

/// A call of `require` that finds a file, for renaming the module together with the file.
package struct ModuleUse {
  /// The script with the call.
  package let script: String
  /// The bytes of the name, without its quotation marks.
  package let range: Range<Int>
  package let name: String
  /// The file of the module, and the folder from which its name is resolved.
  package let file: String
  package let home: String

  /// The folder from which the name of a module is resolved; nil if the file has another name.
  static func home(of file: String, named name: String) -> String? {
    let stem = name.split(separator: ".").joined(separator: "/")
    guard let end = [stem + ".lua", stem + "/init.lua"].first(where: { file.hasSuffix("/" + $0) })
    else { return nil }
    let home = String(file.dropLast(end.count + 1))
    return home.isEmpty ? "/" : home
  }

  /// The module name of a file, resolved from the same folder; nil if the file is elsewhere, or if
  /// its name or that of a folder contains a dot.
  package static func name(of file: String, in home: String) -> String? {
    guard SystemPath.isBelow(file, home), file.hasSuffix(".lua") else { return nil }
    let folder = home.hasSuffix("/") ? home : home + "/"
    var parts = file.dropFirst(folder.count).dropLast(4).split(separator: "/")
    if parts.last == "init", parts.count > 1 { parts.removeLast() }
    if parts.isEmpty || parts.contains(where: { $0.contains(".") }) { return nil }
    return parts.joined(separator: ".")
  }
}

extension WorkspaceSnapshot {
  /// The calls of `require` in all scripts with a literal name that finds a file.
  package var moduleUses: [ModuleUse] {
    work.scripts.enumerated().flatMap { index, script -> [ModuleUse] in
      let app = app(of: index)
      let path = SystemPath.absolute(script.source.path)
      return script.symbols.requires.compactMap { required in
        let range = required.offset..<(required.offset + required.name.utf8.count)
        guard let found = app.file(ofModule: required.name, requiredBy: script),
          range.upperBound <= script.source.bytes.count,
          script.source.bytes[range].elementsEqual(required.name.utf8)
        else { return nil }
        let file = SystemPath.absolute(found)
        guard let home = ModuleUse.home(of: file, named: required.name) else { return nil }
        return ModuleUse(
          script: path, range: range, name: required.name, file: file, home: home)
      }
    }
  }
}
