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

    @Option(
      help: ArgumentHelp(
        "The address to listen at (default: 127.0.0.1, which this machine alone reaches).",
        valueName: "address"))
    var listen: String?

    @Flag(help: "Serve other machines without encryption, which a server before this one may add.")
    var insecure = false

    func validate() throws {
      if !insecure, !options.isLoopback {
        throw ValidationError(
          "--listen \(options.address) serves other machines, and what is typed could be read on the "
            + "way: add --insecure where that does not matter, or where another server encrypts it."
        )
      }
      if let port, !(1...65535).contains(port) {
        throw ValidationError("--port is 1 to 65535, not \(port).")
      }
    }

    private var options: WebOptions {
      WebOptions(address: listen ?? "127.0.0.1", port: port ?? 0)
    }

    func service(isDeveloping: Bool) throws -> any PageDisplay {
      try WebService(options, isDeveloping: isDeveloping)
    }
  }

  extension WebService: PageDisplay {
    var pages: any InteractiveRenderer { renderer }
    func report(_ line: String) { renderer.report(line) }
    func showFailure(_ text: String?) { renderer.showFailure(text) }
    func errorsChanged() { renderer.errorsChanged() }
  }
#endif
