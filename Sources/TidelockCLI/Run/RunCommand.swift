import ArgumentParser

/// `tidelock run FILE`.
struct RunCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Runs an app.",
    discussion: """
      On a terminal the app is live and reloads itself when it is saved: F12 shows the log, in which \
      r reloads and R starts it anew, ? shows all keys. Elsewhere it runs until nothing is left to do; \
      what it prints goes to standard output, and everything else to standard error. A run that ends \
      with a picture reads the app's settings, and keeps nothing of what it sets; its databases are \
      copies that are thrown away, of at most 256 MiB each, unless --original-stores is given.

      Examples:
        tidelock run app.lua
        tidelock run app.lua --snapshot --size 60x20 --set fruit.color=red
        tidelock run app.lua --keys "Tab h i Enter" --for 2 -- first second
        tidelock run app.lua --cast app.cast
        tidelock run app.lua --allow read=data,write=out --allow env=HOME

      Exit codes: 0 fine, 1 errors were listed while it ran, what exit(n) gave, 64 usage, 65 the \
      script has an error, 66 no such file, 69 not confined as --confine required it, or a \
      dumb terminal, 70 a fault of tidelock's, 130 interrupted.
      """)

  @Argument(help: "The app's main script.", completion: .file(extensions: ["lua"]))
  var file: String

  @Option(
    help: ArgumentHelp(
      "Record what the app shows as time passes, in the format asciicast v2, which asciinema plays.",
      valueName: "file"), completion: .file(extensions: ["cast"]))
  var cast: String?

  #if Web
    @Flag(help: "Show the app in browsers, too, and print the address to open.")
    var web = false

    @OptionGroup var serving: ServeOptions
  #endif

  @OptionGroup var options: RunOptions

  func validate() throws {
    if cast?.isEmpty == true { throw ValidationError("--cast needs the name of a file.") }
    #if Web
      if web, serving.sessions == .private {
        throw ValidationError(
          "run --web shows one app in the terminal and in browsers; --sessions private is for serve."
        )
      }
      if web, options.endsWithPicture {
        throw ValidationError("A picture ends the run; with --web the app goes on.")
      }
      if web { return }
    #endif
    try options.runtime.budgets.refuseLimitsOfServing()
  }

  func run() throws {
    let session = RunSession(file: file, options: options)
    session.castPath = cast
    #if Web
      if web {
        session.makePages = { [unowned session] in
          try serving.service(isDeveloping: $0, of: session)
        }
        session.opensBrowser = serving.opensBrowser
      }
    #endif
    let status = session.run()
    Interrupts.dieOfSignal(endingWith: status)
    if status != .success { throw ExitCode(status.code) }
  }
}
