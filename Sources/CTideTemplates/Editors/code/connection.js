// The base protocol of language servers: JSON-RPC messages behind headers, over two streams.
"use strict";

const { Buffer } = require("buffer");

/** The codes of JSON-RPC and of the protocol that are used here. */
const ErrorCodes = { methodNotFound: -32601, internalError: -32603, requestCancelled: -32800 };

/** The error that a server answers with. */
class ResponseError extends Error {
  constructor(code, message, data) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/** The connection has ended before an answer came. */
class ConnectionClosed extends Error {
  constructor() {
    super("the connection to the language server has ended");
  }
}

/** Splits a stream of bytes into messages. */
class MessageReader {
  constructor(onMessage, onError) {
    this.onMessage = onMessage;
    this.onError = onError;
    this.chunks = [];
    this.count = 0;
    /** The length of the message that is being read, or -1 within headers. */
    this.expected = -1;
  }

  push(chunk) {
    this.chunks.push(chunk);
    this.count += chunk.length;
    while (this.expected < 0 ? this.readHeaders() : this.readMessage());
  }

  join() {
    if (this.chunks.length !== 1) this.chunks = [Buffer.concat(this.chunks, this.count)];
    return this.chunks[0];
  }

  drop(count) {
    const rest = this.join().subarray(count);
    this.chunks = [rest];
    this.count = rest.length;
  }

  readHeaders() {
    const bytes = this.join();
    const end = bytes.indexOf("\r\n\r\n");
    if (end < 0) return false;
    const length = /^content-length: *(\d+)\s*$/im.exec(bytes.toString("latin1", 0, end));
    this.drop(end + 4);
    if (length) this.expected = Number(length[1]);
    else this.onError(new Error("a message of the language server has no length"));
    return true;
  }

  readMessage() {
    // A long message comes in many pieces, so they are joined only once.
    if (this.count < this.expected) return false;
    const text = this.join().toString("utf8", 0, this.expected);
    this.drop(this.expected);
    this.expected = -1;
    let message;
    try {
      message = JSON.parse(text);
    } catch (error) {
      this.onError(error);
      return true;
    }
    this.onMessage(message);
    return true;
  }
}

/**
 * Requests and notifications in both directions.
 *
 * `handlers.onRequest(method, params)` returns a result or a promise of one, or throws;
 * `handlers.onNotification(method, params)` returns nothing.
 */
class Connection {
  constructor(readable, writable, handlers) {
    this.writable = writable;
    this.handlers = handlers;
    this.nextId = 1;
    this.pending = new Map();
    this.isClosed = false;
    const reader = new MessageReader(
      (message) => this.receive(message), (error) => handlers.onError(error));
    readable.on("data", (chunk) => reader.push(chunk));
    readable.on("close", () => this.close());
    // If the server ends while it is written to, its exit handler reports that.
    writable.on("error", () => this.close());
  }

  /** Sends a request, and cancels it when the token is cancelled. */
  request(method, params, token) {
    if (this.isClosed) return Promise.reject(new ConnectionClosed());
    if (token && token.isCancellationRequested) {
      return Promise.reject(new ResponseError(ErrorCodes.requestCancelled, "cancelled"));
    }
    const id = this.nextId++;
    return new Promise((resolve, reject) => {
      const listener = token && token.onCancellationRequested(() => {
        if (this.pending.has(id)) this.notify("$/cancelRequest", { id });
      });
      this.pending.set(id, { resolve, reject, listener });
      this.send({ jsonrpc: "2.0", id, method, params });
    });
  }

  notify(method, params) {
    this.send({ jsonrpc: "2.0", method, params });
  }

  send(message) {
    if (this.isClosed) return;
    const body = Buffer.from(JSON.stringify(message), "utf8");
    this.writable.write(`Content-Length: ${body.length}\r\n\r\n`);
    this.writable.write(body);
  }

  receive(message) {
    if (message.method === undefined) return this.receiveAnswer(message);
    if (message.id === undefined) {
      try {
        return this.handlers.onNotification(message.method, message.params);
      } catch (error) {
        return this.handlers.onError(error);
      }
    }
    this.answer(message);
  }

  receiveAnswer(message) {
    const question = this.pending.get(message.id);
    if (!question) return;
    this.pending.delete(message.id);
    if (question.listener) question.listener.dispose();
    const { error } = message;
    if (error) question.reject(new ResponseError(error.code, error.message, error.data));
    else question.resolve(message.result);
  }

  async answer({ id, method, params }) {
    try {
      const result = await this.handlers.onRequest(method, params);
      this.send({ jsonrpc: "2.0", id, result: result === undefined ? null : result });
    } catch (error) {
      const code = error instanceof ResponseError ? error.code : ErrorCodes.internalError;
      this.send({ jsonrpc: "2.0", id, error: { code, message: String(error.message || error) } });
    }
  }

  /** Closes the connection: nothing is sent any more, and pending requests fail. */
  close() {
    if (this.isClosed) return;
    this.isClosed = true;
    for (const { reject, listener } of this.pending.values()) {
      if (listener) listener.dispose();
      reject(new ConnectionClosed());
    }
    this.pending.clear();
  }
}

module.exports = { Connection, ConnectionClosed, ErrorCodes, MessageReader, ResponseError };
