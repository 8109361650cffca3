import FoundationEssentials
import TestFolders
import Testing

/// `tidelock new` for editors: settings in an app's folder, and plugins.
struct EditorTests {
  let folder: ScratchFolder
  /// The editors' folder in the sources.
  static let sources = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../Sources/CTideTemplates/Editors").standardized

  init() throws { folder = try ScratchFolder() }

  private func run(_ arguments: String...) throws -> Program.Outcome {
    try Program.run(
      ["new"] + arguments, in: folder,
      environment: ["HOME": folder.path, "XDG_DATA_HOME": folder.path + "/data"])
  }

  /// The files of an editor in the sources, with their texts.
  private static func files(of editor: String) throws -> [String: String] {
    var files: [String: String] = [:]
    let root = sources.appending(path: editor)
    for name in try FileManager.default.subpathsOfDirectory(atPath: root.path) {
      // Folders have no text.
      files[name] = try? String(contentsOf: root.appending(path: name), encoding: .utf8)
    }
    return files
  }

  @Test func `an app's folder has settings that start the server`() throws {
    _ = try run("counter")
    let helix = folder.read("counter/.helix/languages.toml")
    #expect(helix.contains("command = \"tidelock\""))
    #expect(helix.contains("[\"tidelock\", \"lua-language-server\"]"))
    #expect(folder.read("counter/.dir-locals.el").contains("(\"tidelock\" \"lsp\")"))
    let kate = folder.read("counter/.kateproject")
    #expect(kate.contains("\"name\": \"counter\""))
    #expect(kate.contains("\"command\": [\"tidelock\", \"lsp\"]"))
  }

