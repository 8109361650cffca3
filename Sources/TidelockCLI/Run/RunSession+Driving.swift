import ArgumentParser
import Glibc
import TideBindings
import TideREPL
import TideReload
import TideScript
import TideTerminal
import TideViews

// What `tidelock drive` needs of a run.
extension RunSession {
  func driveHost(
    _ runtime: Runtime, _ script: String, _ display: (any PageService)?
  ) -> DriveHost {
    var host = DriveHost()
    host.isAlone = !isLive && display == nil
    if host.isAlone {
      host.resize = { [unowned runtime] in runtime.scene?.resize($0) }
    }
    host.quit = { [unowned self, unowned runtime] in end(runtime, .interrupted) }
    host.ansi = { frame in
      var encoder = FrameEncoder(capabilities: .full)
      return String(decoding: encoder.encode(frame), as: UTF8.self)
    }
    let start = ContinuousClock().now
    host.status = { [unowned self] in
      let uptime = ContinuousClock().now - start
      var fields: [(name: String, value: Message.Field)] = [
        ("name", .text(RunningApp.name(ofScript: script))),
        ("version", .text(TidelockCommand.configuration.version)), ("script", .text(script)),
        ("uptime", .number(Int(uptime.components.seconds))), ("watches", .flag(isWatching)),
      ]
      if let display { fields.append(("viewers", .number(display.viewerCount))) }
      if let lastReport {
        fields.append(("lastReload", .text(lastReport.line)))
        fields.append(
          ("reloadedBy", .text(wasAskedToReload ? "an attached program" : "a save or a key")))
      }
      return fields
    }
    return host
  }

  /// Tells the program that has started the app that it is shown.
  func beginDriving() {
    guard let descriptor = options.driven else { return }
    var byte: UInt8 = 1
    _ = write(descriptor, &byte, 1)
    // It stays open until the end, which the other program waits for.
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
  }
}
