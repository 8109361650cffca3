// The page of TideWeb: shows the views that the server describes, and sends it the person's acts.
//
//     WebSocket ──operations──▶ views by number ──▶ elements
//     elements ──events──▶ unacknowledged ──▶ WebSocket
//
// The server owns the models; the page owns the text being edited, the focus and scroll offsets. To
// add a class of views, add an entry to `classes`.
"use strict";

// MARK: Elements

// Sets attributes. Functions become listeners, and null removes an attribute.
function set(element, attributes) {
  for (const name in attributes) {
    const value = attributes[name];
    if (typeof value === "function") element.addEventListener(name, value);
    else if (value == null) element.removeAttribute(name);
    else element.setAttribute(name, value);
  }
  return element;
}

function create(tag, attributes = {}, ...content) {
  const element = /svg|path/.test(tag)
    ? document.createElementNS("http://www.w3.org/2000/svg", tag) : document.createElement(tag);
  element.append(...content);
  return set(element, attributes);
}

const makeButton = (content, click, attributes) =>
  create("button", { class: "tide-button", type: "button", click, ...attributes }, ...content);

// Writes a text only if it differs, because writing would clear the selection in it.
function say(element, text) {
  if (element.textContent !== String(text)) element.textContent = text;
}

function style(element, name, value) {
  element.style.setProperty(name, value ?? "");
}

// Makes a parent have as many elements as there are items, and returns them.
function repeat(parent, items, make) {
  const { children } = parent;
  while (children.length < items.length) parent.append(make(children.length));
  while (children.length > items.length) parent.lastChild.remove();
  return [...children];
}

// Stores a value, and returns false if it is the one that was stored last.
const isNew = (holder, name, value) => holder[name] !== (holder[name] = String(value));

const clamp = (least, value, most) => Math.max(least, Math.min(value, most));

let lastId = 0;
const idOf = (element) => (element.id ||= "tide-" + ++lastId);
const find = (selector) => document.querySelector(selector);
const boxOf = (element) => element.getBoundingClientRect();
const viewOf = (element) => element?.closest(".tide-any")?.tideView;
const focusedElement = () => document.activeElement;
const focusedView = () => viewOf(focusedElement());
const lastOf = (selector) => viewOf([...document.querySelectorAll(selector)].at(-1));

// The size of a cell in pixels.
const notices = find("#tide-notices");
const probe = notices.appendChild(create("div", { class: "tide-probe" }));
const cell = () => boxOf(probe);

// A position or a size in whole cells.
function inCells(x, y, round = Math.floor) {
  const { width, height } = cell();
  return [round(x / width), round(y / height)];
}

// MARK: Connection

// The address of this script, by which the server recognizes the page's version.
const script = document.currentScript.src;

// Once the connection is ready, events are sent at once.
let socket, lostTimer, isReady, hasEnded;
let session = "";
let attempts = 0;
let faults = 0;
// Whether the server has closed the connection because of a message from this page.
let isRefused = false;
// The server's limits, and the texts that the page shows itself.
let terms = { lost: "Connecting again…" };
// The time of the last message, or since which an answer is due.
let lastHeard = 0;
// The number of messages received, and that number before the current message. Each event carries
// it, so that the app knows which state the person acted on.
let heard = 0;
let former = 0;
let lastNumber = 0;
// The last command or edit. A command may move the focus.
let lastAct = [];
let acknowledged = 0;
let unacknowledged = [];

function connect() {
  if (socket || hasEnded) return;
  socket = new WebSocket(location.pathname.replace(/\/?$/, `/ws?page=${script}&session=`) + session);
  socket.onmessage = receive;
  socket.onclose = disconnect;
  lostTimer ??= setTimeout(notice, 800, "lost", terms.lost);
}

// A server that refuses the page sends the reason when it closes the connection.
function disconnect({ code, reason } = {}) {
  if (socket) {
    socket.onmessage = socket.onclose = null;
    socket.close();
  }
  socket = isReady = null;
  isRefused ||= /100[2389]/.test(code);
  if (reason) {
    // The reason stays until the page is admitted.
    clearTimeout(lostTimer);
    notice("lost", reason);
  }
  // A page of another version would misread the server's messages.
  if (code === 4001 && session && !drafts()[0] && !pendingActs()[0]) return location.reload();
  // After messages that the page could not show, it reconnects rarely.
  setTimeout(connect, Math.min(200 * 2 ** attempts++, faults ? 6e4 : 5e3));
}

function receive({ data }) {
  lastHeard = Date.now();
  former = heard++;
  try {
    applyAll(JSON.parse(data));
  } catch (error) {
    if (!faults++) console.error(error);
    afterwards.clear();
    departed.clear();
    return disconnect({ reason: terms.unshown });
  }
  releaseInput();
  if (isReady) return;
  isReady = true;
  lostTimer = clearTimeout(lostTimer);
  notice("lost");
  // All events before the first unacknowledged one have been handled, so the server refused this
  // one.
  const [first] = unacknowledged;
  if (isRefused && first) {
    operations.refused(first[3]);
    // An event without effect is acknowledged in its place.
    unacknowledged[0] = [first[0], 0, "scroll", 0, 0, 0];
  }
  isRefused = false;
  unacknowledged.forEach(write);
  sendSize();
}

const write = (event) => socket.send(JSON.stringify(event));

// The fields whose text the server may not have received, or has not stored in a record.
const drafts = () => [...views.values()].filter(({ traits, sent, properties }) =>
  traits.edits && !properties.secure && (properties.draft || sent > acknowledged));

// Acts from before a restart of the app, until the person hides the notice.
const undone = new Set();

// The acts that perhaps no app has carried out, described for the person. For text in a field for
// secrets, the field's name is given.
const pendingActs = () => unacknowledged
  .filter(([, , kind, id]) =>
    kind === "edit" ? views.get(id)?.properties.secure : !isAmong("context|draft|focus|hover|pick|rows|scroll|size", kind))
  .map(([, , kind, id, detail, more]) => {
    const view = views.get(id);
    const { title, label, column, tooltip } = view?.properties ?? {};
    const row = view?.headings && cellOf(view, detail);
    return [title ?? label ?? column ?? tooltip ?? view?.className,
      row ? row.element.innerText : isAmong("key|value|date|choose", kind) ? more || detail : ""].join(" ").slice(0, 200);
  });

const sizeOf = (text) => new TextEncoder().encode(text).length;

// Returns the number under which the event is acknowledged; 0 if it, or the text that it makes
// longer, exceeds the server's limit.
function send(kind, view, ...rest) {
  const event = [lastNumber + 1, kind === "edit" ? view.at : heard, kind, view?.id ?? 0, ...rest];
  const isTooLong = sizeOf(JSON.stringify(event)) > terms.message
    || (kind === "edit" && sizeOf(view.control.value) > Math.max(terms.message, sizeOf(view.typed)));
  if (isTooLong) return operations.refused(event[3]) || 0;
  if (!unacknowledged[0]) lastHeard = Date.now();
  lastNumber++;
  event.since = Date.now();
  // The command's answer may move this focus elsewhere.
  event.isAhead = kind === "focus" && lastAct[0] > acknowledged;
  if (/press|menu|open|cl|key|edit/.test(kind) && !isAmong(arrows, rest[0])) lastAct = event;
  unacknowledged.push(event);
  if (isReady) write(event);
  if (lastAct[2] !== "edit") left();
  return lastNumber;
}

// MARK: Operations

const views = new Map();
// Views that show a change that the server has not acknowledged.
const ahead = new Set();
// Actions for the end of a message.
const afterwards = new Set();
let lastBuilt = 0;
// Views that were removed, and may be inserted elsewhere by the end of the message.
const departed = new Set();

function later(action) {
  afterwards.delete(action);
  afterwards.add(action);
}

