// Describes what a page shows as plain values and changes only what differs, so that the focus of a keyboard, an open dialogue and
// a screen reader's place survive every update.

import { keepFocus, whereFocusIs } from "./focus.js";

// Returns the description of an element; children may be texts, descriptions, lists of these, or null for nothing.
export function h(tag, props, ...children) {
  return { tag, props: props ?? {}, children: children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false) };
}

const SVG = "http://www.w3.org/2000/svg";
const SVG_TAGS = new Set(["svg", "g", "circle", "path", "rect", "line", "polyline", "text", "title", "desc", "use"]);

// Makes the children of an element what the descriptions say. A description with a key keeps its element when it moves.
// Where the element with the focus goes, the focus goes to the nearest thing that is left: see `focus.js`.
export function render(parent, ...descriptions) {
  const around = whereFocusIs(parent);
  patch(parent, h(parent.tagName, null, ...descriptions).children);
  keepFocus(around);
}

function patch(parent, wanted) {
  const keyed = new Map();
  for (const node of parent.childNodes) if (node.vhKey !== undefined) keyed.set(node.vhKey, node);
  let place = parent.firstChild;
  for (const child of wanted) {
    const node = fitting(child, place, keyed);
    if (node !== place && node.contains(document.activeElement)) place = clearTheWay(parent, place, node, wanted);
    if (node === place) place = place.nextSibling;
    else parent.insertBefore(node, place);
    if (typeof child === "object") update(node, child);
    else if (node.data !== String(child)) node.data = String(child);
  }
  while (place) {
    const next = place.nextSibling;
    place.remove();
    place = next;
  }
}

// A node that moves loses the focus: what lies before the one that has it moves or goes instead. Returns that node.
function clearTheWay(parent, place, node, wanted) {
  const keys = new Set(wanted.map((child) => child.props?.key));
  while (place && place !== node) {
    const next = place.nextSibling;
    if (place.vhKey !== undefined && keys.has(place.vhKey)) parent.insertBefore(place, node.nextSibling);
    else place.remove();
    place = next;
  }
  return place ?? node;
}

function fitting(child, place, keyed) {
  if (typeof child !== "object") return place?.nodeType === Node.TEXT_NODE ? place : document.createTextNode("");
  const key = child.props.key;
  if (key !== undefined) {
    const known = keyed.get(key);
    if (known && known.vhTag === child.tag) return known;
  } else if (place?.vhTag === child.tag && place.vhKey === undefined) return place;
  const node = SVG_TAGS.has(child.tag) ? document.createElementNS(SVG, child.tag) : document.createElement(child.tag);
  node.vhTag = child.tag;
  node.vhKey = key;
  node.vhProps = {};
  return node;
}

function update(node, { props, children }) {
  const before = node.vhProps ?? {};
  patch(node, children); // first: a select can only take the value of an option that it has
  for (const name of Object.keys(before)) if (!(name in props)) set(node, name, null);
  for (const [name, value] of Object.entries(props)) if (name !== "key" && before[name] !== value) set(node, name, value);
  node.vhProps = props;
}

function set(node, name, value) {
  if (name.startsWith("on")) node[name.toLowerCase()] = value;
  else if (name === "value" || name === "checked" || name === "disabled") node[name] = value ?? (name === "value" ? "" : false);
  else if (value === null || value === undefined || value === false) node.removeAttribute(name);
  else node.setAttribute(name, value === true ? "" : value);
}
