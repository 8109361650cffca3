/// A thread of the system's that runs one function.
///
/// ```swift
/// guard let thread = SystemThread({ work() }) else { throw TideError(.threads, "…") }
/// thread.join()
/// ```
package final class SystemThread {
  private var thread = pthread_t()

  /// Starts it; nil where the system has none left.
  package init?(_ body: @escaping @Sendable () -> Void) {
    let box = Unmanaged.passRetained(Body(body))
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    // What calls itself deeply, such as a parser, finds as much as on the main thread, whatever
    // the limits of the shell and the C library say.
    pthread_attr_setstacksize(&attributes, 8 << 20)
    let status = pthread_create(
      &thread, &attributes,
      { pointer in
        guard let pointer else { return nil }
        Unmanaged<Body>.fromOpaque(pointer).takeRetainedValue().run()
        return nil
      }, box.toOpaque())
    if status != 0 {
      box.release()
      return nil
    }
  }

  /// Lets it go on by itself; nobody waits for its end.
  package func detach() { pthread_detach(thread) }

  /// Waits for its end.
  package func join() { pthread_join(thread, nil) }

  private final class Body: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }
}