const operations = {
  hello({ session: name, at, ...rest }) {
    terms = rest;
    heard = at;
    if (session !== name) {
      // The former session may have ended before it handled the drafts that were sent to it.
      const lost = unacknowledged.filter(([, , kind]) => kind === "draft").map((event) => event.slice(4));
      for (const { typed, properties } of drafts()) lost.push([typed, properties.draft]);
      for (const act of pendingActs()) undone.add(act);
      if (undone.size) {
        hideable("undone", [terms.undone, ...[...undone].slice(-20)].join("\n") + "\n", () => undone.clear());
      }
      // In another session the numbers mean other views.
      session = name;
      unacknowledged = [];
      lastAct = [];
      leaving.clear();
      lastNumber = acknowledged = 0;
      dropHeld();
      views.forEach(discard);
      // The server restores each draft to its record, or returns it as lost.
      for (const rest of lost) send("draft", null, ...rest);
    }
    toldFocus = 0;
    told.size = null;
    later(focusChanged);
  },
  tree(node) {
    views.forEach((view) => departed.add(view));
    build(node);
  },
  add(id, index, node) {
    insert(build(node, views.get(id)), index);
  },
  remove(id) {
    const view = views.get(id);
    detach(view);
    departed.add(view);
    view.slot?.remove();
  },
  move(id, index) {
    insert(views.get(id), index);
  },
  ack(number) {
    acknowledged = number;
    unacknowledged = unacknowledged.filter((event) => event[0] > number);
    for (const view of ahead) if (view.sent <= number) settle(view);
  },
  focus(id) {
    later(() => {
      // A new run of the app does not know that the person is typing.
      if (stray && !acknowledged) {
        toldFocus = -1;
        return focusChanged();
      }
      // If the server has not handled the page's last focus event, the page's focus wins unless its
      // element is gone.
      if (isUnheard() && focusedView()) return;
      toldFocus = isUnheard() ? -1 : id;
      id ? focusView(views.get(id)) : focusedElement().blur();
    });
  },
  // Shows texts that were typed before the app restarted and are not stored.
  draft: (text) => hideable("draft", text),
  title(text) {
    document.title = text || "Tidelock";
    say(find("h1"), document.title);
  },
  errors: (text) => notice("errors", text),
  report(text) {
    notice("report", text);
    clearTimeout(told.report);
    told.report = setTimeout(notice, 1e4, "report");
  },
  failed: (text) => notice("failed", text),
  end(text) {
    hasEnded = true;
    notice("end", text);
  },
  // Highlights a view for an inspector.
  mark(id) {
    find(".tide-marked")?.classList.remove("tide-marked");
    views.get(id)?.element.classList.add("tide-marked");
  },
  // For a list or table, x is a row to show; for other views, x and y are an offset in cells.
  scroll(id, x, y) {
    const view = views.get(id);
    const { width, height } = cell();
    isNew(view, "place", [x, y]);
    later(() => y == null ? showRow(view, x) : view.control.scrollTo(x * width, y * height));
  },
  // Shows for a while that an event was refused, and makes its field show the app's text.
  refused(id, text = terms.refused) {
    const view = views.get(id);
    if (view) {
      unsettle(view, former);
      view.holds = false;
      later(view.refresh);
    }
    operations.report(text);
  },
  // Changes a part of a text.
  text(id, start, removed, added) {
    const view = views.get(id);
    const { text = "" } = view.properties;
    update(view, { text: text.slice(0, start) + added + text.slice(start + removed) });
  },
  context(id) {
    if (menuBox) later(() => showContextMenu(views.get(id)));
  },
  // Copies rows to the clipboard, as lines of tab-separated texts and as a table.
  copied(text) {
    const cell = (text) => (text[0] === '"' ? text.slice(1, -1).replaceAll('""', '"') : text);
    const lines = text.split("\n").map((line) => line.split("\t").map(cell));
    const item = { "text/plain": text, "text/html": tableOf(lines).outerHTML };
    for (const type in item) item[type] = new Blob([item[type]], { type });
    // Browsers offer the clipboard only to encrypted pages.
    const { clipboard } = navigator;
    clipboard ? clipboard.write([new ClipboardItem(item)]) : operations.report(text);
  },
  // Prints a whole table in place of the rows that the page has.
  print(id, head, ...lines) {
    setPaper(views.get(id), tableOf(lines, head));
    later(print);
  },
  pick: (isOn) => document.body.classList.toggle("tide-picking", isOn),
};

// Applies operations: [name, …], or for a view [number, properties] or [number, rows, …]. Restores
// a focus that was lost because its element was moved.
function applyAll(list) {
  const active = focusedElement();
  const { selectionStart, selectionEnd } = active;
  const view = viewOf(active);
  const { hasTyped, holds } = view ?? {};
  const [, , kind, typedIn] = lastAct;
  const isRecent = Date.now() - lastAct.since < 2e3;
  for (const [name, ...rest] of list) {
    if (name in operations) operations[name](...rest);
    else (rest[1] ? changeRows : update)(views.get(name), ...rest);
  }
  departed.forEach(discard);
  departed.clear();
  if (active.isConnected && focusedElement() === document.body) {
    active.focus({ preventScroll: true });
    // The person continues typing there.
    if (view) Object.assign(view, { hasTyped, holds });
    if (selectionStart != null) active.setSelectionRange(selectionStart, selectionEnd);
  }
  for (const action of afterwards) action();
  afterwards.clear();
  if (focusedElement() === document.body) active.focus({ preventScroll: true });
  // Letters that are still being typed must not press the button that now has the focus.
  const focused = focusedElement();
  if (kind === "edit" && typedIn === view?.id && focused !== active && !focusedView()?.traits.edits
    && (isRecent || focused === document.body)) loseField(view);
}

// Creates a view, or updates the existing one, which may be moved. A node that is a string is a
// label with the next number.
function build(node, parent) {
  const [id, className, properties, nodes = [], count] =
    typeof node === "string" ? [lastBuilt + 1, "label", { text: node }] : node;
  lastBuilt = id;
  const view = views.get(id) ?? make(id, className, parent);
  const changes = {};
  for (const name in view.properties) changes[name] = null;
  if (view.parent !== parent) {
    if (view.parent.subviews.includes(view)) detach(view);
    view.slot = null;
  }
  departed.delete(view);
  for (const each of view.subviews) departed.add(each);
  Object.assign(view, { parent, subviews: [], asked: null });
  if (view.headings) placeCells(view, count, nodes);
  else view.subviews = nodes.map((node) => build(node, view));
  arrange(view);
  update(view, Object.assign(changes, properties));
  return view;
}

// Applies shifts of rows ([from, by, …]), placed cells and dropped cells.
function changeRows(view, count, shifts, placed, ...dropped) {
  view.offset = view.control.scrollTop;
  for (const each of view.subviews) {
    let by = 0;
    for (let at = 0; shifts[at] <= each.row; at += 2) by = shifts[at + 1];
    each.row += by;
  }
  placeCells(view, count, placed);
  dropped.forEach(operations.remove);
  arrange(view);
}

// Each placed cell has its row, followed by its number, by its node, or by its number and its child
// nodes.
function placeCells(view, count, placed) {
  view.count = count;
  for (const [row, node, ...nodes] of placed) {
    const each = nodes[0] ? build([node, "cell", {}, nodes], view) : views.get(node) ?? build(node, view);
    each.row = row;
    detach(each);
    view.subviews.push(each);
  }
  view.subviews.sort((one, other) => one.row - other.row);
}

function make(id, className, parent) {
  const traits = classes[className] ?? plain;
  const properties = {};
  const shown = { __proto__: properties };
  const view = { id, className, traits, parent, properties, shown, subviews: [], sent: 0 };
  view.element = traits.make(view);
  view.control ??= view.element;
  view.refresh = () => {
    if (!view.element.isConnected) return;
    nameControl(view);
    traits.update?.(view, view.shown);
    if (view.isOff || isOff(view)) switchOff(view);
    if (properties.order != null) later(orderTabs);
  };
  if (traits.isField) view.element = create("div", { class: "tide-holder" }, view.element);
  view.element.classList.add("tide-any", "tide-" + className);
  view.element.tideView = view;
  views.set(id, view);
  return view;
}

function discard(view) {
  view.subviews.forEach((each) => each.parent === view && discard(each));
  views.delete(view.id);
  ahead.delete(view);
  view.slot?.remove();
}

function detach(view) {
  const { parent } = view;
  parent.subviews = parent.subviews.filter((each) => each !== view);
}

function insert(view, index) {
  detach(view);
  view.parent.subviews.splice(index, 0, view);
  arrange(view.parent);
}

// Puts the elements of subviews in order, without touching those already in place.
function arrange(view) {
  const { content, traits, subviews } = view;
  if (!content) return;
  subviews.forEach((child, index) => {
    const node = (child.slot ??= traits.frame?.(view, child) ?? child.element);
    const next = content.childNodes[index] ?? null;
    // Where the browser supports it, moving keeps focus and scroll offsets.
    const how = content.moveBefore && node.parentNode === content ? "moveBefore" : "insertBefore";
    if (node !== next) content[how](node, next);
  });
  later(view.refresh);
}

function update(view, changes) {
  for (const name in changes) {
    const value = changes[name];
    if (value === null) delete view.properties[name];
    else view.properties[name] = value;
    common[name]?.(view, value);
  }
  look(view.element, changes);
  later(view.refresh);
}

// Makes Tab visit views with an order before all others, as in a terminal.
function orderTabs() {
  const all = [...views.values()].filter(({ properties }) => properties.order != null);
  for (const { element, properties: { order } } of all) {
    const rank = all.filter(({ properties }) => properties.order < order).length + 1;
    for (const each of [element, ...element.querySelectorAll("*")]) {
      if (each.tabIndex >= 0 && viewOf(each).element === element) each.tabIndex = rank;
    }
  }
}

