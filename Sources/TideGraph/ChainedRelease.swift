import CTideSlots

/// Lets go of what may lead to a long chain of other things: lists in lists, references to
/// references.
///
/// ```swift
/// deinit { ChainedRelease.end(&elements, leaving: []) }
/// ```
///
/// Each link of a chain that ends in the middle of another one's end takes some of the stack. Beyond
/// a few, one waits until the outermost has ended, so a chain may be as long as memory allows.
/// Whatever a script can nest without limit goes this way.
package enum ChainedRelease {
  private static let deepest: UInt32 = 16

  /// Gives up what a variable holds.
  package static func end<Content>(_ content: inout Content, leaving empty: Content) {
    var held = empty
    swap(&held, &content)
    end(consume held)
  }

  /// Gives up a reference that was counted by hand, because it must end here and not with the object
  /// that it is part of.
  package static func end<Object: AnyObject>(_ object: Unmanaged<Object>) {
    let held = object.takeUnretainedValue()
    object.release()
    end(consume held)
  }

  private static func end<Content>(_ content: consuming Content) {
    guard let releases = tide_thread_releases() else { return forget(consume content) }
    if releases.pointee.depth >= deepest {
      queue(of: releases).waiting.append(WaitingRelease(consume content))
      return
    }
    releases.pointee.depth += 1
    forget(consume content)
    releases.pointee.depth -= 1
    if releases.pointee.depth == 0, releases.pointee.waiting != nil { drain(releases) }
  }

  /// Out of line, so that what it is given ends when it returns.
  @inline(never)
  private static func forget<Content>(_ content: consuming Content) {}

  private static func queue(of releases: UnsafeMutablePointer<TideReleases>) -> ReleaseQueue {
    if let known = releases.pointee.waiting {
      return Unmanaged<ReleaseQueue>.fromOpaque(known).takeUnretainedValue()
    }
    let made = ReleaseQueue()
    releases.pointee.waiting = Unmanaged.passRetained(made).toOpaque()
    return made
  }

  @inline(never)
  private static func drain(_ releases: UnsafeMutablePointer<TideReleases>) {
    let queue = queue(of: releases)
    releases.pointee.depth = 1
    while let next = queue.waiting.popLast() { forget(consume next) }
    releases.pointee.depth = 0
    releases.pointee.waiting = nil
    Unmanaged.passUnretained(queue).release()
  }
}

/// What waits until the outermost release of a thread has ended.
private final class ReleaseQueue {
  var waiting: [AnyObject] = []
}

private final class WaitingRelease<Content> {
  private let content: Content

  init(_ content: Content) { self.content = content }
}
