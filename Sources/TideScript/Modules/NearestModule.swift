import TideBindings
import TideSystem

/// Finds the module that was probably meant by a name that no module has.
package enum NearestModule {
  /// A phrase that names it; empty where no module of the app's folder has a similar name.
  package static func hint(for name: String, in folder: String) -> String {
    let parts = name.split(separator: ".").map(String.init)
    guard let last = parts.last else { return "" }
    let rest = parts.dropLast()
    let home = rest.isEmpty ? folder : SystemPath.joined(folder, rest.joined(separator: "/"))
    // Files elsewhere are not mentioned.
    guard rest.isEmpty || SystemPath.isWithin(home, folder),
      let names = ReadableFile.names(in: home)?.filter({ !$0.hasPrefix(".") }).sorted()
    else { return "" }
    let modules = names.compactMap { name -> String? in
      if name.hasSuffix(".lua") { return String(name.dropLast(4)) }
      let file = SystemPath.joined(SystemPath.joined(home, name), "init.lua")
      return access(file, R_OK) == 0 ? name : nil
    }
    return NearestName.hint(for: last, in: modules) { (rest + [$0]).joined(separator: ".") }
  }
}