// Shows a change until the server has answered. Of kinds that follow each other quickly, only the
// latest waits to be sent.
function change(view, local, kind, ...rest) {
  Object.assign(view.shown, local);
  if (/value|rows|hover|scroll/.test(kind) && view.sent > acknowledged) view.next = [kind, ...rest];
  else view.sent = send(kind, view, ...rest);
  return ahead.add(view);
}

function settle(view) {
  const { next } = view;
  ahead.delete(view);
  view.next = null;
  if (next) return change(view, {}, ...next);
  view.shown = { __proto__: view.properties };
  later(view.refresh);
}

// MARK: Typing

// Actions for when the person leaves a field.
const leaving = new Set();

// Whether an element contains the field that the person is typing in. Such an element stays as it
// is, whatever others do, until the person leaves the field or acts otherwise; on leaving, the
// action adapts it.
function isTypedIn(element, action) {
  const view = focusedView();
  const isHeld = view?.hasTyped && lastAct[2] === "edit" && element.contains(view.element);
  if (isHeld) leaving.add(action);
  return isHeld;
}

// A press still applies to the current layout.
function left() {
  if (isPressing) return;
  const actions = [...leaving];
  leaving.clear();
  actions.forEach((action) => action());
}

function editing(tag, decorate, attributes) {
  return {
    edits: true,
    isField: true,
    make(view) {
      view.properties.text = view.typed = "";
      view.control = create(tag, {
        class: "tide-input", input: () => edit(view),
        blur() {
          view.hasTyped = view.holds = false;
          view.refresh();
          setTimeout(left);
        },
        compositionstart({ target: { selectionStart, selectionEnd } }) {
          view.isComposing = [selectionStart, selectionEnd, isHeld("")];
        },
        compositionend({ data }) {
          const { control, typed, isComposing: [start, end, isAhead] } = view;
          view.isComposing = null;
          if (isAhead) {
            // The field was not the one that the command focuses.
            control.value = typed;
            control.setSelectionRange(start, end);
            held.push(["", data]);
            setTimeout(releaseInput);
            setTimeout(releaseInput, 2e3);
          } else edit(view);
          settleText(view);
        },
        ...attributes,
      });
      return decorate ? create("div", { class: "tide-group" }, view.control, ...decorate(view)) : view.control;
    },
    update(view, properties) {
      const { placeholder, mark, secure, maxLength, editable, dates, showsTime } = properties;
      const { control, calendar } = view;
      if (control.role) tellRange(control, properties);
      const readonly = editable === false || null;
      set(control, {
        placeholder: mark ?? placeholder, readonly, "aria-readonly": readonly, maxlength: maxLength, type: secure ? "password" : null,
      });
      settleText(view);
      if (!calendar) return;
      calendar.type = showsTime ? "datetime-local" : "date";
      [calendar.value, calendar.min, calendar.max] = dates;
    },
  };
}

// Marks a field whose text differs from the server's, with the message since which it differs.
function unsettle(view, at) {
  if (!view.hasNewText) view.at = at;
  view.hasNewText = true;
}

// Sends the changed part of a text. If letters repeat, the part ends at the caret.
function edit(view) {
  const { control, typed, sent } = view;
  const { value, selectionEnd } = control;
  if (view.isComposing || value === typed) return;
  let start = 0;
  let end = value.length;
  let last = typed.length;
  const back = (least) => {
    while (end > least && last > start && value[end - 1] === typed[last - 1]) end--, last--;
  };
  const splits = (text, at) => text.codePointAt(at - 1) > 0xffff;
  back(selectionEnd);
  while (start < Math.min(end, last) && value[start] === typed[start]) start++;
  back(start);
  while (splits(value, start) || splits(typed, start)) start--;
  while (splits(value, end) || splits(typed, last)) end++, last++;
  unsettle(view, heard);
  change(view, {}, "edit", start, last - start, value.slice(start, end));
  if (view.sent) {
    view.typed = value;
    view.hasTyped = true;
  } else {
    view.sent = sent;
    control.value = typed;
    control.selectionEnd = typed.length - value.length + selectionEnd;
  }
}

// Shows the server's text once the server has handled all edits. A person who is typing continues
// with the record with which they began.
function settleText(view) {
  const { control } = view;
  const { text = "" } = view.properties;
  if (!view.hasNewText || view.isComposing || view.holds || view.sent > acknowledged) return;
  view.hasNewText = false;
  view.typed = text;
  const { value: former, selectionStart, selectionEnd } = control;
  if (former === text) return;
  control.value = text;
  if (focusedElement() !== control) return;
  let start = 0;
  while (former[start] === text[start]) start++;
  // The caret keeps the text before it, if that is unchanged, or else the text after it. Where
  // others have inserted text on both sides, it stands behind the letters that were before it.
  const moved = (at) => {
    const rest = text.length - former.length + at;
    if (at <= start) return at;
    if (text.endsWith(former.slice(at))) return rest;
    for (let count = 16; count; count >>= 1) {
      const near = former.slice(Math.max(0, at - count), at);
      const found = text.indexOf(near, start - count);
      if (found >= 0) return found + near.length;
    }
    return Math.max(0, rest);
  };
  control.setSelectionRange(moved(selectionStart), moved(selectionEnd));
}

// MARK: Properties of all views

const inUnits = (unit) => (value) => value && (isNaN(value) ? value : `calc(${value} * 1${unit})`);
const wide = inUnits("ch");
const high = inUnits("lh");
const color = (suffix) => (name) => name?.replace(/^\w+/, `var(--tide-$&${suffix})`);

// Top, right, bottom and left.
function sides(value) {
  if (value == null) return value;
  const [top, right = top, bottom = top, left = right] = [value].flat();
  return [high(top), wide(right), high(bottom), wide(left)].join(" ");
}

const looks = {
  width: ["--tide-wide", wide],
  height: ["height", high],
  minWidth: ["min-width", wide],
  maxWidth: ["--tide-most", wide],
  grow: ["flex-grow"],
  padding: ["padding", sides],
  margin: ["margin", sides],
  spacing: ["--tide-gap"],
  align: ["--tide-align"],
  aspect: ["--tide-aspect"],
  textColor: ["color", color("")],
  backgroundColor: ["background-color", color("-fill")],
  // The value of these is their own name.
  bold: ["font-weight"],
  italic: ["font-style"],
  underline: ["text-decoration"],
};

function look(element, properties) {
  for (const name in properties) {
    const [property, convert = (value) => (value === true ? name : value)] = looks[name] ?? [];
    if (property) style(element, property, convert(properties[name]));
  }
  return element;
}

const common = {
  text: (view) => unsettle(view, former),
  // Another viewer has made the field show another record.
  record(view, number) {
    if (isNew(view, "record", number ?? 0) && view.hasTyped) {
      unsettle(view, former);
      view.holds = unacknowledged.every(([, , kind]) => kind === "edit");
    }
  },
  hidden(view) {
    const { element, properties: { hidden } } = view;
    element.hidden = hidden && !isTypedIn(element, () => {
      common.hidden(view);
      view.refresh();
    });
    later(view.parent.refresh);
  },
  tooltip: (view, title) => set(view.element, { title }),
  focusable({ control, traits }, value) {
    control.tabIndex = value ?? (traits.takes || traits.sends) ? 0 : -1;
  },
  order(view, value) {
    if (value == null) view.control.tabIndex &&= 0;
  },
  error(view, text) {
    view.fault ??= create("div", { role: "alert", class: "tide-error" });
    view.element.append(view.fault);
    say(view.fault, text);
    set(view.control, { "aria-invalid": text && true, "aria-describedby": text && idOf(view.fault) });
  },
};

// The name of a control is its label, which a form shows beside it, or else another of its texts.
function nameControl(view) {
  const { label, title, column, tooltip, placeholder } = view.properties;
  const { traits, slot, control, parent } = view;
  let caption = null;
  if (parent?.className === "form" && label != null) {
    caption = view.caption ??= create("label", { class: "tide-name" });
    set(caption, { for: label ? idOf(control) : null });
    if (slot.firstChild !== caption) slot.prepend(caption);
    say(caption, label);
  } else view.caption?.remove();
  const isControl = traits.takes || traits.isNamed;
  if (!isControl && !label) return;
  if (!isControl) control.role ??= "group";
  set(control, {
    "aria-labelledby": label && caption ? idOf(caption) : null,
    "aria-label": caption || title ? null : label ?? column ?? placeholder ?? tooltip,
  });
}

const isOff = ({ properties, parent }) => properties.enabled === false || !!parent?.isOff;

