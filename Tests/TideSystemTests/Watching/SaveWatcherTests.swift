import TestFolders
import Testing

@testable import TideSystem

struct SaveWatcherTests {
  let loop: EventLoop
  let watcher: SaveWatcher
  let folder: ScratchFolder
  let saves = Saves()

  init() throws {
    loop = try EventLoop()
    watcher = SaveWatcher(loop)
    folder = try ScratchFolder()
    watcher.onSave = { [saves] in saves.all.append($0) }
    watcher.onNotice = { Issue.record("\($0)") }
  }

  /// Turns the loop until a save has been told, and then long enough for a second one.
  private func settle(for seconds: Double = 0.3, until count: Int = 1) {
    let end = loop.now() + 5
    while saves.all.count < count, loop.now() < end { loop.turn(timeout: 0.1) }
    let quiet = loop.now() + seconds
    while loop.now() < quiet { loop.turn(timeout: quiet - loop.now()) }
  }

  private func watch(_ name: String, _ text: String = "one") -> String {
    let path = folder.write(text, to: name)
    watcher.watch([path])
    return path
  }

  /// Writes a file once more, and waits for the second save.
  private func writeAgain(_ name: String) {
    folder.write("again", to: name)
    settle(until: 2)
  }

  // MARK: Ways of saving

  @Test func `renaming a new file over the old one is one save`() {
    let path = watch("app.lua")
    folder.write("two", to: "app.lua.tmp")
    folder.rename("app.lua.tmp", to: "app.lua")
    settle()
    #expect(saves.all == [[path]])
    // The new file is watched like the old one.
    writeAgain("app.lua")
    #expect(saves.all == [[path], [path]])
  }

  @Test func `deleting and writing anew is one save`() {
    let path = watch("app.lua")
    folder.remove("app.lua")
    settle(for: 0.1, until: 0)
    #expect(saves.all.isEmpty)
    folder.write("two", to: "app.lua")
    settle()
    #expect(saves.all == [[path]])
  }

  @Test func `a file that is still open is not saved yet`() throws {
    let path = watch("app.lua")
    let file = try #require(fopen(path, "w"))
    fputs("tw", file)
    fflush(file)
    settle(for: 0.1, until: 0)
    #expect(saves.all.isEmpty)
    fputs("o", file)
    fclose(file)
    settle()
    #expect(saves.all == [[path]])
  }

  @Test func `two files saved together are one report`() {
    let paths = ["a.lua", "b.lua"].map { folder.write("one", to: $0) }
    watcher.watch(paths)
    folder.write("two", to: "b.lua")
    folder.write("two", to: "a.lua")
    settle()
    #expect(saves.all == [paths])
  }

  @Test func `other files do not count`() {
    _ = watch("app.lua")
    folder.write("x", to: "notes.txt")
    settle(for: 0.1, until: 0)
    #expect(saves.all.isEmpty)
  }

  @Test func `a file that is not there yet counts when it comes`() {
    let path = folder.path + "/late/app.lua"
    watcher.watch([path])
    folder.makeFolder("late")
    settle(for: 0.05, until: 0)
    folder.write("one", to: "late/app.lua")
    settle()
    #expect(saves.all == [[path]])
  }

  // MARK: Folders and links

  @Test func `a folder that is made anew is watched`() {
    folder.makeFolder("app")
    let path = watch("app/main.lua")
    folder.rename("app", to: "old")
    folder.makeFolder("app")
    settle(for: 0.05, until: 0)
    folder.write("two", to: "app/main.lua")
    settle()
    #expect(saves.all == [[path]])
    folder.write("three", to: "old/main.lua")
    settle(for: 0.1)
    #expect(saves.all.count == 1)
  }

  @Test func `a link that points elsewhere counts`() {
    for (index, name) in ["v1", "v2"].enumerated() {
      folder.makeFolder(name)
      folder.write("version \(index)", to: name + "/app.lua")
    }
    folder.link("current", to: "v1")
    let path = folder.path + "/current/app.lua"
    watcher.watch([path])
    folder.link("next", to: "v2")
    folder.rename("next", to: "current")
    settle()
    #expect(saves.all == [[path]])
    writeAgain("v2/app.lua")
    #expect(saves.all.count == 2)
  }

  @Test func `a link that points at itself is no trouble`() {
    folder.link("loop", to: "loop")
    watcher.watch([folder.path + "/loop/app.lua"])
    settle(for: 0.05, until: 0)
    #expect(saves.all.isEmpty)
  }

  @Test func `relative paths work`() {
    let plan = WatchPlan(files: ["./a/../main.lua"], from: folder.path)
    #expect(plan.homes == [folder.path])
    #expect(plan.names[folder.path]?["main.lua"] == ["./a/../main.lua"])
  }

  // MARK: Saves while watching begins

  @Test func `a save while the file begins to be watched counts, though no event tells of it`() {
    let path = folder.write("one", to: "app.lua")
    let start = SaveTime.now
    let watcher = SaveWatcher(loop) { SavingSource { folder.write("two", to: "app.lua") } }
    watcher.onSave = { [saves] in saves.all.append($0) }
    watcher.watch([path], readSince: start)
    settle()
    #expect(saves.all == [[path]])
  }

  // MARK: Other files

  @Test func `watching other files forgets the first ones and keeps what is known`() {
    let paths = ["a.lua", "b.lua"].map { folder.write("one", to: $0) }
    watcher.watch([paths[0]])
    folder.write("two", to: "a.lua")
    // Before the report has been read.
    watcher.watch(paths)
    settle()
    #expect(saves.all == [[paths[0]]])
    watcher.watch([paths[1]])
    folder.write("three", to: "a.lua")
    settle(for: 0.1)
    #expect(saves.all.count == 1)
  }

  @Test func `nothing is told after stop`() {
    _ = watch("app.lua")
    folder.write("two", to: "app.lua")
    watcher.stop()
    settle(for: 0.1, until: 0)
    #expect(saves.all.isEmpty)
  }
}

final class Saves {
  var all: [[String]] = []
}

/// A source during whose registration files are saved, and that sends no events.
private final class SavingSource: SaveSource {
  var onTouch: (Set<String>) -> Void = { _ in }
  var onFailure: (SystemError) -> Void = { _ in }
  private let save: () -> Void

  init(_ save: @escaping () -> Void) { self.save = save }

  func watch(_ files: [String]) { save() }
  func stop() {}
}
