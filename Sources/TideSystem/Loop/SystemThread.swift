/// A system thread that runs one function.
///
/// ```swift
/// guard let thread = SystemThread({ work() }) else { throw TideError(.threads, "…") }
/// thread.join()
/// ```
package final class SystemThread {
  private var thread = pthread_t()

  /// Starts the thread; nil if no thread can be created.
  package init?(_ body: @escaping @Sendable () -> Void) {
    let box = Unmanaged.passRetained(Body(body))
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    // Deep recursion, for example in a parser, has as much stack as on the main thread, regardless
    // of the limits of the shell and the C library.
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

  /// The thread's number, to compare it with `pthread_self()`.
  package var id: pthread_t { thread }

  /// Detaches the thread; it cannot be joined any more.
  package func detach() { pthread_detach(thread) }

  /// Waits for the thread to end.
  package func join() { pthread_join(thread, nil) }

  private final class Body: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }
}