function switchOff(view) {
  view.isOff = isOff(view);
  view.element.classList.toggle("tide-off", view.isOff);
  for (const control of view.content ? [] : [view.control, ...view.element.querySelectorAll(natives)]) {
    if ("disabled" in control) control.disabled = view.isOff && !isTypedIn(view.element, view.refresh);
    else set(control, { "aria-disabled": view.isOff || null });
  }
  view.subviews.forEach(switchOff);
}

// MARK: Rows
//
// The cells that the server has sent are laid out below each other, with gaps in place of missing
// rows. A cell is as high as its content or as the other cells. Visible rows keep their position
// when rows are inserted or removed above. Browsers limit the height of elements, so with very many
// rows a gap is lower than the rows that it stands for.
// The page itself handles keys that select. After other keys, such as letters, it `follows` the
// server's selection.

const mostPixels = 16e6;

function makeRows(view) {
  view.isAtEnd = true;
  view.last = { element: create("i") };
  view.content = create("div", {}, view.last.element);
  view.headings = create("div", { role: "row", class: "tide-head" });
  const control = create("div", {
    class: "tide-rows", tabindex: 0, scroll: () => askForRows(view), click: (event) => clickRow(view, event),
  }, view.headings, view.content);
  new ResizeObserver(() => {
    view.high = 0;
    if (view.seesCursor) view.sought = view.cursor;
    layRows(view);
  }).observe(control);
  return control;
}

function updateColumns(view, columns) {
  style(view.control, "--tide-columns", columns.map(({ width = "var(--tide-free)" }) => width).join(" "));
  const make = (index) => create("div", { role: "columnheader" },
    create(columns[index].sortable ? "button" : "span", { click: () => send("sort", view, index) }));
  repeat(view.headings, columns, make).forEach((heading, index) => {
    const { title, align, sort, sortable } = columns[index];
    style(heading, "text-align", align);
    say(heading.firstChild, title || terms.name);
    set(heading, {
      class: title ? null : "tide-bare",
      "aria-sort": sort ? sort + "ending" : sortable ? "none" : null,
    });
  });
}

function layRows(view) {
  const { control, content, subviews, count, cursor, isAtEnd, anchor, anchorTop } = view;
  const { offset = control.scrollTop } = view;
  if (!control.clientWidth) return;
  delete view.offset;
  const { rowHeight = 1, itemWidth = 10, followsEnd } = view.properties;
  style(control, "--tide-item", wide(itemWidth));
  view.perLine = getComputedStyle(content).gridTemplateColumns.split(" ").length;
  const lines = Math.ceil(count / view.perLine);
  style(control, "--tide-row", high(rowHeight));
  view.high ||= subviews[0]?.element.offsetHeight;
  view.rowStep = Math.min(view.high || cell().height, mostPixels / lines);
  style(control, "--tide-step", view.rowStep + "px");
  let [next, gap] = [0, 0];
  view.last.row = count;
  for (const { element, row } of [...subviews, view.last]) {
    const line = Math.floor(row / view.perLine);
    if (line >= next) gap = line - next;
    next = line + 1;
    style(element, "--tide-at", gap);
    style(element, "--tide-place", row % view.perLine + 1);
  }
  style(control, "--tide-height", content.offsetHeight + "px");
  if (offset) control.scrollTop = anchor?.isConnected ? offset + anchor.offsetTop - anchorTop : isAtEnd ? mostPixels : offset;
  markRows(view);
  if (isAtEnd && followsEnd) showRow(view, count - 1);
  else if (view.follows && cursor !== view.cursor) goTo(view, view.cursor);
  else if (view.sought < count) showRow(view, view.sought);
  askForRows(view);
}

const cellOf = ({ subviews }, at) => subviews.find(({ row }) => row === at);

// The first cell that ends below an offset.
const cellBehind = ({ subviews }, place) =>
  subviews.find(({ element }) => element.offsetTop + element.offsetHeight > place);

// The first row of the line at an offset.
function rowAtPlace(view, place) {
  const { row, element } = cellBehind(view, place) ?? view.last;
  return row - Math.max(0, Math.ceil((element.offsetTop - place) / view.rowStep)) * view.perLine;
}

function askForRows(view) {
  const { perLine, count, cursor, control: { scrollTop, clientHeight, scrollHeight } } = view;
  const end = scrollTop + clientHeight;
  const begin = rowAtPlace(view, scrollTop);
  const anchor = cellBehind(view, scrollTop)?.element;
  view.anchorTop = anchor?.offsetTop;
  view.anchor = view.anchorTop < end && anchor;
  view.page = rowAtPlace(view, end - view.headings.offsetHeight) - begin || perLine;
  view.isAtEnd = end > scrollHeight - view.rowStep;
  view.seesCursor = cursor >= begin && cursor < begin + view.page;
  const first = view.sought < count ? view.sought : begin;
  const shown = view.page + 2 * perLine;
  const margin = 5 * perLine;
  const isKnown = (by) => cellOf(view, clamp(0, first + by, count - 1));
  if (!count || [-margin, 0, shown, shown + margin].every(isKnown)) return;
  const asked = [Math.max(0, first - shown), Math.min(terms.rows, 3 * shown)];
  if (isNew(view, "asked", asked)) change(view, {}, "rows", ...asked);
}

// Shows the selection and the row that keys start from.
function markRows(view) {
  const { control, subviews, count, className, content } = view;
  const { chosen, selectionMode, branches = [] } = view.shown;
  const cells = subviews.filter(({ properties }) => properties.selected);
  const selected = chosen ?? cells[0]?.row;
  if (selectionMode !== "many" || (view.follows && !cells[1])) view.cursor = selected ?? view.cursor;
  // Options must not contain controls, so a list whose cells contain some is a grid.
  const isTree = className === "tree";
  const before = className === "table" ? 1 : 0;
  const isGrid = !isTree && (before || content.querySelector(natives));
  const isList = !isTree && !isGrid;
  const current = cellOf(view, view.cursor)?.element;
  subviews.forEach(({ element, row, properties }, index) => {
    const [depth, isOpen] = branches[index] ?? [];
    style(element, "--tide-depth", depth);
    for (const slot of element.lastChild.children) set(slot, { role: isGrid ? "gridcell" : null });
    set(element, {
      role: isTree ? "treeitem" : isGrid ? "row" : "option",
      "aria-selected": selectionMode === "none" ? null : selectionMode ? !!properties.selected : row === selected,
      "aria-rowindex": isGrid ? row + 1 + before : null,
      "aria-posinset": isList ? row + 1 : null,
      "aria-setsize": isList ? count : null,
      "aria-level": isTree ? depth + 1 : null,
      "aria-expanded": isOpen,
      "data-current": element === current || null,
    });
  });
  set(control, {
    role: isTree ? "tree" : isGrid ? "grid" : "listbox",
    "aria-activedescendant": current && idOf(current),
    "aria-multiselectable": selectionMode === "many" || null,
    "aria-rowcount": isGrid ? count + before : null,
  });
}

function selectRow(view, row, modifiers = "") {
  const { selectionMode } = view.properties;
  if (selectionMode === "none") return;
  change(view, selectionMode ? {} : { chosen: row }, "select", row, modifiers, cellOf(view, row)?.id ?? 0);
  goTo(view, row);
  return true;
}

// Makes a row the one that keys start from.
function goTo(view, row) {
  view.follows = false;
  view.cursor = row;
  markRows(view);
  showRow(view, row);
}

// A row without a cell is shown when its cell arrives.
function showRow(view, row) {
  const element = cellOf(view, row)?.element;
  view.sought = element ? undefined : row;
  element?.scrollIntoView({ block: "nearest" });
  askForRows(view);
}

const rowAt = ({ subviews }, target) => subviews.find(({ element }) => element.contains(target));

function clickRow(view, { target, detail, shiftKey, ctrlKey, metaKey }) {
  const inner = rowAt(view, target);
  if (!inner || view.isOff || target.closest(natives + ", label")) return;
  const { row, element, id } = inner;
  const isOpen = element.ariaExpanded;
  // The browser has selected text as well, which Ctrl-C would copy in place of the rows.
  if (shiftKey || detail > 1) getSelection().empty();
  if (target.matches(".tide-twist") && isOpen) send("expand", view, row, isOpen === "false", id);
  else if (detail === 2) send("open", view, row, id);
  else selectRow(view, row, shiftKey ? "shift" : ctrlKey || metaKey ? "ctrl" : "");
}

// The row that was pressed last, with the number of messages at that time, and the same while it is
// dragged.
let pressed, dragged;

// Marks the side of the row at which the dragged row would be dropped.
function markDrop(view) {
  find("[data-drop]")?.removeAttribute("data-drop");
  if (view) set(view.element, { "data-drop": Math.sign(view.row - dragged.row) });
}

