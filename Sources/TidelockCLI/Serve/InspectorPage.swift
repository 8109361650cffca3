#if Web
  import Synchronization
  import TideBindings
  import TideREPL
  import TideScript
  import TideWeb

  /// The inspector in a browser, on a separate thread.
  enum InspectorPage {
    private static let last = Atomic(0)

    static func maker(_ app: any InspectionSource) -> PrivateApp.Maker {
      { _ in
        let number = last.add(1, ordering: .relaxed).newValue
        let inspector = try InspectorApp { app.ask(number, $0) }
        let (inbox, relay) = (inspector.runtime.loop.inbox, Relay(inspector))
        app.connect(number) { message in inbox.post { relay.content?.take(message) } }
        return PrivateApp(
          inspector.runtime,
          finish: {
            app.disconnect(number)
            relay.end()
          })
      }
    }
  }
#endif