  @Test func `the plugin for Neovim is one of its packages, file by file`() throws {
    let outcome = try run("--editor", "nvim")
    #expect(outcome.status == .exited(0), "\(outcome.errors)")
    let place = "data/nvim/site/pack/tidelock/start/tidelock"
    #expect(outcome.output.contains("files for Neovim to \(folder.path)/\(place)."))
    let files = try Self.files(of: "nvim")
    #expect(files.count >= 9)
    for (name, text) in files { #expect(folder.read("\(place)/\(name)") == text, "\(name)") }
  }

  @Test func `without a folder for data it is below the home`() throws {
    let outcome = try Program.run(
      ["new", "--editor", "nvim"], in: folder, environment: ["HOME": folder.path])
    #expect(outcome.status == .exited(0), "\(outcome.errors)")
    let place = ".local/share/nvim/site/pack/tidelock/start/tidelock"
    #expect(folder.entries(of: place).contains("plugin"))
  }

  @Test func `without a home it says which option names a folder`() throws {
    let outcome = try Program.run(["new", "--editor", "nvim"], in: folder)
    #expect(outcome.status == .exited(64))
    #expect(outcome.errors.contains("--into names the folder"))
  }

  @Test func `VS Code gets an archive to install, with the extension in it`() throws {
    let outcome = try run("--editor", "code")
    #expect(outcome.status == .exited(0), "\(outcome.errors)")
    let name = "data/tidelock/editors/tidelock-0.1.0.vsix"
    #expect(outcome.output.contains("code --install-extension \(folder.path)/\(name)"))
    let archive = try Archive(folder.readBytes(name))
    let files = try Self.files(of: "code")
    #expect(files.count >= 9)
    for (name, text) in files {
      #expect(archive.files["extension/\(name)"] == Array(text.utf8), "\(name)")
    }
    let others = Set(archive.files.keys).subtracting(files.keys.map { "extension/\($0)" })
    #expect(others == ["[Content_Types].xml", "extension.vsixmanifest"])
  }

  @Test func `the extension has the program's version`() throws {
    let version = try Program.run(["--version"], in: folder).output.dropLast()
    let files = try Self.files(of: "code").merging(Self.files(of: "vsix")) { first, _ in first }
    #expect(files["package.json"]?.contains("\"version\": \"\(version)\"") == true)
    #expect(files["extension.vsixmanifest"]?.contains("Version=\"\(version)\"") == true)
  }

  @Test func `a folder of one's own takes the plugin, for either editor`() throws {
    let nvim = try run("--editor", "nvim", "--into", "mine/tidelock.nvim/")
    #expect(nvim.output.contains("to mine/tidelock.nvim."))
    #expect(nvim.output.contains("'runtimepath'"))
    #expect(folder.entries(of: "mine/tidelock.nvim/lua/tidelock").contains("init.lua"))
    let code = try run("--editor", "code", "--into", "extension")
    #expect(code.output.contains("Install Extension from Location"))
    #expect(folder.entries(of: "extension").contains("package.json"))
  }

  @Test func `written again it replaces what was written, not what was changed`() throws {
    _ = try run("--editor", "nvim", "--into", "plugin")
    #expect(try run("--editor", "nvim", "--into", "plugin").status == .exited(0))
    folder.write("mine", to: "plugin/plugin/tidelock.lua")
    folder.write("mine", to: "plugin/another.lua")
    let refused = try run("--editor", "nvim", "--into", "plugin")
    #expect(refused.status == .exited(64))
    #expect(refused.errors.contains("somebody has changed plugin/tidelock.lua in plugin"))
    #expect(refused.errors.contains("--force"))
    #expect(folder.read("plugin/plugin/tidelock.lua") == "mine")
    #expect(try run("--editor", "nvim", "--into", "plugin", "--force").status == .exited(0))
    #expect(folder.read("plugin/plugin/tidelock.lua") != "mine")
    #expect(folder.read("plugin/another.lua") == "mine")
  }

  @Test func `files of an older version are replaced or go`() throws {
    _ = try run("--editor", "nvim", "--into", "plugin")
    // As an older version would have written them. The checksum is that of "old".
    folder.write("old", to: "plugin/plugin/tidelock.lua")
    folder.write("old", to: "plugin/gone.lua")
    folder.write("new", to: "plugin/kept.lua")
    folder.write(
      """
      1063113957 plugin/tidelock.lua
      1063113957 gone.lua
      1063113957 kept.lua
      1063113957 ../outside.lua

      """, to: "plugin/.written")
    folder.write("old", to: "outside.lua")
    #expect(try run("--editor", "nvim", "--into", "plugin").status == .exited(0))
    #expect(folder.read("plugin/plugin/tidelock.lua").contains("require(\"tidelock\")"))
    #expect(!folder.entries(of: "plugin").contains("gone.lua"))
    #expect(folder.read("plugin/kept.lua") == "new")
    #expect(folder.read("outside.lua") == "old")
  }

  @Test func `a link leads to files that are kept, and stays when they are written again`() throws {
    let outcome = try run("--editor", "nvim", "--link")
    #expect(outcome.status == .exited(0), "\(outcome.errors)")
    let link = "data/nvim/site/pack/tidelock/start/tidelock"
    let kept = "data/tidelock/editors/nvim"
    #expect(outcome.output.contains("\(folder.path)/\(link) leads there."))
    #expect(folder.entries(of: link) == folder.entries(of: kept))
    #expect(folder.entries(of: kept).contains("plugin"))
    #expect(try run("--editor", "nvim", "--link").status == .exited(0))
    // Without the option it would write through the link.
    let through = try run("--editor", "nvim")
    #expect(through.status == .exited(64))
    #expect(through.errors.contains("is a link to \(folder.path)/\(kept)"))
  }

  @Test func `a link to something else, and a folder, are left alone`() throws {
    folder.makeFolder("other")
    folder.link("there", to: "other")
    let refused = try run("--editor", "nvim", "--link", "--into", "there")
    #expect(refused.status == .exited(64))
    #expect(refused.errors.contains("there is a link to other; --force makes it lead"))
    let forced = try run("--editor", "nvim", "--link", "--into", "there", "--force")
    #expect(forced.status == .exited(0), "\(forced.errors)")
    #expect(folder.entries(of: "there").contains("plugin"))
    #expect(folder.entries(of: "other").isEmpty)
    let full = try run("--editor", "nvim", "--link", "--into", "other")
    #expect(full.status == .exited(64))
    #expect(full.errors.contains("no link"))
  }

  @Test func `what cannot be written is told`() throws {
    folder.write("", to: "file")
    let outcome = try run("--editor", "nvim", "--into", "file/plugin")
    #expect(outcome.status == .exited(66))
    #expect(outcome.errors.contains("error[E0407]: cannot make the folder"))
  }

  @Test func `an app and an editor are two things`() throws {
    #expect(try run("counter", "--editor", "nvim").status == .exited(64))
    #expect(try run("--editor", "nvim", "--template", "logs").status == .exited(64))
    let without = try run("counter", "--force")
    #expect(without.status == .exited(64))
    #expect(without.errors.contains("are for --editor"))
    let neither = try run()
    #expect(neither.status == .exited(64))
    #expect(neither.errors.contains("the name of an app, or an editor"))
    #expect(!folder.entries(of: ".").contains("counter"))
  }

  @Test func `an editor without a plugin is a usage error with those that have one`() throws {
    let outcome = try run("--editor", "vim")
    #expect(outcome.status == .exited(64))
    #expect(outcome.errors.contains("code") && outcome.errors.contains("nvim"))
  }

  @Test func `as JSON`() throws {
    let nvim = try run("--editor", "nvim", "--into", "plugin", "--json")
    let start = "{\"editor\":\"nvim\",\"folder\":\"plugin\",\"files\":[\"doc/tags\","
    #expect(nvim.output.hasPrefix(start))
    let code = try run("--editor", "code", "--json")
    let path = "\(folder.path)/data/tidelock/editors/tidelock-0.1.0.vsix"
    #expect(code.output == "{\"editor\":\"code\",\"archive\":\"\(path)\"}\n")
  }
}

/// The files of a zip archive that stores them as they are, by its directory and their own headers.
private struct Archive {
  private(set) var files: [String: [UInt8]] = [:]

