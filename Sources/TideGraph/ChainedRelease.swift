import CTideSlots

/// Releases objects that may own long chains of other objects, such as nested lists.
///
/// ```swift
/// deinit { ChainedRelease.release(&elements, leaving: []) }
/// ```
///
/// Each object that is released in another object's `deinit` uses stack space. Beyond a few levels,
/// further objects are queued until the outermost release has returned, so the length of a chain is
/// limited only by memory. Everything that a script can nest without limit is released this way.
package enum ChainedRelease {
  private static let deepest: UInt32 = 16

  /// Releases a variable's content.
  package static func release<Content>(_ content: inout Content, leaving empty: Content) {
    var held = empty
    swap(&held, &content)
    release(consume held)
  }

  /// Releases a manually retained reference. Swift would release it only after `deinit` has
  /// returned.
  package static func release<Object: AnyObject>(_ object: Unmanaged<Object>) {
    let held = object.takeUnretainedValue()
    object.release()
    release(consume held)
  }

  private static func release<Content>(_ content: consuming Content) {
    guard let releases = tide_thread_releases() else { return drop(consume content) }
    if releases.pointee.depth >= deepest {
      queue(of: releases).waiting.append(WaitingRelease(consume content))
      return
    }
    releases.pointee.depth += 1
    drop(consume content)
    releases.pointee.depth -= 1
    if releases.pointee.depth == 0, releases.pointee.waiting != nil { drain(releases) }
  }

  /// Not inlined, so that its argument is released when it returns.
  @inline(never)
  private static func drop<Content>(_ content: consuming Content) {}

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
    while let next = queue.waiting.popLast() { drop(consume next) }
    releases.pointee.depth = 0
    releases.pointee.waiting = nil
    Unmanaged.passUnretained(queue).release()
  }
}

/// Objects to release when a thread's outermost release has returned.
private final class ReleaseQueue {
  var waiting: [AnyObject] = []
}

private final class WaitingRelease<Content> {
  private let content: Content

  init(_ content: Content) { self.content = content }
}
