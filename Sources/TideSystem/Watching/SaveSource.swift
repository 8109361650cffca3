/// Something that notices when files may have been saved: the system's reports, or looking again
/// and again.
///
/// For every conformer this holds:
///
/// ```swift
/// source.onTouch = { files in … }   // from the loop, soon after a file was closed or renamed
/// try source.watch(["app.lua"])     // these, and no others any more
/// source.stop()                     // nothing comes after this
/// ```
///
/// It may report a file that has not changed, and the same save several times; it never reports one
/// that is still being written as far as it can tell.
package protocol SaveSource: AnyObject {
  var onTouch: (Set<String>) -> Void { get set }
  /// Told when watching has become impossible.
  var onFailure: (SystemError) -> Void { get set }
  func watch(_ files: [String]) throws(SystemError)
  func stop()
}