  struct Failure: Error {
    let reason: String
  }

  init(_ bytes: [UInt8]) throws {
    func number(_ offset: Int, _ count: Int) throws -> Int {
      guard offset >= 0, offset + count <= bytes.count else { throw Failure(reason: "cut off") }
      return bytes[offset..<offset + count].reversed().reduce(0) { $0 << 8 | Int($1) }
    }
    func text(_ offset: Int, _ count: Int) throws -> String {
      guard offset + count <= bytes.count else { throw Failure(reason: "cut off") }
      return String(decoding: bytes[offset..<offset + count], as: UTF8.self)
    }
    let end = bytes.count - 22
    guard try number(end, 4) == 0x0605_4b50 else { throw Failure(reason: "no end") }
    var entry = try number(end + 16, 4)
    guard try entry + number(end + 12, 4) == end else {
      throw Failure(reason: "the directory has another size")
    }
    for _ in 0..<(try number(end + 10, 2)) {
      guard try number(entry, 4) == 0x0201_4b50 else { throw Failure(reason: "no entry") }
      let count = try number(entry + 24, 4)
      let length = try number(entry + 28, 2)
      let name = try text(entry + 46, length)
      let header = try number(entry + 42, 4)
      guard try number(header, 4) == 0x0403_4b50, try text(header + 30, length) == name,
        try number(header + 14, 4) == number(entry + 16, 4), try number(header + 18, 4) == count
      else { throw Failure(reason: "\(name) is told of in two ways") }
      let start = header + 30 + length
      guard start + count <= bytes.count else { throw Failure(reason: "\(name) is cut off") }
      let content = Array(bytes[start..<start + count])
      guard try Self.checksum(content) == number(header + 14, 4) else {
        throw Failure(reason: "\(name) has another checksum")
      }
      files[name] = content
      entry += 46 + length
    }
  }

  /// The CRC-32 by polynomial division, as the standard describes it.
  private static func checksum(_ bytes: [UInt8]) -> Int {
    var rest: UInt32 = .max
    for byte in bytes {
      for bit in 0..<8 {
        let isOdd = (rest ^ UInt32(byte >> bit)) & 1 == 1
        rest >>= 1
        if isOdd { rest ^= 0xedb8_8320 }
      }
    }
    return Int(rest ^ .max)
  }
}