function rowKey(view, name) {
  const { cursor: row, count, perLine, page } = view;
  const { selectionMode } = view.properties;
  const side = view.className === "collection";
  if (!count || selectionMode === "none") return false;
  // Until the server has answered a key, later keys are sent to it as well.
  if (view.follows > acknowledged && isAmong(inRows, name)) return false;
  const [key, prefix] = name.split("-").reverse();
  const way = {
    Up: -perLine, Down: perLine, PageUp: -page, PageDown: page, Home: -count, End: count,
    Left: -side, Right: side,
  }[key];
  if (way && prefix !== "Alt" && (!prefix || selectionMode)) {
    const to = clamp(0, (row ?? (way < 0 ? count : -perLine)) + way, count - 1);
    view.control.focus({ preventScroll: true });
    if (prefix !== "Ctrl") return selectRow(view, to, prefix ? "shift" : "");
    goTo(view, to);
    return true;
  }
  if (!selectionMode) return false;
  if (name === "Space" && row != null) return selectRow(view, row, "ctrl");
  return name === "Ctrl-A" && send("key", view, name);
}

// MARK: Focus and keys

// The number of the focused view that the server was last sent; -1 to send the focus again.
let toldFocus = 0;
const told = { hover: "0" };
let menuBox, touching, isPressing;

function focusView(view) {
  if (!view || view.element.contains(focusedElement())) return;
  const { control } = view;
  const inner = control.tabIndex < 0 && control.querySelector("[tabindex]:not([tabindex^='-']), :checked, input");
  (inner || control).focus();
}

function focusChanged() {
  if (focusedView()?.traits.edits) stray = null;
  // Another window may have the focus. A press is sent before the focus, because it applies to the
  // current layout, which may change when a field loses the focus.
  const view = focusedView();
  const id = view?.id ?? 0;
  if (isPressing || !document.hasFocus() || focusedElement().closest(".tide-popup") || id === toldFocus) return;
  toldFocus = id;
  send("focus", view);
}

// The name of a key in terminals.
function nameOf({ key, ctrlKey, altKey, shiftKey, metaKey }) {
  if (!key || metaKey) return "";
  const name = key.replace(" ", "Space").replace("Arrow", "");
  const isCharacter = isAmong(".", name);
  const start = (ctrlKey ? "Ctrl-" : "") + (altKey ? "Alt-" : "");
  if (isCharacter && !start) return name;
  return start + (shiftKey ? "Shift-" : "") + (isCharacter ? name.toUpperCase() : name);
}

// As in a terminal, Tab stops at a scrolling part that contains nothing focusable.
function offerScrolls() {
  for (const element of [...document.querySelectorAll(".tide-scroll")].reverse()) {
    const { scrollHeight, clientHeight, scrollWidth, clientWidth, tideView } = element;
    const scrolls = (scrollHeight > clientHeight || scrollWidth > clientWidth)
      && !element.querySelector(":is(:enabled, [tabindex]:not([tabindex^='-'])):not([hidden], [hidden] *)");
    element.tabIndex = scrolls || tideView.properties.focusable ? 0 : -1;
  }
  orderTabs();
}

function released() {
  isPressing = false;
  setTimeout(left);
  setTimeout(focusChanged);
}

// Input that waits for the answer to a command: names of keys with the texts that they type. Pasted
// and composed texts have no key.
const held = [];
// The time until which a new dialog ignores keys, because the person was typing.
let shield = 0;

const isUnheard = () => unacknowledged.some(([, , kind]) => kind === "focus");
const isHeld = (name) => held[0] || (lastAct[2] !== "edit" && lastAct[4] !== name
  && (lastAct[0] > acknowledged || unacknowledged.some(({ isAhead }) => isAhead))
  && Date.now() - lastAct.since < 2e3);

function hold(event, name, text) {
  if (!isHeld(name)) return false;
  event.preventDefault();
  setTimeout(releaseInput, 2e3);
  return held.push([name, text]);
}

// Reports text that reached no field. The text is masked if the page has a password field.
function tellDropped(text) {
  if (text) operations.report(`${terms.dropped} ${(find("[type=password]") ? mask : String)(text.slice(0, 500))}`);
}

const mask = (text) => text.replace(/./gu, "•");

const dropHeld = () => tellDropped(held.splice(0).map(([name, text]) => text || name).join(""));

// Held input goes to the element that the command has focused, and has the browser's default effect
// there.
function releaseInput() {
  const rest = held.splice(0);
  let dropped = "";
  while (rest[0] && !isHeld(rest[0][0])) {
    const [name, text] = rest.shift();
    const view = focusedView();
    if (takeKey(name)) continue;
    if (/Tab/.test(name) || (view?.traits.takes === arrows && isAmong(arrows, name))) send("key", view, name);
    else if (view?.traits.edits) type(view.control, name, text);
    else if (isAmong(pressing, name)) focusedElement().click();
    else dropped += text;
  }
  tellDropped(dropped);
  if (rest[0]) setTimeout(releaseInput, 2e3);
  else clip = "";
  held.push(...rest);
}

// The default effects of keys in a text: the way and the unit in which the caret moves, the unit
// with Ctrl, and a command.
const effects = {
  Left: ["backward", "character", "word"],
  Right: ["forward", "character", "word"],
  Up: ["backward", "line"],
  Down: ["forward", "line"],
  Home: ["backward", "lineboundary", "documentboundary"],
  End: ["forward", "lineboundary", "documentboundary"],
  Backspace: ["backward", "", "word", "delete"],
  Delete: ["forward", "", "word", "forwardDelete"],
  A: ["", "", "", "selectAll"],
  C: ["", "", "", "copy"],
  X: ["", "", "", "cut"],
  Y: ["", "", "", "redo"],
  Z: ["", "", "", "undo"],
};

// What held keys have cut or copied, for a Ctrl-V behind them: the clipboard had another text then.
let clip;

function type(control, name, text) {
  const { value, selectionStart, selectionEnd, selectionDirection } = control;
  if (name === "Ctrl-V") text = clip || text;
  // After a dialog has returned the focus, the browser has no selection.
  control.setSelectionRange(selectionStart, selectionEnd, selectionDirection);
  const [, ctrl, shift, key] = /^(Ctrl-)?(Shift-)?(.*)/.exec(name);
  const [way, unit, larger, command] = text ? ["", "", "", "insertText"] : effects[key] ?? [];
  const step = ctrl ? larger : unit;
  if (/^c/.test(command)) clip = control.type === "password" ? "" : value.slice(selectionStart, selectionEnd);
  if (step) getSelection().modify(command || shift ? "extend" : "move", way, step);
  if (command) document.execCommand(shift && key === "Z" ? "redo" : command, false, text);
}

// The field that was removed while the person typed in it, until the person pauses or goes
// elsewhere, and the time of the last key there.
let stray, strayTime;
let strayText = "";

function loseField(view) {
  stray = view;
  strayTime = Date.now();
}

// Shows text that was typed after its field was removed.
function tellStray(text) {
  strayText += stray.properties.secure ? mask(text) : text;
  hideable("stray", [terms.gone, strayText.slice(-1e4), ""].join("\n"), () => (strayText = ""));
}

function keyPressed(event) {
  const name = nameOf(event);
  if (isPressing) released();
  if (!name || event.isComposing) return;
  if (/Tab/.test(name) || (focusedView() && Date.now() - strayTime > 2e3)) stray = null;
  strayTime = Date.now();
  if (stray && isAmong(inText, name)) {
    const text = name.replace("Space", " ");
    if (isAmong(".", text)) tellStray(text);
    return name === "Ctrl-V" || event.preventDefault();
  }
  if (/Tab/.test(name)) offerScrolls();
  if (name === "Ctrl-C" && !getSelection().isCollapsed) return;
  const text = isAmong(".|Space|(Shift-)?Enter", name) ? name.replace("Space", " ").replace(/.*Enter/, "\n") : "";
  // The browser's own keys, and those that cause another event with a text.
  const isOther = isAmong("Ctrl-(Shift-)?[RV]|Shift-Insert|F5|F6|F1[12]|Dead|Process|Unidentified", name);
  if (!isOther && hold(event, name, text)) return;
  if (Date.now() < shield || takeKey(name)) event.preventDefault();
}

