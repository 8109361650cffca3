import TestFolders
import Testing

@testable import TideSystem

struct FilePollingTests {
  let loop: EventLoop
  let folder: ScratchFolder

  init() throws {
    loop = try EventLoop(clock: VirtualClock())
    folder = try ScratchFolder()
  }

  @Test func `a save is told once the file has come to rest`() {
    let path = folder.write("one", to: "app.lua")
    let polling = FilePolling(loop)
    let touches = Saves()
    polling.onTouch = { touches.all.append($0.sorted()) }
    polling.watch([path])
    loop.advance(by: 1)
    #expect(touches.all.isEmpty)
    folder.write("one, two", to: "app.lua")
    loop.advance(by: FilePolling.interval)
    #expect(touches.all.isEmpty)
    loop.advance(by: FilePolling.interval)
    #expect(touches.all == [[path]])
    loop.advance(by: 2)
    #expect(touches.all.count == 1)
  }

  @Test func `a refused report falls back to polling and says why`() {
    let path = folder.write("one", to: "app.lua")
    let watcher = SaveWatcher(loop) { () throws(SystemError) in
      throw SystemError("no more watches")
    }
    let saves = Saves()
    var notices: [String] = []
    watcher.onSave = { saves.all.append($0) }
    watcher.onNotice = { notices.append($0.message) }
    watcher.watch([path])
    #expect(notices == ["no more watches; files are looked at every 0.25 seconds instead"])
    folder.write("one, two", to: "app.lua")
    loop.advance(by: 1)
    #expect(saves.all == [[path]])
    #expect(!loop.hasWork)
  }

  @Test func `a source that fails later is replaced too`() throws {
    let path = folder.write("one", to: "app.lua")
    let failing = FailingSource()
    let watcher = SaveWatcher(loop) { () throws(SystemError) in failing }
    var notices = 0
    let saves = Saves()
    watcher.onSave = { saves.all.append($0) }
    watcher.onNotice = { _ in notices += 1 }
    watcher.watch([path])
    failing.onFailure(SystemError("gone"))
    #expect(notices == 1)
    #expect(failing.isStopped)
    folder.write("one, two", to: "app.lua")
    loop.advance(by: 1)
    #expect(saves.all == [[path]])
  }

  @Test func `an exhausted limit names the kernel setting`() {
    let message = Inotify.error(ENOSPC, limitedBy: .watches).message
    #expect(message.contains("fs.inotify.max_user_watches"))
    #expect(message.contains("sudo sysctl fs.inotify.max_user_watches="))
  }
}

final class FailingSource: SaveSource {
  var onTouch: (Set<String>) -> Void = { _ in }
  var onFailure: (SystemError) -> Void = { _ in }
  private(set) var isStopped = false

  func watch(_ files: [String]) throws(SystemError) {}
  func stop() { isStopped = true }
}

struct MountTableTests {
  let table = MountTable(
    """
    22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
    30 22 0:30 / /home rw shared:2 - nfs4 server:/home rw
    31 30 8:2 / /home/local rw - ext4 /dev/sda2 rw
    32 22 0:31 / /mnt/my\\040disk rw - fuse.sshfs host: rw
    33 22 0:32 / /mnt/twice rw - nfs server:/x rw
    34 22 0:33 / /mnt/twice rw - tmpfs tmpfs rw
    garbage
    """)

  @Test func `the innermost mount decides`() {
    #expect(!table.isSilent("/usr/app"))
    #expect(table.isSilent("/home/ada/app"))
    #expect(!table.isSilent("/home/local/app"))
    #expect(!table.isSilent("/homework"))
  }

  @Test func `names with blanks are understood`() {
    #expect(table.isSilent("/mnt/my disk/app"))
  }

  @Test func `the later of two mounts at one point decides`() {
    #expect(!table.isSilent("/mnt/twice"))
  }

  @Test func `this machine's table can be read`() {
    #expect(!MountTable.current.isSilent("/proc"))
  }
}
