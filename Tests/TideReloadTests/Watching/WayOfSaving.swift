import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// How some program saves: the calls that it makes, and the modules that hold something else then.
///
/// The app has the modules m1 to m8, each of which gives "one". They lie in the folder `lib`, which
/// is where the calls happen.
struct WayOfSaving: Sendable, CustomTestStringConvertible {
  let name: String
  var changed = [1]
  var layout = Layout.plain
  /// Whether it stays one save when there is time between its calls: nothing that it leaves closed
  /// on the way is new.
  var isOneHoweverSlow = true
  let save: @Sendable (Editor) -> Void

  var testDescription: String { name }

  /// Where the modules are.
  enum Layout {
    case plain
    /// `lib` is a link to `versions/1`, beside which there is `versions/2`.
    case linkedFolder
    /// `lib/m1.lua` is a link to `kept/m1.lua`.
    case linkedFile
  }

  static let old = "return 'one'\n"
  static let new = "return 'changed'\n"

  init(
    _ name: String, changed: [Int] = [1], layout: Layout = .plain, isOneHoweverSlow: Bool = true,
    save: @escaping @Sendable (Editor) -> Void
  ) {
    self.name = name
    self.changed = changed
    self.layout = layout
    self.isOneHoweverSlow = isOneHoweverSlow
    self.save = save
  }

  static let all = inPlace + byRenaming + ofManyFiles + onTheWay + unchanged

  // MARK: In place

  private static let inPlace = [
    WayOfSaving("VS Code: truncate and write in place") { editor in
      editor.open("m1.lua", O_WRONLY, O_CREAT, O_TRUNC)
      editor.write(new)
      editor.flush()
      editor.close()
    },
    WayOfSaving("vim without a backup: its swap file, and in place") { editor in
      editor.put("b0VIM 9.0", into: ".m1.lua.swp", O_RDWR | O_CREAT | O_EXCL)
      editor.open("m1.lua", O_WRONLY, O_CREAT)
      editor.setLength(0)
      editor.write(new)
      editor.flush()
      editor.setMode(of: "m1.lua", 0o644)
      editor.close()
      editor.remove(".m1.lua.swp")
    },
    WayOfSaving("vim with backupcopy=yes: a copy, and in place") { editor in
      editor.put(old, into: "m1.lua~", O_WRONLY | O_CREAT | O_EXCL)
      editor.open("m1.lua", O_WRONLY, O_CREAT, O_TRUNC)
      editor.write(new)
      editor.flush()
      editor.close()
      editor.remove("m1.lua~")
    },
    WayOfSaving("emacs: a lock link, and in place") { editor in
      editor.link(".#m1.lua", to: "ada@earth.1234:1700000000")
      editor.put(new, into: "m1.lua")
      editor.remove(".#m1.lua")
    },
    WayOfSaving("truncated by name, then written") { editor in
      editor.setLength(of: "m1.lua", 0)
      editor.open("m1.lua", O_RDWR)
      editor.write(new)
      editor.close()
    },
    WayOfSaving("in pieces while it stays open") { editor in
      editor.open("m1.lua", O_WRONLY, O_TRUNC)
      for piece in ["return ", "'cha", "nged'", "\n"] { editor.write(piece) }
      editor.close()
    },
    WayOfSaving("in pieces, opened for each", isOneHoweverSlow: false) { editor in
      editor.put("return ", into: "m1.lua")
      editor.put("'changed'\n", into: "m1.lua", O_WRONLY | O_APPEND)
    },
    WayOfSaving("saved ten times in a row", isOneHoweverSlow: false) { editor in
      for number in 0..<10 { editor.put("return 'version \(number)'\n", into: "m1.lua") }
      editor.put(new, into: "m1.lua")
    },
    WayOfSaving("cp over it") { editor in
      editor.put(new, into: "other")
      editor.run("cp other m1.lua")
    },
  ]

  // MARK: By renaming

  private static let byRenaming = [
    WayOfSaving("vim: a probe, the old file renamed, a new one, the old one removed") { editor in
      editor.open("4913", O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW)
      editor.close()
      editor.remove("4913")
      editor.rename("m1.lua", to: "m1.lua~")
      editor.open("m1.lua", O_WRONLY, O_CREAT, O_TRUNC)
      editor.write(new)
      editor.flush()
      editor.close()
      editor.setMode(of: "m1.lua", 0o644)
      editor.remove("m1.lua~")
    },
    WayOfSaving("emacs: the old file renamed and kept") { editor in
      editor.rename("m1.lua", to: "m1.lua~")
      editor.put(new, into: "m1.lua", O_WRONLY | O_CREAT | O_EXCL)
    },
    WayOfSaving("a file beside it, flushed and renamed over it") { editor in
      editor.open(".goutputstream-A1B2C3", O_RDWR, O_CREAT, O_EXCL)
      editor.write(new)
      editor.flush()
      editor.close()
      editor.rename(".goutputstream-A1B2C3", to: "m1.lua")
    },
    WayOfSaving("JetBrains: both renamed, then the old one removed") { editor in
      editor.put(new, into: "m1.lua___jb_tmp___")
      editor.rename("m1.lua", to: "m1.lua___jb_old___")
      editor.rename("m1.lua___jb_tmp___", to: "m1.lua")
      editor.remove("m1.lua___jb_old___")
    },
    WayOfSaving("removed and written anew") { editor in
      editor.remove("m1.lua")
      editor.put(new, into: "m1.lua", O_WRONLY | O_CREAT | O_EXCL)
    },
    WayOfSaving("sed -i") { $0.run("sed -i s/one/changed/ m1.lua") },
    WayOfSaving("mv over it") { editor in
      editor.put(new, into: "other")
      editor.run("mv -f other m1.lua")
    },
  ]