// As in a terminal: first a view's `keys`, then its class's own keys, then the same for its parent.
function takeKey(name) {
  const menu = focusedElement().closest(".tide-popup");
  if (menu) return menuKey(menu, name);
  const focused = focusedView();
  if (focused?.traits.edits && isAmong(".|Space", name)) return false;
  const modal = lastOf("dialog:modal");
  const top = views.get(0)?.subviews[0];
  let view = focused ?? modal ?? top?.subviews[0] ?? top;
  for (; view; view = view === modal ? null : view.parent) {
    const { traits, isOff, properties: { keys = [] } } = view;
    if (isOff) continue;
    if (keys.includes(name)) return send("key", focused, name);
    if (traits.handleKey?.(view, name)) return true;
    if (isAmong(traits.sends, name)) return (view.follows = send("key", focused, name));
    if (view === focused && isAmong(traits.takes, name)) return false;
    if (pick(view, name)) return true;
  }
  for (const bar of views.values()) {
    if (bar.className !== "menu" || bar.isOff) continue;
    if (pick(bar, name)) return true;
    if (name === "F10") {
      bar.control.focus();
      return true;
    }
  }
  if (name === "?" || (isAmong("Ctrl-[FP]", name) && find(".tide-rows"))) return send("key", focused, name);
  const dialog = lastOf("dialog[open]");
  return name === "Escape" && dialog && send("close", dialog);
}

function holderOf(view, has) {
  while (view && !view.properties[has]) view = view.parent;
  return view;
}

// The innermost enabled view at the pointer, if it or a view above has a property. Also the
// position in its cells, and the modifier keys as bits.
function pointed({ target, x, y, shiftKey, ctrlKey, altKey }, has) {
  let view = viewOf(target);
  while (view?.isOff) view = view.parent;
  if (!holderOf(view, has)) return [];
  const { left, top } = boxOf(view.element);
  return [view, ...inCells(x - left, y - top), shiftKey + 2 * ctrlKey + 4 * altKey];
}

function clicked(event) {
  const [view, ...place] = pointed(event, "clicks");
  if (view) send(event.detail === 2 ? "double" : "click", view, ...place);
}

// A finger does not hover, and does not open a menu while it drags something.
function hovered(event) {
  clearTimeout(touching);
  const [view, ...place] = event.pointerType === "touch" ? [] : pointed(event, "hovers");
  const over = view ? [view.id, ...place] : [0];
  if (isNew(told, "hover", over)) change(views.get(0), {}, "hover", ...over);
}

// The app selects the row under the pointer. A menu that depends on the selection waits for that.
function askForMenu(event) {
  const { x: left, y: bottom, button, pointerType } = event;
  const [view, ...place] = pointed(event, "menu");
  clearTimeout(touching);
  if (!view) return;
  event.preventDefault();
  if (find(".tide-popup")) return;
  // A key opens the menu at the current row.
  const byHand = button || pointerType;
  menuBox = byHand ? { left, bottom } : boxOf(event.target.querySelector("[data-current]") ?? event.target);
  send("context", view, ...(byHand ? place : []));
  if (!holderOf(view, "asks") && !event.target.closest("[aria-selected=false]")) showContextMenu(view);
}

function showContextMenu(inner) {
  const view = holderOf(inner, "menu");
  openMenu(view, view.properties.menu, [], view.element, menuBox);
  menuBox = null;
}

function tellOffset(view) {
  const { scrollLeft, scrollTop } = view.control;
  const place = inCells(scrollLeft, scrollTop, Math.round);
  if (isNew(view, "place", place)) change(view, {}, "scroll", ...place);
}

function sendSize() {
  const size = inCells(innerWidth, innerHeight);
  if (isNew(told, "size", size)) send("size", null, ...size);
}

// Shows a text beside the app, or hides it.
function notice(name, text) {
  const element = notices.querySelector(".tide-" + name) ??
    notices.appendChild(create("div", { class: "tide-notice tide-" + name, role: "status" }));
  say(element, text);
  element.hidden = !text;
  return element;
}

// Shows a notice that stays until it is hidden.
const hideable = (name, text, hidden) => notice(name, text).append(makeButton(terms.hide, () => {
  notice(name);
  hidden?.();
}));

// MARK: Charts

function updateChart({ control }, {
  series = [], kind = "spark", minimum, maximum, scale, titles = [], label = kind + " chart",
}) {
  const known = series.flatMap(({ values }) => values.filter((value) => value != null));
  if (kind !== "line") known.push(0);
  known.sort((one, other) => one - other);
  const least = minimum ?? known[0] ?? 0;
  const most = maximum ?? known.at(-1) ?? 0;
  const count = Math.max(1, ...series.map(({ values }) => values.length));
  const isScaled = kind !== "spark" && scale !== false;
  const y = (value) => (most - value) / (most - least || 1);
  const base = y(Math.max(least, 0));
  const width = 0.8 / series.length;
  const texts = (name, list) =>
    create("div", { class: "tide-" + name }, ...list.map((text) => create("span", {}, text)));
  const legend = texts("legend", series.map(({ title = "" }) => title));
  const paths = series.map(({ values, color: textColor }, nth) => {
    look(legend.children[nth], { textColor });
    const d = values.map((value, at) => value == null ? ""
      : kind === "line" ? `${values[at - 1] == null ? "M" : "L"}${at + 0.5} ${y(value)}`
      : `M${at + 0.1 + nth * width} ${base}V${y(value)}h${width}V${base}`).join("");
    return look(create("path", { class: kind, d }), { textColor });
  });
  // Screen readers read the values.
  const said = series.map(({ title = "values", values }) => title + " " + (values.at(-1) ?? "none"));
  set(control, { "aria-label": `${label}: ${said.join(", ")}, from ${least} to ${most}` });
  control.replaceChildren(
    legend, create("svg", {
      class: isScaled ? "scaled" : kind, viewBox: `0 0 ${count} 1`, preserveAspectRatio: "none",
    }, ...paths),
    texts("ticks", [most, (most + least) / 2, least].map((tick) => +tick.toPrecision(4))),
    texts("labels", titles),
    create("div", { class: "tide-unseen" }, tableOf(
      Array.from({ length: Math.min(count, 1000) }, (_, at) =>
        [titles[at] ?? "", ...series.map(({ values }) => values[at] ?? "")]),
      [label, ...series.map(({ title = "values" }) => title)])));
}

// A table of texts, with headings if there are any.
function tableOf(lines, head = []) {
  const line = (tag, texts) => create("tr", {}, ...texts.map((text) => create(tag, {}, text)));
  return create("table", {}, ...(head[0] ? [create("thead", {}, line("th", head))] : []),
    create("tbody", {}, ...lines.map((texts) => line("td", texts))));
}

// Sets the content that is printed in place of the page's rows.
function setPaper(view, content) {
  view.sheet?.remove();
  view.sheet = view.element.appendChild(create("div", { class: "tide-print" }, content));
}

// MARK: Menus

// An item of a menu, or a title that opens one.
function makeEntry(view, item, path) {
  const { title, key = "", enabled, mark, items } = item;
  const entry = makeButton([create("span", {}, title), create("kbd", {}, key)], () => {
    if (enabled === false) return;
    if (items) return openMenu(view, items, path, entry);
    closeMenu();
    send("menu", view, path);
  }, {
    role: mark == null ? "menuitem" : "menuitemcheckbox", tabindex: -1,
    "aria-checked": mark, "aria-disabled": enabled === false || null, "aria-haspopup": items && "menu",
  });
  return entry;
}

// Shows items in a pop-up menu at its opener, or at another box.
function openMenu(view, items, path, opener, box = boxOf(opener)) {
  const parent = opener.closest(".tide-popup");
  const holder = opener.closest(".tide-popup, dialog, main");
  closeMenu(holder.querySelector(".tide-popup"));
  const menu = create("div", { class: "tide-popup", role: "menu" },
    ...items.map((item, index) => item.title === "-" ? create("hr") : makeEntry(view, item, [...path, index])));
  Object.assign(menu, { opener, parent, former: focusedElement() });
  holder.append(menu);
  const [x, y] = parent ? [box.right, box.top] : [box.left, box.bottom];
  style(menu, "left", clamp(0, x, innerWidth - menu.offsetWidth) + "px");
  style(menu, "top", clamp(0, y, innerHeight - menu.offsetHeight) + "px");
  if (opener.ariaHasPopup) opener.ariaExpanded = true;
  menu.querySelector("button")?.focus();
}

// Closes a menu with its submenus; without an argument, all menus.
function closeMenu(menu = find(".tide-popup")) {
  if (!menu) return;
  const { opener, former } = menu;
  if (opener.ariaExpanded) opener.ariaExpanded = false;
  menu.remove();
  former.focus();
}

function menuKey(menu, name) {
  const { opener, parent } = menu;
  const active = focusedElement();
  const titles = [...opener.parentNode.querySelectorAll("[aria-haspopup]")];
  const index = titles.indexOf(opener);
  const way = { Left: -1, Right: 1 }[name];
  if (roam(menu, name, "Up", "Down")) return true;
  if (name === "Right" && active.ariaHasPopup) active.click();
  else if (/Escape|Tab/.test(name) || (name === "Left" && parent)) closeMenu(menu);
  else if (way && !parent && index >= 0) titles.at((index + way) % titles.length).click();
  else return !isAmong(pressing, name);
  return true;
}

