import ArgumentParser
import TideBindings
import TideLua
import TideREPL
import TideScript
import TideSystem

#if Share
  import TideShare
#endif

/// The server for models that scripts declare with `shared`.
///
/// Missing options default to the environment variables of NATS's own tools, such as `NATS_CREDS`.
struct SharingOptions: ParsableArguments {
  @Option(
    name: .customLong("share"),
    help: ArgumentHelp(
      "Share models over a NATS server: nats://HOST:PORT/BUCKET, or tls:// (needs --allow net too).",
      valueName: "address"))
  var address: String?

  @Option(
    name: .customLong("share-credentials"),
    help: ArgumentHelp("A file of credentials for that server.", valueName: "file"),
    completion: .file())
  var credentials: String?

  @Option(
    name: .customLong("share-ca"),
    help: ArgumentHelp("A file of certificates to trust there.", valueName: "file"),
    completion: .file())
  var authorities: String?

  @Option(
    name: .customLong("share-cert"),
    help: ArgumentHelp("A file with a certificate of one's own.", valueName: "file"),
    completion: .file())
  var certificate: String?

  @Option(
    name: .customLong("share-key"),
    help: ArgumentHelp("A file with the private key of that certificate.", valueName: "file"),
    completion: .file())
  var key: String?

  @Flag(name: .customLong("share-read-only"), help: "Only read what is shared.")
  var isReadOnly = false

  mutating func validate() throws {
    #if Share
      do { _ = try options } catch {
        throw ValidationError("--share: \(error.message).")
      }
    #else
      if address != nil {
        throw ValidationError(
          "--share needs the trait Share, without which this program was built.")
      }
    #endif
  }

  /// Files that must stay readable under confinement.
  var files: [String] {
    #if Share
      let wanted = try? options
      return [wanted?.credentials, wanted?.authorities, wanted?.certificate, wanted?.key]
        .compactMap { $0 }
    #else
      return []
    #endif
  }

  #if Share
    fileprivate var options: NatsOptions? {
      get throws(NatsOptionsError) {
        guard let address else { return nil }
        var options = try NatsOptions(address)
        options.credentials = credentials ?? Self.variable("NATS_CREDS")
        options.authorities = authorities ?? Self.variable("NATS_CA")
        options.certificate = certificate ?? Self.variable("NATS_CERT")
        options.key = key ?? Self.variable("NATS_KEY")
        if options.user == nil, let user = Self.variable("NATS_USER") {
          options.user = user
          options.password = Self.variable("NATS_PASSWORD")
        }
        options.token = options.token ?? Self.variable("NATS_TOKEN")
        options.isReadOnly = isReadOnly
        return options
      }
    }

    private static func variable(_ name: String) -> String? {
      guard let value = getenv(name), value.pointee != 0 else { return nil }
      return String(cString: value)
    }
  #endif
}

/// The program's connection to the server, shared by all runtimes.
final class Sharing {
  #if Share
    private let engine: NatsEngine
  #endif

  /// Prepares the connection, which is established with the first shared model.
  ///
  /// - Returns: nil without a server.
  /// - Throws: an error if the connection cannot be prepared.
  static func make(_ options: SharingOptions, of file: String) throws -> Sharing? {
    #if Share
      return try options.options.map { try Sharing($0, of: file) }
    #else
      return nil
    #endif
  }

  #if Share
    private init(_ options: NatsOptions, of file: String) throws {
      hosts = options.hosts
      do { engine = try NatsEngine(options, name: RunningApp.name(ofScript: file)) } catch {
        throw TideError(.sharing, (error as? NatsOptionsError)?.message ?? "\(error)")
      }
    }
  #endif

  /// The engine for shared models.
  var shared: (any SharingEngine)? {
    #if Share
      return engine
    #else
      return nil
    #endif
  }

  #if Share
    private let hosts: [NatsOptions.Server]
  #else
    private let hosts: [(name: String, port: Int)] = []
    private init() {}
  #endif

  /// Lets a runtime share its models if its scripts may connect to the servers.
  func apply(to configuration: inout Runtime.Configuration) {
    #if Share
      configuration.shared = engine
    #endif
    let (hosts, access) = (hosts, configuration.lua.access)
    configuration.admitsSharing = { _ in
      for host in hosts {
        if let refusal = access.refusal(host: host.name, port: host.port) {
          throw TideError(.notAllowed, "shared models: \(refusal)")
        }
      }
    }
  }

  /// Closes the connection after the pending writes have been sent, or after a timeout.
  func end() {
    #if Share
      engine.close()
    #endif
  }
}
