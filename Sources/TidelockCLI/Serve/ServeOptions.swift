#if Web
  import ArgumentParser
  import TideBindings
  import TideReload
  import TideScript
  import TideViews
  import TideWeb

  /// Where an app is served.
  struct ServeOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The port to listen at (default: a free one).", valueName: "number"))
    var port: Int?

    func validate() throws {
      if let port, !(1...65535).contains(port) {
        throw ValidationError("--port is 1 to 65535, not \(port).")
      }
    }

    func service(isDeveloping: Bool) throws -> any PageDisplay {
      try WebService(WebOptions(port: port ?? 0), isDeveloping: isDeveloping)
    }
  }

  extension WebService: PageDisplay {
    var pages: any InteractiveRenderer { renderer }
    func report(_ line: String) { renderer.tell("report", line) }
    func showFailure(_ text: String?) { renderer.tell("failed", text) }
    func errorsChanged() { renderer.errorsChanged() }
  }
#endif
