import ArgumentParser
import TideBindings
import TideLua

/// `--allow read=DIR,write=DIR,store=DIR,env=NAME,net=HOST,run`: one or several permissions for
/// scripts.
///
/// A folder whose name contains a comma must be the last part of a flag: a part after a comma
/// starts a new permission only if it looks like one.
struct Allowance {
  private(set) var access = LuaAccess()
  /// The syntax shown in the options' help.
  static let forms = "read=DIR,write=DIR,store=DIR,env=NAME,net=HOST[:PORT],run[=NAME]"

  /// Throws an error that names the invalid part.
  init(_ text: String) throws {
    var parts: [Substring] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      if let last = parts.last, !Self.isPermission(part), Self.isFolder(last) {
        parts[parts.count - 1] = last + "," + part
      } else {
        parts.append(part)
      }
    }
    for part in parts { try add(part) }
  }

  private static let names = ["read", "write", "store", "env", "net", "run"]

  private static func isPermission(_ part: Substring) -> Bool {
    names.contains { part == $0 || part.hasPrefix($0 + "=") }
  }

  private static func isFolder(_ part: Substring) -> Bool {
    ["read=", "write=", "store="].contains { part.hasPrefix($0) }
  }

  private mutating func add(_ part: Substring) throws {
    let sign = part.firstIndex(of: "=")
    let name = String(part[..<(sign ?? part.endIndex)])
    let value = sign.map { String(part[part.index(after: $0)...]) } ?? ""
    guard Self.names.contains(name) else {
      let near = NearestName.find(name, in: Self.names)
      let hint = near.map { "; did you mean \"\($0)\"?" } ?? "."
      throw ValidationError(
        "\"\(name)\" is nothing that can be allowed\(hint) There are read=DIR, write=DIR, store=DIR, env=NAME, net=HOST, run=NAME and run."
      )
    }
    if name == "run", sign == nil {
      access.run = true
      return
    }
    guard !value.isEmpty else {
      let wanted =
        switch name {
        case "env": "name: env=NAME"
        case "net": "host: net=HOST or net=HOST:PORT"
        case "run": "program after the sign: run=NAME, or run alone for all programs"
        default: "folder: \(name)=DIR"
        }
      throw ValidationError("--allow \(name) needs a \(wanted).")
    }
    switch name {
    case "net":
      do throws(LuaError) { access.network.append(try LuaAccess.Host(value)) } catch {
        throw ValidationError("--allow net: \(error.message).")
      }
    case "run": access.programs.append(value)
    case "read": access.read.append(value)
    case "write": access.write.append(value)
    case "store": access.store.append(value)
    default: access.environment.append(value)
    }
  }
}

extension [Allowance] {
  /// The union of all flags' permissions.
  var access: LuaAccess {
    var access = LuaAccess()
    access.namesFlags = true
    return reduce(into: access) { all, next in
      all.read += next.access.read
      all.write += next.access.write
      all.store += next.access.store
      all.environment += next.access.environment
      all.network += next.access.network
      all.programs += next.access.programs
      all.run = all.run || next.access.run
    }
  }
}
