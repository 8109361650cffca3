#if Web
  import ArgumentParser

  /// `tidelock serve FILE`.
  struct ServeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "serve",
      abstract: "Shows an app in browsers.",
      discussion: """
        Prints the address to open, whose token lets browsers in, and runs the app until it ends. The \
        app reloads itself when it is saved, and a second address, for its developers alone, opens the \
        inspector; with --no-watch there is neither, and pages show nothing that is for developers.

        Examples:
          tidelock serve app.lua
          tidelock serve app.lua --port 8765 --no-watch
          tidelock serve app.lua --no-watch --sessions private --limit viewers=100
          tidelock serve app.lua --no-watch --sessions private --workers
          tidelock serve app.lua --listen 0.0.0.0 --certificate chain.pem --key key.pem
          tidelock serve app.lua --listen 192.0.2.7 --insecure --inspect

        Exit codes: as of run; 69 also where nothing can listen at the address.
        """)

    @Argument(help: "The app's main script.", completion: .file(extensions: ["lua"]))
    var file: String

    @OptionGroup var serving: ServeOptions

    @OptionGroup var options: RunOptions

    func validate() throws {
      if options.endsWithPicture {
        throw ValidationError("A picture is taken by run; serve goes on.")
      }
      if serving.inspect, options.watch == false {
        throw ValidationError("--inspect is for an app that is watched; leave out --no-watch.")
      }
    }

    func run() throws {
      var options = options
      options.watch = options.watch ?? true
      let session = RunSession(file: file, options: options)
      session.makePages = { [unowned session] in
        try serving.service(isDeveloping: $0, of: session)
      }
      session.isServedAlone = true
      if serving.workers { session.wall.startWorkers(WorkerRun.body(file, options)) }
      session.opensBrowser = serving.opensBrowser
      let status = session.run()
      Interrupts.dieOfSignal(endingWith: status)
      if status != .success { throw ExitCode(status.code) }
    }
  }
#endif
