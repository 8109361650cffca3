"use strict";

const assert = require("node:assert/strict");
const { EventEmitter } = require("node:events");
const { PassThrough } = require("node:stream");
const { test } = require("node:test");
const { loadExtension, makeEditor, makeToken } = require("./editor");

const { Connection, ConnectionClosed, MessageReader } = loadExtension(makeEditor(), "connection.js");

const frame = (message) => {
  const body = Buffer.from(JSON.stringify(message));
  return Buffer.concat([Buffer.from(`Content-Length: ${body.length}\r\n\r\n`), body]);
};

/** A connection, with what it writes and a way to send it messages. */
function connect(handlers = {}) {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const sent = [];
  const reader = new MessageReader((message) => sent.push(message), assert.ifError);
  output.on("data", (chunk) => reader.push(chunk));
  const errors = [];
  const connection = new Connection(input, output, {
    onRequest: () => null, onNotification: () => {}, onError: (error) => errors.push(error), ...handlers,
  });
  return { connection, input, sent, errors, send: (message) => input.write(frame({ jsonrpc: "2.0", ...message })) };
}

const turn = () => new Promise(setImmediate);

test("messages are read however the stream is split", () => {
  const wanted = [{ text: "ü🌊" }, { a: 1 }, {}];
  const bytes = Buffer.concat(wanted.map(frame));
  for (let size = 1; size <= bytes.length; size += 1) {
    const found = [];
    const reader = new MessageReader((message) => found.push(message), assert.ifError);
    for (let start = 0; start < bytes.length; start += size) {
      reader.push(bytes.subarray(start, start + size));
    }
    assert.deepEqual(found, wanted, `pieces of ${size}`);
  }
});

test("headers other than the length are ignored, in any case", () => {
  const found = [];
  const reader = new MessageReader((message) => found.push(message), assert.ifError);
  reader.push(Buffer.from("content-type: application/json\r\ncontent-length:  2 \r\n\r\n{}"));
  assert.deepEqual(found, [{}]);
});

test("invalid JSON is reported, and the next message is read", () => {
  const [found, errors] = [[], []];
  const reader = new MessageReader((message) => found.push(message), (error) => errors.push(error));
  reader.push(Buffer.concat([Buffer.from("Content-Length: 3\r\n\r\n{a}"), frame({ b: 1 })]));
  assert.equal(errors.length, 1);
  assert.deepEqual(found, [{ b: 1 }]);
});

test("answers find their requests in any order", async () => {
  const { connection, sent, send } = connect();
  const first = connection.request("first", {});
  const second = connection.request("second", {});
  await turn();
  send({ id: sent[1].id, result: "b" });
  send({ id: sent[0].id, error: { code: 7, message: "no" } });
  assert.equal(await second, "b");
  await assert.rejects(first, { message: "no", code: 7 });
});

test("a request is cancelled with its token, but not after its answer", async () => {
  const { connection, sent, send } = connect();
  const token = makeToken();
  const question = connection.request("slow", {}, token);
  await turn();
  token.cancel();
  await turn();
  assert.deepEqual(sent[1], { jsonrpc: "2.0", method: "$/cancelRequest", params: { id: sent[0].id } });
  send({ id: sent[0].id, error: { code: -32800, message: "cancelled" } });
  await assert.rejects(question, { code: -32800 });
  const other = makeToken();
  const answered = connection.request("quick", {}, other);
  await turn();
  send({ id: sent[2].id, result: 1 });
  await answered;
  other.cancel();
  await turn();
  assert.equal(sent.length, 3);
});

test("a request with a cancelled token is not sent", async () => {
  const { connection, sent } = connect();
  const token = makeToken();
  token.cancel();
  await assert.rejects(connection.request("late", {}, token), { code: -32800 });
  await turn();
  assert.deepEqual(sent, []);
});

test("requests from the server are answered, or fail with an error", async () => {
  const { sent, send } = connect({
    onRequest: (method) => {
      if (method === "bad") throw new Error("bad it is");
      return { method };
    },
  });
  send({ id: "x", method: "good", params: {} });
  send({ id: 2, method: "bad", params: {} });
  await turn();
  await turn();
  // In the order in which they are ready.
  const answers = Object.fromEntries(sent.map((answer) => [answer.id, answer]));
  assert.deepEqual(answers, {
    x: { jsonrpc: "2.0", id: "x", result: { method: "good" } },
    2: { jsonrpc: "2.0", id: 2, error: { code: -32603, message: "bad it is" } },
  });
});

test("when it closes, pending requests fail", async () => {
  const { connection, input } = connect();
  const question = connection.request("any", {});
  input.destroy();
  await assert.rejects(question, ConnectionClosed);
  await assert.rejects(connection.request("more", {}), ConnectionClosed);
});

test("a stream that cannot be written to closes it", async () => {
  const broken = Object.assign(new EventEmitter(), { write: () => broken.emit("error", new Error("EPIPE")) });
  const connection = new Connection(new PassThrough(), broken, { onError: assert.ifError });
  await assert.rejects(connection.request("any", {}), ConnectionClosed);
});