// The path to the item with a key.
function pathOf(key, items = []) {
  for (const [index, item] of items.entries()) {
    if (item.enabled === false) continue;
    if (item.key === key) return [index];
    const below = pathOf(key, item.items);
    if (below) return [index, ...below];
  }
}

// Picks the item with a key from the menu of a view.
function pick(view, key) {
  const path = pathOf(key, view.properties.menu);
  return path && send("menu", view, path);
}

// MARK: Classes
//
// make(view)                returns the element. Sets `control`, which has the focus, if it is another
//                           element, and `content`, which contains the subviews, if there are any
// update(view, properties)  shows the properties
// handleKey(view, name)     returns true if it has handled a key
// sends                     the keys that the server's view handles
// takes                     the keys that the browser handles, which views above do not receive
// frame(view, child)        returns the node for a subview in the content, by default its element

const prevent = (event) => event.preventDefault();
const container = (tag, attributes) => ({ make: (view) => (view.content = create(tag, attributes)) });
// The class of containers without further behaviour.
const plain = container("div");
const tellRange = (control, { value, minimum, maximum }) =>
  set(control, { "aria-valuenow": value, "aria-valuemin": minimum, "aria-valuemax": maximum });
const stepButtons = (view) => [["−", "Down"], ["+", "Up"]].map(([text, key]) =>
  makeButton(text, () => send("key", view, key), { tabindex: -1 }));

const natives = "button, input, select, textarea";
// Names of keys, as alternatives of a regular expression.
const pressing = "Enter|Space";
const vertical = "(Page)?(Up|Down)";
const arrows = "Left|Right|Home|End|" + vertical;
const inLine = ".|Space|Backspace|Delete|Ctrl-[ACVXYZ]|((Shift|Ctrl)-)*(Left|Right|Home|End)";
const inText = inLine + "|((Shift|Ctrl)-)*(Enter|" + vertical + ")";
const inRows = ".|Space|Enter|Delete|Ctrl-C|(Alt-)?(Up|Down)";
const isAmong = (keys, name) => RegExp(`^(${keys})$`, "u").test(name);

const rows = {
  make: makeRows,
  sends: inRows,
  handleKey: rowKey,
  isNamed: true,
  update(view, { columns = [] }) {
    updateColumns(view, columns);
    layRows(view);
  },
};

const classes = {
  root: { make: (view) => (view.content = find("#tide")) },
  form: {
    ...container("form", { submit: prevent }),
    isNamed: true,
    sends: "Enter",
    frame: (view, child) => create("div", { class: "tide-entry" }, child.element),
  },
  divider: container("hr"),
  scroll: {
    make: (view) => (view.content = create("div", { role: "region", tabindex: 0, scroll: () => tellOffset(view) })),
    isNamed: true,
  },

  grid: {
    ...container("div"),
    update({ content, subviews }, { columns = 2 }) {
      const tracks = columns.map ? columns : Array(columns).fill("auto");
      style(content, "grid-template-columns", tracks.map((track, column) => {
        const grows = subviews.some(({ properties }, i) => i % tracks.length === column && properties.grow);
        const isShare = /\*/.test(track);
        return isShare ? `minmax(0, ${parseFloat(track) || 1}fr)` : grows ? "minmax(auto, 1fr)" : wide(track);
      }).join(" "));
    },
  },

  box: {
    make: (view) =>
      create("fieldset", {}, create("legend"), (view.content = create("div", { class: "tide-content" }))),
    update: ({ control }, { title = "" }) => say(control.firstChild, title),
  },

  dialog: {
    make(view) {
      const heading = create("h2");
      view.content = create("div", { class: "tide-content" });
      return create("dialog", {
        "aria-labelledby": idOf(heading),
        cancel(event) {
          event.preventDefault();
          send("close", view);
        },
      }, heading, view.content);
    },
    update({ control }, { title = "Dialog", modal }) {
      const { hidden } = control;
      say(control.firstChild, title);
      if (control.open === !hidden && control.matches(":modal") === (!hidden && !!modal)) return;
      if (lastAct[2] === "edit" && Date.now() - lastAct.since < 1e3) shield = Date.now() + 300;
      control.close();
      if (!hidden) control[modal ? "showModal" : "show"]();
    },
    handleKey: (view, name) => name === "Escape" && send("close", view),
  },

  tabs: {
    sends: "Ctrl-Page(Up|Down)",
    make(view) {
      view.control = create("div", { role: "tablist", class: "tide-bar" });
      view.content = create("div", { class: "tide-content" });
      return create("div", {}, view.control, view.content);
    },
    frame: (view, child) => create("div", { role: "tabpanel" }, child.element),
    update(view, { titles = [] }) {
      const typed = view.subviews.findIndex(({ slot }) => isTypedIn(slot, view.refresh));
      const make = (index) => makeButton("", () => choose(view, index), { role: "tab" });
      repeat(view.control, titles, make).forEach((tab, index) => {
        const { slot, properties } = view.subviews[index];
        const isChosen = index === (typed < 0 ? chosenOf(view) : typed);
        say(tab, titles[index]);
        tab.hidden = properties.hidden;
        slot.hidden = !isChosen;
        set(slot, { "aria-labelledby": idOf(tab) });
        set(tab, { "aria-selected": isChosen, "aria-controls": idOf(slot), tabindex: isChosen ? 0 : -1 });
      });
    },
    handleKey({ control }, name) {
      const tab = roam(control, name, "Left", "Right");
      tab?.click();
      return tab;
    },
  },

  split: {
    ...container("div"),
    frame: (view, child) => create("div", { class: "tide-pane" }, child.element, makeGrip(view)),
    update(view, { axis, position }) {
      const isVertical = axis === "vertical";
      view.control.classList.toggle("vertical", isVertical);
      view.subviews.forEach(({ slot, extent }, index) => {
        if (!index) extent = position;
        const basis = extent < 1 ? extent * 100 + "%" : (isVertical ? high : wide)(extent);
        style(slot, "flex", basis && "0 1 " + basis);
        set(slot.lastChild, { "aria-orientation": isVertical ? null : "vertical", "aria-valuenow": extent ?? 0 });
      });
    },
    handleKey(view, name) {
      const grip = focusedElement();
      const way = { Left: -1, Up: -1, Right: 1, Down: 1, Home: -1e6, End: 1e6 }[name];
      if (!way || !grip.matches(".tide-grip")) return false;
      const { right, bottom } = boxOf(grip.parentNode);
      return movePane(view, grip, right + way * cell().width, bottom + way * cell().height);
    },
  },

  label: {
    make: () => create("span"),
    update({ control }, { text = "", spans, wrap, truncate }) {
      set(control, { "data-wrap": wrap, "data-truncate": truncate });
      if (!spans) return say(control, text);
      control.replaceChildren(...spans.map((span) => look(create("span", {}, span.text), span)));
    },
  },

  field: { ...editing("input"), takes: inLine, sends: "Enter" },
  textArea: { ...editing("textarea"), takes: inText },
  numberField: {
    ...editing("input", stepButtons, { inputmode: "decimal", role: "spinbutton" }),
    takes: inLine,
    sends: "Enter|" + vertical,
  },
  datePicker: {
    ...editing("input", (view) => {
      view.calendar = create("input", {
        class: "tide-date", tabindex: -1, "aria-hidden": true,
        change: () => change(view, {}, "date", view.calendar.value),
      });
      return [view.calendar, makeButton("▾", () => showCalendar(view), { tabindex: -1, "aria-label": "Calendar" })];
    }),
    takes: inLine,
    sends: "Enter",
    handleKey: (view, name) => isAmong("(Alt-)?Down|F4", name) && showCalendar(view),
  },

  button: {
    takes: pressing,
    make: (view) => makeButton("", () => send("press", view)),
    update(view, { title = "", selected, role, busy }) {
      say(view.control, title);
      set(view.control, { "aria-pressed": selected, "aria-busy": busy, "data-role": role });
    },
  },

  toggle: switching("switch"),
  checkbox: switching(),

  progress: {
    isField: true,
    isNamed: true,
    make: () => create("progress"),
    update({ control }, { value = 0, minimum = 0, maximum = 1 }) {
      set(control, { max: maximum - minimum, value: value - minimum });
    },
  },

  slider: {
    isField: true,
    takes: arrows,
    make: (view) => create("input", {
      type: "range",
      input() {
        const value = view.control.valueAsNumber;
        change(view, { value }, "value", value);
      },
    }),
    update({ control }, { value = 0, minimum = 0, maximum = 1, step }) {
      set(control, { min: minimum, max: maximum, step: step || "any" });
      control.value = value;
    },
  },

  stepper: {
    isField: true,
    isNamed: true,
    sends: "[-+]|" + arrows,
    make(view) {
      view.control = create("span", { role: "spinbutton", tabindex: 0 });
      return create("div", { class: "tide-group" }, view.control, ...stepButtons(view));
    },
    update({ control }, { value = 0, minimum = 0, maximum = 100 }) {
      say(control, value);
      tellRange(control, { value, minimum, maximum });
    },
  },

  picker: {
    isField: true,
    takes: inText,
    make: (view) =>
      create("select", { class: "tide-input", change: () => choose(view, view.control.selectedIndex - 1) },
        create("option", { hidden: true })),
    update(view, { titles = [], placeholder = "" }) {
      // The first option stands for no choice.
      const texts = [placeholder, ...titles];
      repeat(view.control, texts, () => create("option")).forEach((option, index) => say(option, texts[index]));
      view.control.selectedIndex = chosenOf(view) + 1;
    },
  },

  radio: {
    isField: true,
    takes: arrows,
    make: () => create("fieldset", { role: "radiogroup" }),
    update(view, { titles = [] }) {
      const make = (index) => makeChoice(create("input", {
        type: "radio", name: view.id, change: () => choose(view, index),
      }));
      repeat(view.control, titles, make).forEach(({ firstChild, lastChild }, index) => {
        firstChild.checked = index === chosenOf(view);
        say(lastChild, titles[index]);
      });
    },
  },

  menu: {
    takes: pressing,
    make: () => create("div", { class: "tide-bar", role: "menubar" }),
    update(view, { menu = [], title }) {
      const items = title ? [{ title: title + " ▾", items: menu }] : menu;
      view.element.replaceChildren(...items.map((item, index) => makeEntry(view, item, title ? [] : [index])));
      view.control = view.element.firstChild ?? view.element;
      view.control.tabIndex = 0;
    },
    handleKey({ element }, name) {
      if (name !== "Down") return roam(element, name, "Left", "Right");
      focusedElement().click();
      return true;
    },
  },

  // Keys are sent to the focused view, which keeps the focus.
  keyBar: {
    make: () => create("div", { class: "tide-bar", mousedown: prevent }),
    update: ({ control }, { menu = [] }) => control.replaceChildren(...menu.map(({ title, key }) =>
      makeButton([create("kbd", {}, key), " " + title], () => send("key", focusedView(), key), { tabindex: -1 }))),
  },

  image: {
    isNamed: true,
    make: (view) => create("div", {}, (view.control = create("img"))),
    update({ control }, { source, text, label, tooltip }) {
      set(control, { src: source, alt: label ?? text ?? tooltip ?? "" });
    },
  },

  chart: { make: () => create("div", { role: "figure" }), update: updateChart },

  spinner: {
    make: () => create("span", { role: "status" }),
    update: ({ control }, { isAnimating = true, label = "Busy" }) =>
      set(control, { "aria-label": isAnimating ? label : "Idle" }),
  },

  list: rows,
  collection: rows,
  table: rows,
  tree: { ...rows, sends: inRows + "|Left|Right" },

  cell: {
    make(view) {
      view.content = create("div", { class: "tide-slots" });
      return create("div", {
        // A press on a control does not begin a drag, and a long touch opens the context menu.
        pointerdown({ target, pointerType }) {
          pressed = { ...view, at: heard };
          view.element.draggable = view.parent.properties.moves && pointerType !== "touch"
            && !target.closest(natives + ", label");
        },
        dragstart({ dataTransfer }) {
          dragged = pressed;
          // Firefox drags nothing without data.
          dataTransfer.setData("text/plain", "");
        },
        dragover(event) {
          if (dragged?.parent !== view.parent) return;
          event.preventDefault();
          markDrop(view);
        },
        drop(event) {
          event.preventDefault();
          send("move", view.parent, dragged.row, view.row, dragged.id, view.id, dragged.at);
        },
        dragend: () => (dragged = markDrop()),
      }, create("span", { class: "tide-twist" }), view.content);
    },
    frame: (view, child) => create("div", { class: "tide-slot" }, child.element),
    update: ({ parent }) => later(parent.refresh),
  },
};

