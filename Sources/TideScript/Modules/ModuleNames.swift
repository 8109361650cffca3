import TideSystem

/// The modules that an app's scripts may require: those in its folder and its subfolders, and Lua's
/// libraries.
///
/// ```swift
/// ModuleNames.requirable(in: runtime)     // ["shop.prices", "string", …]
/// ```
package enum ModuleNames {
  /// The most modules of the app that are listed.
  private static let most = 500

  package static func requirable(in runtime: Runtime) -> (own: [String], libraries: [String]) {
    var own = runtime.modules.all.filter { !$0.isMain }.map(\.name)
    let main = runtime.path.split(separator: "/").last.map(String.init)
    let folder = runtime.folder
    for name in names(in: folder) where own.count < most {
      if name.hasSuffix(".lua") {
        if name != main { own.append(String(name.dropLast(4))) }
        continue
      }
      for inner in names(in: SystemPath.joined(folder, name)) where inner.hasSuffix(".lua") {
        let module = inner == "init.lua" ? name : "\(name).\(inner.dropLast(4))"
        own.append(module)
      }
    }
    let isModule = { (name: String) in !name.hasSuffix("_spec") && !name.isEmpty }
    return (Set(own.filter(isModule)).sorted(), (Runtime.libraryNames.union(["tidelock"])).sorted())
  }

  private static func names(in folder: String) -> [String] {
    (ReadableFile.names(in: folder) ?? []).filter { !$0.hasPrefix(".") }
  }
}
