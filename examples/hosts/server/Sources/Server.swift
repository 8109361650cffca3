import Tidelock

/// How a request ended.
enum Response: Sendable, Equatable {
  case answer(String)
  /// The script did what it must not.
  case refused(String)
  /// The deadline passed, or the client went away, or the server closes.
  case late, cancelled, closed
  /// The server has no such tenant.
  case unknown
  case failed(String)
}

/// Answers requests of tenants, each within its deadline.
actor Server {
  private let database = Database()
  private var tenants: [String: Tenant] = [:]
  private var requests: [Int: Task<Response, Never>] = [:]
  private var lastRequest = 0
  private var isClosing = false

  /// How many requests are being answered.
  var requestCount: Int { requests.count }

  /// Lets a tenant in, in the place of a former one of that name. Its script runs at its first
  /// request.
  func admit(_ name: String, script: String) async {
    await dismiss(name)
    if !isClosing { tenants[name] = Tenant(name, script: script, database: database) }
  }

  /// Sends a tenant away; what still runs for it ends.
  func dismiss(_ name: String) async { await tenants.removeValue(forKey: name)?.close() }

  /// Answers a request. When the calling task is cancelled, the request is.
  func answer(_ name: String, _ function: String, within limit: Duration) async -> Response {
    if isClosing { return .closed }
    guard let tenant = tenants[name] else { return .unknown }
    let request = Task { await Self.answer(tenant, function, within: limit) }
    lastRequest += 1
    let number = lastRequest
    requests[number] = request
    let response = await withTaskCancellationHandler {
      await request.value
    } onCancel: {
      request.cancel()
    }
    requests[number] = nil
    return response == .cancelled && isClosing ? .closed : response
  }

  /// Takes no more requests, cancels those that take longer than a moment, and ends all tenants.
  func shutDown(after moment: Duration = .milliseconds(200)) async {
    isClosing = true
    let running = Array(requests.values)
    let impatience = Task {
      try? await Task.sleep(for: moment)
      for request in running { request.cancel() }
    }
    for request in running { _ = await request.value }
    impatience.cancel()
    for tenant in tenants.values { await tenant.close() }
    tenants = [:]
  }

  private static func answer(
    _ tenant: Tenant, _ function: String, within limit: Duration
  ) async -> Response {
    await withTaskGroup(of: Response?.self) { group in
      group.addTask { await answer(tenant, function) }
      group.addTask {
        // Nil where the answer was there first.
        do { try await Task.sleep(for: limit) } catch { return nil }
        return .late
      }
      var first: Response?
      for await response in group where response != nil && first == nil {
        first = response
        group.cancelAll()
      }
      return first ?? .cancelled
    }
  }

  private static func answer(_ tenant: Tenant, _ function: String) async -> Response {
    do { return .answer(try await tenant.call(function)) } catch let error as TideError {
      if Task.isCancelled { return .cancelled }
      switch error.code {
      case .scriptTime, .scriptMemory, .unresolvedName: return .refused(error.code.name)
      default: return .failed("\(error)")
      }
    } catch is CancellationError { return .cancelled } catch { return .failed("\(error)") }
  }
}