  // MARK: Many files

  private static let ofManyFiles = [
    WayOfSaving("a checkout of all", changed: Array(1...8), isOneHoweverSlow: false) { editor in
      for number in 1...8 {
        editor.remove("m\(number).lua")
        editor.put(new, into: "m\(number).lua", O_WRONLY | O_CREAT | O_EXCL)
      }
    },
    WayOfSaving("a checkout that changes two of all", changed: [3, 5], isOneHoweverSlow: false) {
      for number in 1...8 {
        $0.remove("m\(number).lua")
        $0.put(
          number == 3 || number == 5 ? new : old, into: "m\(number).lua",
          O_WRONLY | O_CREAT | O_EXCL)
      }
    },
    WayOfSaving("sed -i of three", changed: [1, 2, 3]) {
      $0.run("sed -i s/one/changed/ m1.lua m2.lua m3.lua")
    },
  ]

  // MARK: Folders and links on the way

  private static let onTheWay = [
    WayOfSaving("the folder removed and made anew", isOneHoweverSlow: false) { editor in
      for number in 1...8 { editor.remove("m\(number).lua") }
      editor.removeFolder("../lib")
      editor.makeFolder("../lib")
      for number in 1...8 { editor.put(number == 1 ? new : old, into: "m\(number).lua") }
    },
    WayOfSaving("a new folder renamed into place") { editor in
      editor.run("cp -r . ../next && printf '%s' \"return 'changed'\" > ../next/m1.lua")
      editor.rename("../lib", to: "../former")
      editor.rename("../next", to: "../lib")
    },
    WayOfSaving("the target of a link, in place", layout: .linkedFile) {
      $0.put(new, into: "../kept/m1.lua")
    },
    WayOfSaving("the target of a link, renamed over", layout: .linkedFile) { editor in
      editor.put(new, into: "../kept/other")
      editor.rename("../kept/other", to: "../kept/m1.lua")
    },
    WayOfSaving("a file in place of a link", layout: .linkedFile) { editor in
      editor.put(new, into: "other")
      editor.rename("other", to: "m1.lua")
    },
    WayOfSaving("a link that leads elsewhere", layout: .linkedFile) { editor in
      editor.put(new, into: "../kept/m1-new.lua")
      editor.remove("m1.lua")
      editor.link("m1.lua", to: "../kept/m1-new.lua")
    },
    WayOfSaving("the target of a folder's link", layout: .linkedFolder) {
      $0.put(new, into: "../versions/1/m1.lua")
    },
    WayOfSaving("a folder's link replaced", layout: .linkedFolder) { editor in
      editor.link("../next", to: "versions/2")
      editor.rename("../next", to: "../lib")
    },
  ]

  // MARK: No saves

  private static let unchanged = [
    WayOfSaving("touch", changed: []) { editor in
      editor.open("m1.lua", O_WRONLY, O_CREAT, O_NOCTTY, O_NONBLOCK)
      editor.setTimes()
      editor.close()
    },
    WayOfSaving("touch of all", changed: []) { $0.run("touch *.lua") },
    WayOfSaving("chmod", changed: []) { $0.setMode(of: "m1.lua", 0o755) },
    WayOfSaving("the same contents, in place", changed: []) { $0.put(old, into: "m1.lua") },
    WayOfSaving("the same contents, renamed over", changed: []) { editor in
      editor.put(old, into: "other")
      editor.rename("other", to: "m1.lua")
    },
    WayOfSaving("changed and back while it is open", changed: []) { editor in
      editor.open("m1.lua", O_WRONLY, O_APPEND)
      editor.write("-- more")
      editor.setLength(old.utf8.count)
      editor.close()
    },
    WayOfSaving("a swap file, a backup, a probe and a lock", changed: []) { editor in
      editor.put("b0VIM", into: ".m1.lua.swp")
      editor.put(new, into: "m1.lua~")
      editor.put("", into: "4913")
      editor.link(".#m1.lua", to: "ada@earth.1234")
    },
    WayOfSaving("another name for it", changed: []) { $0.linkHard("m1-again.lua", to: "m1.lua") },
    WayOfSaving("read by others", changed: []) { $0.run("cat *.lua > /dev/null") },
    WayOfSaving("removed", changed: []) { $0.remove("m8.lua") },
  ]
}