function switching(role) {
  return {
    isField: true,
    sends: "Enter",
    takes: "Space",
    make(view) {
      view.control = create("input", {
        type: "checkbox", role, change: () => change(view, { isOn: view.control.checked }, "press"),
      });
      return makeChoice(view.control);
    },
    update({ control }, { title = "", isOn }) {
      control.checked = isOn;
      say(control.nextSibling, title);
    },
  };
}

const makeChoice = (input) => create("label", { class: "tide-choice" }, input, create("span"));
const chosenOf = ({ shown }) => shown.chosen ?? -1;

function choose(view, chosen) {
  if (chosen === chosenOf(view)) return;
  change(view, { chosen }, "choose", chosen, view.shown.titles?.[chosen]);
  view.refresh();
}

// Moves the focus to the button that a key leads to, and returns the button.
function roam(parent, name, back, on) {
  const elements = [...parent.querySelectorAll(":scope > button:not([hidden])")];
  const index = elements.indexOf(focusedElement());
  const count = elements.length;
  const to = { [back]: index + count - 1, [on]: index + 1, Home: 0, End: count - 1 }[name];
  const element = index < 0 ? null : elements[to % count];
  element?.focus();
  return element;
}

const makeGrip = (view) => create("div", {
  class: "tide-grip", role: "separator", tabindex: 0, "aria-label": "Divider",
  pointerdown: ({ target, pointerId }) => target.setPointerCapture(pointerId),
  pointermove: ({ target, pointerId, clientX, clientY }) =>
    target.hasPointerCapture(pointerId) && movePane(view, target, clientX, clientY),
});

// Moves the edge of a pane to a point.
function movePane(view, grip, x, y) {
  const [side, start, to] = view.properties.axis === "vertical" ? ["height", "top", y] : ["width", "left", x];
  const pane = grip.parentNode;
  const unit = cell()[side];
  const most = boxOf(view.control)[side] / unit - 4;
  const position = Math.round(clamp(3, (to - boxOf(pane)[start]) / unit, most));
  viewOf(pane.firstChild).extent = position;
  if (pane === view.control.firstChild) change(view, { position }, "value", position);
  view.refresh();
  return true;
}

function showCalendar({ calendar, properties }) {
  if (properties.editable !== false) calendar.showPicker?.();
  return true;
}

// MARK: Start

// While a view is to be picked, a click picks it and Escape picks none.
function pickView(event) {
  const { type, key, target } = event;
  if (!find(".tide-picking") || (key && key !== "Escape")) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  if (key || type === "click") send("pick", key ? null : viewOf(target));
}

for (const name of ["pointerdown", "mousedown", "click", "keydown"]) addEventListener(name, pickView, true);
set(window, {
  click: clicked, pointermove: hovered, contextmenu: askForMenu, keydown: keyPressed,
  focusin: focusChanged, focusout: () => setTimeout(focusChanged),
  pointerup: released, pointercancel: released,
  beforeinput(event) {
    const { data, inputType } = event;
    const isBack = inputType === "deleteContentBackward";
    if (focusedView()?.isComposing) return;
    if (data || isBack) hold(event, isBack ? "Backspace" : "", data ?? "");
    // Such as an undo from the browser's menu.
    else if (isHeld("")) event.preventDefault();
  },
  paste(event) {
    const text = event.clipboardData.getData("text");
    if (text || held[0]) stray ? tellStray(text) : hold(event, "Ctrl-V", text);
  },
  resize: sendSize, online: connect, offline: disconnect,
  // The browser's own command prints at once, before the server can send all rows. Whole tables are
  // printed afterwards.
  beforeprint() {
    if (find(".tide-print")) return;
    views.forEach((view) =>
      view.count > view.subviews.length && view.control.clientWidth && setPaper(view, terms.print));
  },
  afterprint() {
    if (find(".tide-print:not(:has(table))")) send("print");
    views.forEach(({ sheet }) => sheet?.remove());
  },
  pointerout({ relatedTarget }) {
    if (relatedTarget) return;
    hovered({});
    if (isPressing) released();
  },
  pointerdown(event) {
    stray = null;
    dropHeld();
    isPressing = true;
    if (!event.target.closest(".tide-popup")) closeMenu();
    // Not every browser reports a long touch as a request for a context menu.
    if (event.pointerType === "touch") touching = setTimeout(askForMenu, 600, event);
  },
});
// Shows that the page is waiting for an answer.
setInterval(() => set(document.body, { "aria-busy": unacknowledged[0]?.since < Date.now() - 300 || null }), 200);
// A lost connection is noticed by its silence, so a silent page sends an event that needs an
// answer.
setInterval(() => {
  const silence = Date.now() - lastHeard;
  if (!isReady) return;
  // Time with a connection reduces the delay of later attempts.
  if (attempts) attempts--;
  if (unacknowledged[0] && silence > 1e4) disconnect();
  else if (silence > 2e4) send("scroll", null, 0, 0);
}, 2000);
connect();
