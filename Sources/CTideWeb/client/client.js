// The page of TideWeb: shows the views that the server describes, and tells it what a person does.
//
//     WebSocket ──operations──▶ views by number ──▶ elements
//     elements ──events──▶ unacknowledged ──▶ WebSocket
//
// The server owns the models; the page owns the text being edited, the focus and scroll offsets. To
// add a class of views, add an entry to `classes`.
"use strict";

// MARK: Elements

// Sets attributes; functions are listeners, and what is null goes.
function set(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (value == null || value === "") element.removeAttribute(name);
    else if (element.getAttribute(name) !== String(value)) element.setAttribute(name, value);
  }
  return element;
}

function create(tag, attributes = {}, ...content) {
  const element = set(document.createElement(tag), attributes);
  element.append(...content);
  return element;
}

const button = (text, click, attributes) =>
  create("button", { class: "tide-button", type: "button", click, ...attributes }, text);

// Leaves the same text alone, and with it what is selected in it.
function say(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

function style(element, name, value) {
  element.style.setProperty(name, value ?? "");
}

// Puts nodes into an element in that order; those that stand right are not touched.
function fill(parent, nodes) {
  const wanted = new Set(nodes);
  for (const node of [...parent.childNodes]) if (!wanted.has(node)) node.remove();
  let next = parent.firstChild;
  for (const node of nodes) {
    if (node === next) next = next.nextSibling;
    // Moving keeps focus and scroll offsets, where the browser can.
    else if (parent.moveBefore && node.isConnected && parent.isConnected) parent.moveBefore(node, next);
    else parent.insertBefore(node, next);
  }
}

// As many elements as there are items, made where they are missing.
function repeat(elements, items, make) {
  while (elements.length < items.length) elements.push(make(elements.length));
  elements.length = items.length;
  return elements;
}

const clamp = (least, value, most) => Math.max(least, Math.min(value, most));

let lastId = 0;
const idOf = (element) => (element.id ||= "tide-" + ++lastId);
const byId = (id) => document.getElementById(id);

function viewOf(node) {
  while (node && !node.tideView) node = node.parentNode;
  return node?.tideView;
}

const focusedView = () => viewOf(document.activeElement);

// How large a cell is in pixels.
function cell() {
  const probe = byId("tide-notices").appendChild(create("div", { class: "tide-probe" }));
  const { width, height } = probe.getBoundingClientRect();
  probe.remove();
  return { width, height };
}

// MARK: Connection

let socket, session, retryTimer, lostTimer;
let isReady, hasEnded, needsTree; // once it is ready, events go out at once
let seen = 0;
let attempts = 0;
let faults = 0;
let lastHeard = 0;
let lastNumber = 0;
let lastWritten = 0;
let acknowledged = 0;
let unacknowledged = [];

function connect() {
  clearTimeout(retryTimer);
  if (socket || hasEnded) return;
  // Without `seen` the server sends the whole tree.
  const query = session ? `?session=${session}` + (needsTree ? "" : `&seen=${seen}`) : "";
  const own = (socket = new WebSocket(location.origin.replace("http", "ws") + "/ws" + query));
  // The first message says which session it is, but there may be none.
  own.onopen = () => session && setTimeout(() => own === socket && resume(), 300);
  own.onmessage = ({ data }) => own === socket && receive(data);
  own.onclose = () => own === socket && disconnect();
  lostTimer ??= setTimeout(notice, 1000, "lost", "The connection is lost. Trying again…");
}

function disconnect() {
  const former = socket;
  socket = isReady = null;
  former?.close();
  lostTimer ??= setTimeout(notice, 1000, "lost", "The connection is lost. Trying again…");
  retryTimer = setTimeout(connect, Math.min(200 * 2 ** attempts++, 5000));
}

function resume() {
  if (isReady) return;
  isReady = true;
  attempts = faults;
  lastHeard = Date.now();
  clearTimeout(lostTimer);
  lostTimer = null;
  notice("lost");
  unacknowledged.forEach(write);
  sendSize();
}

function receive(text) {
  lastHeard = Date.now();
  try {
    applyAll(JSON.parse(text));
    seen++;
    resume();
  } catch (error) {
    if (!faults++) console.error("Asking for the whole tree after a message that is wrong", error);
    needsTree = true;
    afterwards.clear();
    disconnect();
  }
}

function write(event) {
  lastWritten = Math.max(lastWritten, event[0]);
  socket.send(JSON.stringify(event));
}

// Gives the number under which the event is acknowledged.
function send(kind, view, ...rest) {
  const last = unacknowledged.at(-1);
  // Of what is typed while there is no connection the last is enough.
  if (kind === "edit" && last?.[1] === kind && last[2] === view.id && last[0] > lastWritten) {
    unacknowledged.pop();
    lastNumber--;
  }
  const event = [++lastNumber, kind, view?.id ?? 0, ...rest];
  unacknowledged.push(event);
  if (isReady) write(event);
  return lastNumber;
}

// MARK: Operations

const views = new Map();
const ahead = new Set(); // views that show more than the server has acknowledged
const afterwards = new Set(); // what is done at the end of a message
let generation = 0;

const operations = {
  __proto__: null,
  hello({ session: name }) {
    if (session && session !== name) {
      // The numbers of another session mean other views.
      unacknowledged = [];
      lastNumber = lastWritten = acknowledged = 0;
      if (views.has(0)) discard(views.get(0));
    }
    if (session !== name) seen = 0;
    session = name;
    toldFocus = 0;
    toldSize = null;
    for (const view of views.values()) view.asked = null;
    afterwards.add(focusChanged);
  },
  tree(node) {
    needsTree = false;
    generation++;
    build(node[1] === "root" ? node : [0, "root", {}, [node]]);
    for (const view of views.values()) if (view.generation < generation) discard(view);
  },
  add(id, index, node) {
    insert(build(node, known(id)), index);
  },
  remove(id) {
    const view = known(id);
    detach(view);
    discard(view);
  },
  move(id, index) {
    insert(known(id), index);
  },
  // How rows move ([from, by, …]), which cells come or go elsewhere ([[row, node or number], …]),
  // and which go; or the row of the first of all cells and their nodes.
  rows(id, count, shifts, placed, dropped) {
    const view = known(id);
    if (typeof shifts === "number") {
      const stays = new Set(placed.map((node) => node[0]));
      dropped = view.children.map((each) => each.id).filter((each) => !stays.has(each));
      placed = placed.map((node, index) => [shifts + index, node]);
      shifts = [];
    }
    for (const each of view.children) {
      const at = shifts.findLastIndex((from, index) => index % 2 === 0 && from <= each.row);
      if (at >= 0) each.row += shifts[at + 1];
    }
    placeCells(view, count, placed);
    for (const each of dropped) operations.remove(each);
    arrange(view);
  },
  ack(number) {
    acknowledged = number;
    unacknowledged = unacknowledged.filter((event) => event[0] > number);
    for (const view of ahead) if (view.sent <= number) settle(view);
  },
  focus(id) {
    toldFocus = id;
    afterwards.add(() => (id ? focusView(views.get(id)) : document.activeElement?.blur()));
  },
  title(text) {
    document.title = text || "Tidelock";
    say(byId("tide-title"), document.title);
  },
  errors: (list) => notice("errors", list.map(({ text, where = "", code = "" }) =>
    `${where} ${text} ${code}`).join("\n"), "log"),
  report(text) {
    notice("report", text);
    setTimeout(notice, 5000, "report");
  },
  failed: (text) => notice("failed", text, "alert"),
  print: (text) => console.log(text),
  end(text) {
    hasEnded = true;
    notice("end", text || "The app has ended.");
  },
};

// Puts back a focus that got lost as its element was moved.
function applyAll(list) {
  const active = document.activeElement;
  let rows = viewOf(active);
  while (rows && !rows.kind.isRows) rows = rows.parent;
  for (const [name, ...rest] of list) {
    if (typeof name === "number") update(known(name), rest[0]);
    else operations[name]?.(...rest);
  }
  for (const action of afterwards) action();
  afterwards.clear();
  if (document.activeElement === document.body && active !== document.body) {
    (active.isConnected ? active : rows?.control)?.focus({ preventScroll: true });
  }
}

function known(id) {
  const view = views.get(id);
  if (!view) throw new Error("No view " + id);
  return view;
}

// Makes a view, or patches the one that there is.
function build([id, className, properties = {}, nodes = [], count], parent) {
  let view = views.get(id);
  if (view && view.className !== className) {
    discard(view);
    view = null;
  }
  view ??= make(id, className, properties, parent);
  if (view.parent !== parent) detach(view);
  Object.assign(view, { generation, parent });
  const changes = view.kind.edits ? { text: "" } : {};
  for (const name in view.properties) changes[name] ??= null;
  Object.assign(changes, properties);
  assign(view, changes);
  view.children = [];
  if (view.kind.isRows) placeCells(view, count, nodes);
  else view.children = nodes.map((node) => build(node, view));
  arrange(view);
  update(view, changes);
  return view;
}

function placeCells(view, count, placed) {
  view.count = count;
  for (const [row, node] of placed) {
    const placedCell = typeof node === "number" ? known(node) : build(node, view);
    placedCell.row = row;
    detach(placedCell);
    view.children.push(placedCell);
  }
  view.children.sort((one, other) => one.row - other.row);
}

function make(id, className, properties, parent) {
  const kind = classes[className] ?? classes.view;
  const view = { id, className, kind, parent, properties: {}, children: [], local: {}, sent: 0 };
  view.element = view.body = kind.make(view);
  view.control ??= view.element;
  view.refresh = () => kind.update?.(view, { ...view.properties, ...view.local });
  if (kind.isField || (properties.label && parent?.className === "form")) {
    view.element = view.holder = create("div", { class: "tide-holder" }, view.element);
  }
  view.element.classList.add("tide-any", "tide-" + className);
  view.element.tideView = view;
  views.set(id, view);
  return view;
}

function discard(view) {
  view.children.forEach(discard);
  if (views.get(view.id) === view) views.delete(view.id);
  ahead.delete(view);
  if (view.id) (view.slot ?? view.element).remove();
}

function detach(view) {
  const siblings = view.parent?.children ?? [];
  const index = siblings.indexOf(view);
  if (index >= 0) siblings.splice(index, 1);
}

function insert(view, index) {
  detach(view);
  view.parent.children.splice(index, 0, view);
  arrange(view.parent);
}

function arrange(view) {
  if (!view.content) return;
  fill(view.content, view.kind.nodes?.(view) ?? view.children.map((child) => child.element));
  afterwards.add(view.refresh);
}

function assign(view, changes) {
  for (const [name, value] of Object.entries(changes)) {
    if (name === "text" && view.kind.edits) takeText(view, value ?? "");
    else if (value === null) delete view.properties[name];
    else view.properties[name] = value;
  }
}

function update(view, changes) {
  assign(view, changes);
  for (const name in changes) {
    const [property, convert = (value) => value] = looks[name] ?? [];
    if (property) style(view.element, property, convert(changes[name]));
    common[name]?.(view, changes[name]);
  }
  view.refresh();
  if (view.kind.isNamed) afterwards.add((view.name ??= () => nameControl(view)));
  const isOff = view.properties.enabled === false || !!view.parent?.isOff;
  if (isOff !== view.isOff) switchOff(view, isOff);
}

// Shows a change until the server has answered. Of kinds that follow each other fast the last waits.
function change(view, local, kind, ...rest) {
  Object.assign(view.local, local);
  if (/value|scroll/.test(kind) && view.sent > acknowledged) view.next = [kind, ...rest];
  else view.sent = send(kind, view, ...rest);
  return ahead.add(view);
}

function settle(view) {
  ahead.delete(view);
  const { next } = view;
  view.next = null;
  if (next) return change(view, {}, ...next);
  view.local = {};
  if (view.kind.edits) settleText(view);
  view.refresh();
}

// MARK: Properties that all views have

const inCells = (unit) => (value) => (typeof value === "number" ? `calc(${value} * 1${unit})` : value);
const wide = inCells("ch");
const high = inCells("lh");
const when = (word) => (value) => (value ? word : "");
const color = (suffix) => (name) => (name?.[0] === "#" ? name : name && `var(--tide-${name}${suffix})`);

// Top, right, bottom and left.
function sides(value) {
  if (value == null) return "";
  const [top, right = top, bottom = top, left = right] = [value].flat();
  return [high(top), wide(right), high(bottom), wide(left)].join(" ");
}

const looks = {
  __proto__: null,
  width: ["width", wide],
  height: ["height", high],
  minWidth: ["min-width", wide],
  maxWidth: ["max-width", (value) => value && `min(${wide(value)}, 100%)`],
  grow: ["flex-grow"],
  margin: ["margin", sides],
  textColor: ["color", color("")],
  backgroundColor: ["background-color", color("-fill")],
  bold: ["font-weight", when("bold")],
  italic: ["font-style", when("italic")],
  underline: ["text-decoration", when("underline")],
};

const common = {
  __proto__: null,
  hidden(view, value) {
    view.element.hidden = !!value;
    if (view.parent) afterwards.add(view.parent.refresh);
  },
  padding: (view, value) => style(view.content ?? view.control, "padding", sides(value)),
  spacing: (view, value) =>
    style(view.content ?? view.element, "gap", value && `${high(value)} ${wide(value)}`),
  align(view, value) {
    const word = value === "stretch" ? "" : value;
    if (view.kind.hugs) return style(view.element, "align-self", word);
    style(view.content ?? view.element, view.content ? "align-items" : "text-align", word);
  },
  aspect(view, value) {
    const { width, height } = cell();
    style(view.element, "aspect-ratio", value && (value * width) / height);
  },
  tooltip: (view, title) => set(view.element, { title }),
  focusable(view, value) {
    const { control, kind } = view;
    if (value ? control.tabIndex < 0 && !kind.hasStops : kind.takes || kind.isRows) control.tabIndex = value ? 0 : -1;
  },
  error(view, text) {
    view.message ??= create("div", { role: "alert", class: "tide-error" });
    (view.holder ?? view.element).append(view.message);
    view.message.hidden = !text;
    say(view.message, text ?? "");
    set(view.control, { "aria-invalid": text && true, "aria-describedby": text && idOf(view.message) });
  },
};

// A control is named by its label, else by what else says what it is for.
function nameControl(view) {
  const { label, title, tooltip, placeholder } = view.properties;
  const { parent, holder, control } = view;
  if (holder && label && parent.className === "form") {
    if (!view.label) holder.prepend((view.label = create("label", { class: "tide-name", for: idOf(control) })));
    say(view.label, label);
  }
  const before = parent?.children[parent.children.indexOf(view) - 1];
  const by = view.label ?? (label || title || tooltip || before?.className !== "label" ? null : before.element);
  const name = by || title ? null : label ?? tooltip ?? placeholder ?? view.className;
  set(control, { "aria-labelledby": by && idOf(by), "aria-label": name });
}

function switchOff(view, isOff) {
  view.isOff = isOff;
  view.element.classList.toggle("tide-off", isOff);
  const own = "button, input, select, textarea";
  const controls = view.content ? [] : [view.control, ...view.element.querySelectorAll(own)];
  for (const control of controls) {
    if ("disabled" in control) control.disabled = isOff;
    else set(control, { "aria-disabled": isOff || null });
  }
  for (const child of view.children) switchOff(child, isOff || child.properties.enabled === false);
}

// MARK: Classes
//
// make(view)                gives the element, and sets `control`, which has the focus, and `content`,
//                           where the subviews stand, where these are others or there are any
// update(view, properties)  shows them
// key(view, name)           true where it has taken a key
// takes                     the keys that the browser acts on, which views above do not get
// nodes(view)               what stands in the content, if not just the subviews

const steps = { Up: 1, Down: -1, PageUp: 10, PageDown: -10 };
const stepKey = (view, name) => steps[name] && change(view, {}, "step", steps[name]);
const stepButtons = (view) => [-1, 1].map((step) => button(step < 0 ? "−" : "+",
  () => change(view, {}, "step", step), { tabindex: -1, "aria-label": step < 0 ? "Less" : "More" }));

const container = (tag, attributes) => ({ make: (view) => (view.content = create(tag, attributes)) });
const arrows = /^(Left|Right|Up|Down|Home|End|PageUp|PageDown)$/;
const inLine = /^(.|Space|Backspace|Delete|((Shift|Ctrl)-)*(Left|Right|Home|End)|Ctrl-[ACVXYZ])$/u;
const inText = RegExp(inLine.source + "|^((Shift|Ctrl)-)*(Enter|Up|Down|PageUp|PageDown)$", "u");
const pressing = /^(Enter|Space)$/;

const classes = {
  __proto__: null,
  root: { make: (view) => (view.content = byId("tide")) },
  view: container("div"),
  form: container("form", { novalidate: true, submit: (event) => event.preventDefault() }),
  divider: container("hr"),

  grid: {
    ...container("div"),
    update({ content, children }, { columns = 2 }) {
      const tracks = Array.isArray(columns) ? columns : Array(columns).fill("auto");
      style(content, "grid-template-columns", tracks.map((track, column) => {
        const grows = children.some(({ properties }, i) => i % tracks.length === column && properties.grow);
        const share = /^(.*)\*$/.exec(track);
        return share ? `minmax(0, ${share[1] || 1}fr)` : grows ? "minmax(auto, 1fr)" : wide(track);
      }).join(" "));
    },
  },

  scroll: {
    make: (view) => (view.content = create("div", {
      role: "region", tabindex: 0,
      scroll() {
        const scrollY = Math.round(view.content.scrollTop / cell().height);
        if (scrollY !== (view.local.scrollY ?? view.properties.scrollY)) change(view, { scrollY }, "scroll", scrollY);
      },
    })),
    update(view, { scrollY, label = "Scrolls" }) {
      set(view.content, { "aria-label": label });
      if (scrollY === view.shownY || "scrollY" in view.local) return;
      view.shownY = scrollY;
      afterwards.add(() => (view.content.scrollTop = scrollY * cell().height));
    },
  },

  box: {
    make: (view) =>
      create("fieldset", {}, create("legend"), (view.content = create("div", { class: "tide-content" }))),
    update({ body }, { title = "" }) {
      say(body.firstChild, title);
      body.firstChild.hidden = !title;
    },
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
    update(view, { title = "", hidden, modal }) {
      const { body: element } = view;
      say(element.firstChild, title || "Dialog");
      afterwards.add(() => {
        const opening = hidden || !element.isConnected ? "close" : modal ? "showModal" : "show";
        if (opening === view.opening && element.open === (opening !== "close")) return;
        view.opening = opening;
        element.close();
        element[opening]();
      });
    },
    key: (view, name) => name === "Escape" && send("close", view),
  },

  tabs: {
    hasStops: true,
    make(view) {
      view.tabs = [];
      view.control = create("div", { role: "tablist", class: "tide-bar" });
      view.content = create("div", { class: "tide-content" });
      return create("div", {}, view.control, view.content);
    },
    nodes: (view) =>
      view.children.map((child) => (child.slot ??= create("div", { role: "tabpanel" }, child.element))),
    update(view, { titles = [] }) {
      const { children, control } = view;
      const tabs = repeat(view.tabs, children, (index) =>
        create("button", { role: "tab", type: "button", click: () => choose(view, index) }));
      fill(control, tabs);
      children.forEach(({ slot, properties }, index) => {
        const isChosen = index === chosenOf(view);
        say(tabs[index], titles[index] || String(index + 1));
        tabs[index].hidden = !!properties.hidden;
        slot.hidden = !isChosen;
        set(slot, { "aria-labelledby": idOf(tabs[index]) });
        set(tabs[index], {
          "aria-selected": isChosen, "aria-controls": idOf(slot), tabindex: isChosen ? 0 : -1,
        });
      });
    },
    key(view, name) {
      const tab = roam(view.tabs.filter(({ hidden }) => !hidden), name, "Left", "Right");
      tab?.click();
      return tab;
    },
  },

  split: {
    hasStops: true,
    make(view) {
      view.dividers = [];
      view.sizes = [];
      return (view.content = create("div"));
    },
    nodes({ children, dividers }) {
      const panes = children.map(({ element }) => element);
      repeat(dividers, panes.slice(1), (index) => makeDivider(viewOf(panes[0]).parent, index));
      return panes.flatMap((pane, index) => (index ? [dividers[index - 1], pane] : [pane]));
    },
    update(view, { axis, position }) {
      const isVertical = axis === "vertical";
      view.body.classList.toggle("vertical", isVertical);
      view.sizes[0] = position;
      view.children.slice(0, -1).forEach(({ element }, index) => {
        const size = view.sizes[index];
        const basis = size > 0 && size < 1 ? size * 100 + "%" : (isVertical ? high : wide)(size);
        style(element, "flex", basis && "0 1 " + basis);
        set(view.dividers[index], {
          "aria-orientation": isVertical ? "horizontal" : "vertical", "aria-valuenow": size ?? 0,
        });
      });
    },
  },

  label: {
    make: () => create("span"),
    update({ body }, { text = "", spans, wrap, truncate }) {
      body.classList.toggle("wrap", !!wrap);
      body.classList.toggle("whole", truncate === false);
      if (!spans) return say(body, String(text));
      body.replaceChildren(...spans.map((span) => {
        const part = create("span", {}, span.text);
        for (const name in span) if (looks[name]) style(part, looks[name][0], looks[name][1](span[name]));
        return part;
      }));
    },
  },

  field: editing("input", inLine),
  textArea: editing("textarea", inText),
  numberField: editing("input", inLine, stepButtons, { inputmode: "decimal" }),
  datePicker: editing("input", inLine, (view) => {
    view.date = create("input", {
      class: "tide-date", tabindex: -1, "aria-hidden": true,
      change: () => change(view, {}, "date", view.date.value),
    });
    return [view.date, button("▾", () => showCalendar(view), { tabindex: -1, "aria-label": "Calendar" })];
  }),

  button: {
    hugs: true,
    takes: pressing,
    make: (view) => button("", () => send("press", view)),
    isNamed: true,
    update({ control }, { title = "", selected, role }) {
      say(control, title);
      set(control, { "aria-pressed": selected, "data-role": role });
    },
  },

  toggle: switching("switch"),
  checkbox: switching(),

  progress: {
    isField: true,
    isNamed: true,
    make: () => create("progress"),
    update({ control }, { value = 0, minimum = 0, maximum = 1 }) {
      set(control, { max: maximum - minimum, value: value === "" ? null : value - minimum });
    },
  },

  slider: {
    isField: true,
    isNamed: true,
    takes: arrows,
    make: (view) => create("input", {
      type: "range",
      input() {
        const value = Number(view.control.value);
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
    hugs: true,
    make(view) {
      view.control = create("span", { role: "spinbutton", tabindex: 0 });
      return create("div", { class: "tide-group" }, view.control, ...stepButtons(view));
    },
    update({ control }, { value = 0, minimum = 0, maximum = 100 }) {
      say(control, String(value));
      set(control, { "aria-valuenow": value, "aria-valuemin": minimum, "aria-valuemax": maximum });
    },
    key(view, name) {
      const { minimum = 0, maximum = 100 } = view.properties;
      const value = { Home: minimum, End: maximum }[name];
      if (value !== undefined) return change(view, {}, "value", value);
      return stepKey(view, { Right: "Up", "+": "Up", Left: "Down", "-": "Down" }[name] ?? name);
    },
  },

  picker: {
    isField: true,
    isNamed: true,
    hugs: true,
    takes: inText,
    make: (view) =>
      create("select", { class: "tide-input", change: () => choose(view, view.control.selectedIndex - 1) }),
    update(view, { titles = [], placeholder = "" }) {
      // The first option stands for no choice.
      const options = repeat([...view.control.options], [placeholder, ...titles], () => create("option"));
      fill(view.control, options);
      options.forEach((option, index) => say(option, index ? titles[index - 1] : placeholder));
      options[0].hidden = options[0].disabled = true;
      view.control.selectedIndex = chosenOf(view) + 1;
    },
  },

  radio: {
    hasStops: true,
    isField: true,
    isNamed: true,
    hugs: true,
    takes: arrows,
    make(view) {
      view.choices = [];
      return create("fieldset", { role: "radiogroup" });
    },
    update(view, { titles = [] }) {
      fill(view.control, repeat(view.choices, titles, (index) => create("label", { class: "tide-choice" },
        create("input", { type: "radio", name: "tide-radio-" + view.id, change: () => choose(view, index) }),
        create("span"))));
      view.choices.forEach(({ firstChild, lastChild }, index) => {
        firstChild.checked = index === chosenOf(view);
        say(lastChild, titles[index]);
      });
    },
  },

  menu: {
    hasStops: true,
    hugs: true,
    takes: pressing,
    make: () => create("div", { class: "tide-bar" }),
    update(view, { menu = [], title }) {
      const items = title ? [{ title: title + " ▾", items: menu }] : menu;
      if (JSON.stringify(items) === view.shown) return;
      view.shown = JSON.stringify(items);
      view.body.replaceChildren(...items.map((item, index) => {
        const path = title ? [] : [index];
        const opener = create("button", {
          type: "button", role: title ? null : "menuitem", tabindex: index ? -1 : 0,
          "aria-haspopup": item.items && "menu",
          click: () => (item.items ? openMenu(view, item.items, path, opener) : send("menu", view, path)),
        }, item.title);
        opener.disabled = item.enabled === false || view.isOff;
        return opener;
      }));
      set(view.body, { role: title ? null : "menubar" });
      view.control = view.body.firstChild ?? view.body;
    },
    key(view, name) {
      const titles = [...view.body.children];
      const title = roam(titles, name, "Left", "Right");
      if (name === "Down") document.activeElement.click();
      return title || name === "Down";
    },
  },

  // The keys go to what has the focus, which stays there.
  keyBar: {
    make: () => create("div", { class: "tide-bar", mousedown: (event) => event.preventDefault() }),
    update: ({ body }, { menu = [] }) => body.replaceChildren(...menu.map(({ title, key }) =>
      create("button", { type: "button", tabindex: -1, click: () => send("key", views.get(toldFocus), key) },
        create("kbd", {}, key), " " + title))),
  },

  image: {
    make: () => create("img"),
    update({ body }, { src, label, tooltip }) {
      set(body, { src });
      body.alt = label ?? tooltip ?? "";
    },
  },

  chart: { make: () => create("div", { role: "img" }), update: updateChart },

  spinner: {
    hugs: true,
    make: () => create("span", { role: "status" }),
    update({ body }, { isAnimating = true, label = "Busy" }) {
      body.classList.toggle("idle", !isAnimating);
      set(body, { "aria-label": isAnimating ? label : "Idle" });
    },
  },

  list: showingRows(),
  collection: showingRows(),
  tree: showingRows(),
  table: showingRows(true),

  cell: {
    make(view) {
      const owner = view.parent?.className;
      if (owner === "tree") view.twist = create("span", { class: "tide-twist" });
      return (view.content = create(owner === "table" ? "tr" : "div"));
    },
    nodes({ children, twist, content }) {
      const tag = content.tagName === "TR" ? "td" : "div";
      const slots = children.map((child) => (child.slot ??= create(tag, { class: "tide-slot" }, child.element)));
      return twist ? [twist, ...slots] : slots;
    },
    update: ({ parent }) => parent?.kind.isRows && afterwards.add(parent.lay),
  },
};

function switching(role) {
  return {
    isField: true,
    isNamed: true,
    hugs: true,
    takes: pressing,
    make(view) {
      view.control = create("input", {
        type: "checkbox", role, change: () => change(view, { isOn: view.control.checked }, "press"),
      });
      return create("label", { class: "tide-choice" }, view.control, create("span"));
    },
    update({ control, body }, { title = "", isOn }) {
      control.checked = !!isOn;
      say(body.lastChild, title);
    },
    key: ({ control }, name) => name === "Enter" && (control.click(), true),
  };
}

function chosenOf({ local, properties: { chosen, selectedIndex, selected } }) {
  return local.chosen ?? chosen ?? (selectedIndex ?? selected ?? 0) - 1;
}

function choose(view, chosen) {
  if (chosen === chosenOf(view)) return;
  change(view, { chosen }, "choose", chosen);
  view.refresh();
}

// Moves the focus to the neighbour to which a key leads, and gives it.
function roam(elements, name, back, on) {
  const index = elements.indexOf(document.activeElement);
  const count = elements.length;
  const to = { [back]: index + count - 1, [on]: index + 1, Home: 0, End: count - 1 }[name];
  const element = index < 0 ? null : elements[to % count];
  element?.focus();
  return element;
}

function makeDivider(view, index) {
  const isVertical = () => view.properties.axis === "vertical";
  const sizeOf = (element) => element.getBoundingClientRect()[isVertical() ? "height" : "width"];
  const size = () => sizeOf(view.children[index].element);
  const resize = (pixels) => {
    const unit = cell()[isVertical() ? "height" : "width"];
    const position = Math.round(clamp(3, pixels / unit, sizeOf(view.element) / unit - 4));
    view.sizes[index] = position;
    if (!index) change(view, { position }, "value", position);
    view.refresh();
  };
  const coordinate = (event) => (isVertical() ? event.clientY : event.clientX);
  return create("div", {
    class: "tide-grip", role: "separator", tabindex: 0, "aria-label": "Divider",
    pointerdown(event) {
      const start = size() - coordinate(event);
      this.setPointerCapture(event.pointerId);
      this.onpointermove = (move) => resize(start + coordinate(move));
    },
    lostpointercapture() {
      this.onpointermove = null;
    },
    keydown(event) {
      const way = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1, Home: -1e6, End: 1e6 }[event.key];
      if (!way) return;
      event.preventDefault();
      resize(size() + way * cell()[isVertical() ? "height" : "width"]);
    },
  });
}

function showCalendar({ isOff, date, properties }) {
  if (!isOff && properties.editable !== false) date.showPicker?.();
  return true;
}

// MARK: Typing

function editing(tag, takes, decorate, attributes) {
  return {
    edits: true,
    isField: true,
    isNamed: true,
    takes,
    make(view) {
      const input = () => edit(view);
      view.control = create(tag, {
        class: "tide-input", input, change: input,
        compositionstart: () => (view.isComposing = true),
        compositionend() {
          view.isComposing = false;
          edit(view);
          settleText(view);
        },
        ...attributes,
      });
      return decorate ? create("div", { class: "tide-group" }, view.control, ...decorate(view)) : view.control;
    },
    update({ control, date, className }, { placeholder, secure, maxLength, editable, value, utc, showsTime }) {
      set(control, { placeholder, maxlength: maxLength, type: secure ? "password" : null });
      control.readOnly = editable === false;
      if (!date) return;
      date.type = showsTime ? "datetime-local" : "date";
      const zone = utc ? 0 : new Date(value * 1000).getTimezoneOffset() * 60;
      date.value = value === undefined ? "" : new Date((value - zone) * 1000).toISOString().slice(0, showsTime ? 16 : 10);
    },
    key(view, name) {
      const { className } = view;
      if (name === "Enter") return className !== "textArea" && send("submit", view);
      if (className === "numberField") return stepKey(view, name);
      return view.date && /^((Alt-)?Down|F4)$/.test(name) && showCalendar(view);
    },
  };
}

function edit(view) {
  const { value, selectionStart, selectionEnd } = view.control;
  if (view.isComposing || value === view.properties.text) return;
  view.properties.text = value;
  // A text from before this edit has been overwritten by it.
  view.kept = null;
  change(view, {}, "edit", value, selectionStart, selectionEnd);
}

function takeText(view, text) {
  view.kept = text;
  settleText(view);
}

// Puts in what the server has sent, once it has seen all edits.
function settleText(view) {
  const { kept: text, control } = view;
  if (text == null || view.isComposing || view.sent > acknowledged) return;
  view.properties.text = text;
  view.kept = null;
  const { value: former, selectionStart, selectionEnd } = control;
  if (former === text) return;
  control.value = text;
  if (document.activeElement !== control) return;
  let start = 0;
  let end = 0;
  const shorter = Math.min(former.length, text.length);
  while (start < shorter && former[start] === text[start]) start++;
  while (end < shorter - start && former.at(-1 - end) === text.at(-1 - end)) end++;
  // The caret stays beside what it stood beside.
  const moved = (at) => (at <= start ? at : at >= former.length - end ? at + text.length - former.length
    : Math.min(at, text.length - end));
  control.setSelectionRange(moved(selectionStart), moved(selectionEnd));
}

// MARK: Rows
//
// The cells that the server has sent stand at their places in a content as high as all rows. Browsers
// bound the height of elements, so that of very many rows is less: `shift` is how much further down
// the rows in sight are than the scroll offset says.

const mostPixels = 8e6;
const mostRows = 400;

function showingRows(isTable) {
  return {
    isRows: true,
    isNamed: true,
    make(view) {
      view.shift = view.lastTop = 0;
      view.lay = () => layRows(view);
      let inner = (view.content = create(isTable ? "tbody" : "div", { role: isTable ? "rowgroup" : "presentation" }));
      if (isTable) {
        view.headings = create("tr", { role: "row" });
        inner = create("table", {}, create("thead", { role: "rowgroup" }, view.headings), inner);
      }
      view.scroller = create("div", {
        class: "tide-rows",
        scroll: () => (view.frame ??= requestAnimationFrame(() => {
          view.frame = null;
          scrolled(view);
        })),
        click: (event) => clickRow(view, event),
        dblclick: (event) => clickRow(view, event),
      }, inner);
      view.control = set(isTable ? inner : view.scroller, { role: isTable ? "grid" : "listbox", tabindex: 0 });
      resizes.observe(view.scroller);
      return view.scroller;
    },
    update(view, { columns, selectionMode }) {
      set(view.control, { "aria-multiselectable": selectionMode === "many" || null });
      if (columns && view.headings) updateColumns(view, columns);
      afterwards.add(view.lay);
    },
    key: rowKey,
  };
}

const resizes = new ResizeObserver((entries) => {
  for (const { target } of entries) Object.assign(viewOf(target), { isMeasured: false }).lay();
});

function updateColumns({ control, headings, id }, columns) {
  style(control, "--tide-columns", columns.map(({ width }) => (width ? wide(width + 2) : "minmax(12ch, 1fr)")).join(" "));
  fill(headings, repeat([...headings.children], columns, () => create("th", { role: "columnheader" })));
  columns.forEach(({ title, align, sort, sortable }, index) => {
    const heading = headings.children[index];
    style(heading, "text-align", align);
    set(heading, { "aria-sort": sort ? sort + "ending" : sortable ? "none" : null });
    const tag = sortable ? "button" : "span";
    if (heading.firstChild?.localName !== tag) {
      heading.replaceChildren(create(tag, { click: () => sortable && send("sort", views.get(id), index) }));
    }
    say(heading.firstChild, title || "Column " + (index + 1));
    set(heading.firstChild, { class: title ? null : "tide-unseen" });
  });
}

// The height in which rows show, and how far down in all of them its top is.
const pageOf = ({ scroller, headings }) => Math.max(1, scroller.clientHeight - (headings?.offsetHeight ?? 0));
const topOf = ({ scroller, shift }) => scroller.scrollTop + shift;

function layRows(view) {
  const { scroller, content, children, count = 0, isAtEnd } = view;
  if (!scroller.clientWidth) return;
  const { rowHeight = 1, itemWidth = 10, spacing = 1, followsEnd } = view.properties;
  const unit = cell();
  if (!view.isMeasured) {
    style(content, "--tide-row", `calc(${rowHeight} * 1lh)`);
    view.step = Math.max(unit.height * rowHeight, ...children.map(({ element }) => element.scrollHeight));
    style(content, "--tide-row", view.step + "px");
    view.isMeasured = children.length;
  }
  view.itemWidth = view.className === "collection" ? (itemWidth + spacing) * unit.width : 0;
  view.perLine = Math.max(1, Math.floor((scroller.clientWidth + spacing * unit.width) / (view.itemWidth || Infinity)));
  view.height = Math.ceil(count / view.perLine) * view.step;
  view.real = Math.min(view.height, mostPixels);
  if (view.real === view.height) view.shift = 0;
  style(content, "height", view.real + "px");
  style(scroller, "--tide-natural", Math.min(view.height, 10 * view.step) + scroller.offsetHeight - pageOf(view) + "px");
  if (isAtEnd && followsEnd) scrollRows(view, view.height);
  placeRows(view);
  markRows(view);
  scrolled(view);
}

function placeRows({ children, perLine, step, shift, itemWidth }) {
  for (const { element, row } of children) {
    style(element, "top", Math.floor(row / perLine) * step - shift + "px");
    style(element, "left", (row % perLine) * itemWidth + "px");
    style(element, "width", itemWidth ? itemWidth - 8 + "px" : "");
  }
}

function scrolled(view) {
  const top = view.scroller.scrollTop;
  const page = pageOf(view);
  const most = view.real - page;
  // Small steps are true ones; a jump goes to the same part of the whole.
  if (view.real < view.height && (top <= 0 || top >= most - 1 || Math.abs(top - view.lastTop) > page)) {
    view.shift = Math.min(1, top / most) * (view.height - page) - top;
    placeRows(view);
  }
  view.lastTop = top;
  view.isAtEnd = topOf(view) + page >= view.height - view.step;
  askForRows(view);
}

function askForRows(view) {
  const { perLine, step, count = 1, children } = view;
  const lines = Math.ceil(pageOf(view) / step) + 1;
  const first = Math.floor(topOf(view) / step) * perLine;
  const known = new Set(children.map(({ row }) => row));
  const margin = 5 * perLine;
  const last = first + lines * perLine;
  const isKnown = (row) => known.has(clamp(0, row, count - 1));
  if (!count || [first - margin, first, last, last + margin].every(isKnown)) return;
  const from = Math.max(0, first - lines * perLine);
  const asked = [from, Math.min(mostRows, 3 * lines * perLine)];
  if (String(asked) === view.asked) return;
  // One question at a time; the next follows the answer.
  if (view.sent <= acknowledged) {
    view.asked = String(asked);
    view.sent = send("rows", view, ...asked);
  }
  ahead.add(view);
}

// Scrolls to a place in all rows.
function scrollRows(view, place) {
  const { scroller, height, real } = view;
  const page = pageOf(view);
  const top = clamp(0, place, height - page);
  scroller.scrollTop = real < height ? (top / (height - page)) * (real - page) : top;
  view.lastTop = scroller.scrollTop;
  view.shift = real < height ? top - view.lastTop : 0;
  placeRows(view);
  scrolled(view);
}

// Shows what is selected, and where the keys are at.
function markRows(view) {
  const { local, children, headings, count } = view;
  const { selectionMode = "one", branches = [] } = view.properties;
  const selected = local.chosen ?? children.find(({ properties }) => properties.selected)?.row;
  if (selectionMode === "one") view.cursor = selected ?? view.cursor;
  // Options may hold no controls, so that lists whose cells do are grids.
  const isTree = view.className === "tree";
  const isGrid = !isTree && (headings || !!view.content.querySelector("button, input, select, textarea"));
  const before = headings ? 1 : 0;
  const attributes = {
    role: isTree ? "tree" : isGrid ? "grid" : "listbox",
    "aria-activedescendant": null, "aria-rowcount": isGrid ? count + before : null,
  };
  children.forEach((each, index) => {
    const { element, row, properties, twist } = each;
    const isSelected = local.chosen === undefined ? !!properties.selected : row === selected;
    const isCurrent = row === view.cursor;
    if (isCurrent) attributes["aria-activedescendant"] = idOf(element);
    element.classList.toggle("tide-current", isCurrent);
    const [depth, isOpen] = branches[index] ?? [0];
    Object.assign(each, { depth, isOpen });
    if (twist) style(element, "--tide-depth", depth);
    for (const { slot } of each.children) set(slot, { role: isGrid ? "gridcell" : null });
    set(element, {
      role: isTree ? "treeitem" : isGrid ? "row" : "option",
      "aria-selected": selectionMode === "none" ? null : isSelected,
      "aria-rowindex": isGrid ? row + 1 + before : null,
      "aria-posinset": isTree || isGrid ? null : row + 1,
      "aria-setsize": isTree || isGrid ? null : count,
      "aria-level": isTree ? depth + 1 : null,
      "aria-expanded": isOpen,
    });
  });
  set(view.control, attributes);
}

function selectRow(view, row, modifiers = "") {
  const { selectionMode = "one" } = view.properties;
  if (selectionMode === "none") return;
  change(view, selectionMode === "one" ? { chosen: row } : {}, "select", row, modifiers);
  goTo(view, row);
}

// Makes a row the one that keys start from.
function goTo(view, row) {
  view.cursor = row;
  markRows(view);
  const start = Math.floor(row / view.perLine) * view.step;
  const top = topOf(view);
  const place = Math.min(start, Math.max(top, start + view.step - pageOf(view)));
  if (place !== top) scrollRows(view, place);
}

function clickRow(view, { type, target, shiftKey, ctrlKey, metaKey }) {
  let inner = viewOf(target);
  while (inner && inner.parent !== view) inner = inner.parent;
  if (!inner || view.isOff || target.closest("button, input, select, textarea, label")) return;
  const { row, twist, isOpen } = inner;
  if (type === "dblclick") send("open", view, row);
  else if (target === twist && isOpen != null) send("expand", view, row, !isOpen);
  else selectRow(view, row, shiftKey ? "shift" : ctrlKey || metaKey ? "ctrl" : "");
}

function rowKey(view, name) {
  const { cursor: row, count, perLine, step, className, children } = view;
  const { selectionMode = "one" } = view.properties;
  if (!count || !step || selectionMode === "none") return false;
  const isMany = selectionMode === "many";
  const [, prefix, key] = /^(Shift-|Ctrl-|Alt-)?(.+)$/.exec(name);
  const page = Math.max(1, Math.floor(pageOf(view) / step)) * perLine;
  const way = {
    Up: -perLine, Down: perLine, PageUp: -page, PageDown: page, Home: -count, End: count,
    ...(className === "collection" ? { Left: -1, Right: 1 } : {}),
  }[key];
  if (way && prefix !== "Alt-" && (!prefix || isMany)) {
    const to = clamp(0, (row ?? (way < 0 ? count : -perLine)) + way, count - 1);
    view.control.focus({ preventScroll: true });
    if (prefix === "Ctrl-") goTo(view, to);
    else selectRow(view, to, prefix ? "shift" : "");
    return true;
  }
  if (name === "Ctrl-A" && isMany) {
    selectRow(view, 0);
    selectRow(view, count - 1, "shift");
    return true;
  }
  if (row === undefined) return false;
  const index = children.findIndex((each) => each.row === row);
  const { isOpen, depth } = children[index] ?? {};
  const parent = children.slice(0, Math.max(0, index)).findLast((each) => each.depth < depth);
  if (isOpen != null && (name === "Space" || name === (isOpen ? "Left" : "Right"))) send("expand", view, row, !isOpen);
  else if (name === "Right" && isOpen) selectRow(view, row + 1);
  else if (name === "Left" && parent) selectRow(view, parent.row);
  else if (name === "Enter") send("open", view, row);
  else if (name === "Delete") send("delete", view, row);
  else if (name === "Space" && isMany) selectRow(view, row, "ctrl");
  else if (prefix === "Alt-" && Math.abs(way) === perLine) send("move", view, row, row + way);
  else return false;
  return true;
}

// MARK: Menus

let openedMenu;

// Shows items in a list at its opener or a place; further items stand below theirs, moved in.
function openMenu(view, items, path, opener, place) {
  closeMenu();
  const element = create("div", { role: "menu", popover: "manual", "aria-label": "Menu", class: "tide-menu" });
  addItems(element, items, path, (chosen) => {
    closeMenu();
    send("menu", view, chosen);
  });
  openedMenu = { view, element, opener, former: document.activeElement };
  (opener.closest("dialog") ?? byId("tide-main")).append(element);
  element.showPopover();
  const { left, bottom } = opener.getBoundingClientRect();
  const { x, y } = place ?? { x: left, y: bottom };
  style(element, "left", clamp(0, x, innerWidth - element.offsetWidth) + "px");
  style(element, "top", clamp(0, y, innerHeight - element.offsetHeight) + "px");
  if (!place) set(opener, { "aria-expanded": true });
  element.querySelector("button")?.focus();
}

function addItems(parent, items, path, choose) {
  items.forEach(({ title, key, enabled, mark, items: further }, index) => {
    if (title === "-") return parent.append(create("hr"));
    const own = [...path, index];
    if (further) {
      const group = create("div", { role: "group", "aria-label": title }, create("div", {}, title));
      addItems(group, further, own, choose);
      return parent.append(group);
    }
    parent.append(create("button", {
      type: "button", tabindex: -1, role: mark === undefined ? "menuitem" : "menuitemcheckbox",
      "aria-checked": mark, "aria-disabled": enabled === false || null,
      click: () => enabled !== false && choose(own),
    }, create("span", {}, title), create("kbd", {}, key ?? "")));
  });
}

function closeMenu() {
  if (!openedMenu) return;
  const { element, opener, former } = openedMenu;
  openedMenu = null;
  if (opener.ariaExpanded) opener.ariaExpanded = false;
  element.remove();
  former?.focus();
}

function menuKey(name) {
  const { view, element, opener } = openedMenu;
  const entries = [...element.querySelectorAll("button")];
  if (roam(entries, name, "Up", "Down")) return true;
  const titles = [...view.element.querySelectorAll("[aria-haspopup]")];
  const way = { Left: -1, Right: 1 }[name];
  if (/^(Escape|(Shift-)?Tab)$/.test(name)) closeMenu();
  else if (way && titles.length > 1) titles.at((titles.indexOf(opener) + way) % titles.length).click();
  else return !pressing.test(name);
  return true;
}

// The path to the item with a key.
function pathOf(key, items = []) {
  for (const [index, item] of items.entries()) {
    if (item.enabled === false) continue;
    if (item.key && isSameKey(item.key, key)) return [index];
    const below = pathOf(key, item.items);
    if (below) return [index, ...below];
  }
}

// MARK: Charts

const seriesColors = ["", "cyan", "yellow", "magenta", "green", "blue", "red"];

function svg(tag, attributes, ...content) {
  const element = set(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes);
  element.append(...content);
  return element;
}

function updateChart({ body: element }, { series = [], kind = "spark", minimum, maximum, scale, titles = [], label }) {
  const values = series.flatMap((each) => each.values).filter((value) => value != null);
  if (kind !== "line") values.push(0);
  const least = minimum ?? Math.min(...values);
  const most = maximum ?? Math.max(...values);
  const y = (value) => 100 - (100 * (value - least)) / (most - least || 1);
  const count = Math.max(1, ...series.map((each) => each.values.length));
  const said = series.map(({ name, values }) => `${name ?? "values"} ${values.at(-1) ?? "none"}`).join(", ");
  set(element, { "aria-label": `${label ?? kind + " chart"}: ${said}, from ${least} to ${most}` });
  element.classList.toggle("spark", kind === "spark");
  const paths = series.map(({ values, color: own }, index) => {
    const width = 0.8 / series.length;
    let command = "M";
    const d = values.map((value, at) => {
      const isGap = value == null;
      const point = isGap ? ""
        : kind === "line" ? `${command}${((at + 0.5) * count) / values.length} ${y(value)}`
        : `M${at + 0.1 + index * width} ${y(Math.max(least, 0))}V${y(value)}h${width}V${y(Math.max(least, 0))}z`;
      command = isGap ? "M" : "L";
      return point;
    }).join("");
    return colored(svg("path", { d, class: kind }), own, index);
  });
  const ticks = kind === "spark" || scale === false ? [] : [most, (most + least) / 2, least];
  const rules = ticks.map((tick) => svg("path", { d: `M0 ${y(tick)}H${count}`, class: "rule" }));
  const texts = (name, list) =>
    create("div", { class: "tide-" + name }, ...list.map((text) => create("span", {}, String(text))));
  const legend = texts("legend", []);
  series.forEach(({ name, color: own }, index) =>
    name && legend.append(create("span", {}, colored(create("i"), own, index), name)));
  element.replaceChildren(
    legend, texts("ticks", ticks.map((tick) => Number(tick.toPrecision(4)))),
    svg("svg", { viewBox: `0 0 ${count} 100`, preserveAspectRatio: "none" }, ...rules, ...paths),
    texts("labels", titles));
}

function colored(element, own, index) {
  style(element, "color", color("")(own ?? seriesColors[index % seriesColors.length]));
  return element;
}

// MARK: Focus and keys

let toldFocus = 0; // what the server knows to have the focus
let toldSize;

function focusView(view) {
  if (!view || view.element.contains(document.activeElement)) return;
  const inner = ":scope > [tabindex='0'], input:checked, input";
  (view.content ? view.control : view.control.querySelector(inner) ?? view.control).focus();
}

function focusChanged() {
  // Another window may have the focus; a menu bar takes none.
  const view = focusedView();
  const isBar = view?.className === "menu" && !view.properties.title;
  if (!document.hasFocus() || openedMenu || isBar || (view?.id ?? 0) === toldFocus) return;
  toldFocus = view?.id ?? 0;
  send("focus", view);
}

// The name that a terminal gives to a key; nothing for a modifier alone.
function nameOf({ key, ctrlKey, altKey, shiftKey, metaKey }) {
  if (!key || metaKey || /^(Control|Alt|Shift|Dead|Process)/.test(key)) return "";
  const isCharacter = [...key].length === 1 && key !== " ";
  const name = (ctrlKey ? "Ctrl-" : "") + (altKey ? "Alt-" : "");
  if (isCharacter && !name) return key;
  return name + (shiftKey ? "Shift-" : "") +
    (isCharacter ? key.toUpperCase() : key === " " ? "Space" : key.replace(/^Arrow/, ""));
}

// With a modifier, letters are the same large and small.
const isSameKey = (one, other) => one === other || (one.length > 1 && one.toUpperCase() === other.toUpperCase());

// As in a terminal: a view's `keys`, then what its class does, then the same of the view above.
function keyPressed(event) {
  const name = nameOf(event);
  if (!name || event.isComposing) return;
  // What is typed goes before a key that acts on it.
  const take = (action) => {
    event.preventDefault();
    if (focused?.kind.edits) edit(focused);
    action?.();
  };
  const focused = focusedView();
  if (openedMenu) return menuKey(name) && take();
  const isTyping = focused?.kind.edits && (/^(.|Space)$/u.test(name) || event.getModifierState("AltGraph"));
  const modal = viewOf([...document.querySelectorAll("dialog:modal")].at(-1));
  const window = views.get(0)?.children[0];
  let view = focused ?? modal ?? window?.children[0] ?? window;
  for (; view; view = view === modal ? null : view.parent) {
    if (view.isOff) continue;
    const { keys = [], menu } = view.properties;
    const key = isTyping ? null : keys.find((each) => isSameKey(each, name));
    if (key) return take(() => send("key", focused, key));
    if (!isTyping && view.kind.key?.(view, name)) return take();
    if (view === focused && view.kind.takes?.test(name)) return;
    const path = isTyping ? null : pathOf(name, menu);
    if (path) return take(() => send("menu", view, path));
  }
  if (isTyping) return;
  for (const bar of views.values()) {
    if (bar.className !== "menu" || bar.isOff) continue;
    const path = pathOf(name, bar.properties.menu);
    if (path) return take(() => send("menu", bar, path));
    if (name === "F10") return take(() => bar.control.focus());
  }
  const dialog = [...views.values()].findLast(({ opening }) => /^show/.test(opening));
  if (name === "Escape" && dialog) take(() => send("close", dialog));
}

function clicked({ type, target }) {
  let view = viewOf(target);
  while (view && !view.properties.clicks) view = view.parent;
  if (view && !view.isOff) send(type === "click" ? "click" : "double", view);
}

function showContextMenu(event) {
  let view = viewOf(event.target);
  while (view && (/menu|keyBar/.test(view.className) || !view.properties.menu)) view = view.parent;
  if (!view || view.isOff) return;
  event.preventDefault();
  openMenu(view, view.properties.menu, [], view.element, { x: event.clientX, y: event.clientY });
}

function sendSize() {
  const { width, height } = cell();
  const size = [Math.floor(innerWidth / width), Math.floor(innerHeight / height)];
  if (!isReady || String(size) === toldSize) return;
  toldSize = String(size);
  send("size", null, ...size);
}

// Shows a text beside the app, or takes it away.
function notice(name, text, role = "status") {
  const notices = byId("tide-notices");
  const element = notices.querySelector(".tide-" + name) ??
    notices.appendChild(create("div", { class: "tide-notice tide-" + name, role, "aria-label": name }));
  say(element, text ?? "");
  element.hidden = !text;
}

// MARK: Start

const reconnect = () => !document.hidden && connect();
const listeners = {
  click: clicked, dblclick: clicked, contextmenu: showContextMenu,
  focusin: focusChanged, focusout: () => setTimeout(focusChanged),
  resize: sendSize, online: reconnect, offline: disconnect, visibilitychange: reconnect,
};
for (const name in listeners) addEventListener(name, listeners[name]);
addEventListener("keydown", keyPressed, true);
addEventListener("pointerdown", ({ target }) => target.closest(".tide-menu") || closeMenu(), true);
// A cut connection shows by its silence.
setInterval(() => {
  if (isReady && unacknowledged.length && Date.now() - lastHeard > 10000) disconnect();
}, 2000);
connect();
