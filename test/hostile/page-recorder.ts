/** Injected into a page before any script, bundled separately; records what it observes. */

/** What has happened in a page and should not have. */
export interface PageEffects {
  /** Names of attacks whose code ran. */
  readonly ran: readonly string[];
  /** Reports of the page's policy. */
  readonly reports: readonly string[];
  /** Added properties of the window, changed members of built-in classes and of their prototypes, and a change of the page around the elements. */
  readonly globals: readonly string[];
  /** Elements, attributes and addresses that the library never creates. */
  readonly dom: readonly string[];
}

/** Kinds of nodes that the library creates, and its properties of the window. */
export interface Allowed {
  readonly elements: readonly string[];
  /** An asterisk matches any suffix. */
  readonly attributes: readonly string[];
  /** What drawings of diagrams may contain in addition. */
  readonly drawings: {
    readonly elements: readonly string[];
    readonly attributes: readonly string[];
  };
  readonly globals: readonly string[];
}

declare global {
  interface Window {
    /** Called by each attack whose code runs. */
    ran: (name: string) => void;
    /** Called when the page is ready, before it contains anything hostile: `globals` are compared with this state. */
    startRecording: () => void;
    /** Returns what has happened: attacks and reports since the page began to load, `globals` since `startRecording`, and the present `dom`. */
    readRecording: (allowed: Allowed) => PageEffects;
  }
}

const OURS = 'ubik-chat, ubik-message, ubik-markdown';
/** The box of the unsafe renderer of `pages.ts`, which proves that the recorder finds something, and of sanitized HTML. */
const UNSAFE = '.unsafe';
/** Attributes that contain addresses. */
const ADDRESSES = ['href', 'xlink:href', 'action', 'formaction', 'src', 'srcset'];
/** Schemes that a link may have; any other address must be that of a blob. */
const LINK_SCHEMES = ['http', 'https', 'mailto', 'tel'];
/** Words that the `rel` of every link must contain. */
const REL = ['noopener', 'noreferrer', 'nofollow', 'ugc'];

const ran: string[] = [];
const reports: string[] = [];
let names = new Set<PropertyKey>();
let shapes = new Map<string, unknown>();
let outside = '';

window.ran = (name) => {
  ran.push(String(name));
};
document.addEventListener('securitypolicyviolation', (event) => {
  reports.push(`${event.violatedDirective}: ${event.blockedURI} ${event.sample}`);
});
window.startRecording = () => {
  names = new Set(Reflect.ownKeys(window));
  shapes = readShapes();
  outside = readOutside();
};
window.readRecording = (allowed) => {
  const dom = new Set<string>();
  for (const element of document.querySelectorAll(`${OURS}, ${UNSAFE}`)) {
    inspect(element.shadowRoot ?? element, allowed, dom);
  }
  const globals = findChanges().filter((name) => !allowed.globals.includes(name));
  return { ran, reports, globals, dom: [...dom] };
};

/** Returns all members of the built-in classes and of their prototypes with their values; getters are not called. */
function readShapes(): Map<string, unknown> {
  const found = new Map<string, unknown>();
  for (const name of Object.getOwnPropertyNames(window)) {
    const value: unknown = /^[A-Z]/.test(name) ? Reflect.get(window, name) : null;
    if (typeof value !== 'function') continue;
    readShape(name, value, found);
    const prototype: unknown = Reflect.get(value, 'prototype');
    if (typeof prototype === 'object' && prototype) {
      readShape(`${name}.prototype`, prototype, found);
    }
  }
  return found;
}

function readShape(name: string, object: object, found: Map<string, unknown>): void {
  for (const key of Reflect.ownKeys(object)) {
    const descriptor = Reflect.getOwnPropertyDescriptor(object, key);
    const value: unknown = descriptor?.value;
    found.set(`${name}.${String(key)}`, value ?? descriptor?.get ?? descriptor?.set);
  }
}

/** The page without the library's elements. */
function readOutside(): string {
  const copy = document.documentElement.cloneNode(true) as Element;
  for (const element of copy.querySelectorAll(OURS)) element.remove();
  return copy.outerHTML;
}

function findChanges(): string[] {
  const changed = [...readShapes()].filter(([key, value]) => !Object.is(shapes.get(key), value));
  const added = Reflect.ownKeys(window).filter((key) => !names.has(key));
  const moved = readOutside() === outside ? [] : ['the page around the elements'];
  return [...changed.map(([key]) => key), ...added.map(String), ...moved];
}

function inspect(root: ParentNode, allowed: Allowed, found: Set<string>): void {
  const isKnown = (attribute: string): boolean =>
    allowed.attributes.some((entry) =>
      entry.endsWith('*') ? attribute.startsWith(entry.slice(0, -1)) : attribute === entry,
    );
  for (const element of root.querySelectorAll('*')) {
    if (isDrawingFrame(element)) continue;
    const name = element.localName;
    const { drawings } = allowed;
    const isDrawing = element.closest('.ubik-mermaid > svg') !== null;
    const isKnownElement =
      allowed.elements.includes(name) || (isDrawing && drawings.elements.includes(name));
    if (!isKnownElement) found.add(`<${name}>`);
    for (const { name: attribute, value } of element.attributes) {
      const isOfDrawing = isDrawing && drawings.attributes.includes(attribute);
      if (!isKnown(attribute) && !isOfDrawing) found.add(`<${name} ${attribute}>`);
      if (attribute === 'style' && /url|image|@import/i.test(value)) found.add(`style: ${value}`);
    }
    inspectAddresses(element, found);
    if (element.shadowRoot) inspect(element.shadowRoot, allowed, found);
  }
}

/** Whether an element is the frame in which Mermaid runs. */
function isDrawingFrame(element: Element): boolean {
  return (
    element instanceof HTMLIFrameElement &&
    element.getAttribute('sandbox') === 'allow-scripts' &&
    !element.hasAttribute('srcdoc') &&
    element.src.endsWith('/vendor/mermaid.html')
  );
}

function inspectAddresses(element: Element, found: Set<string>): void {
  for (const attribute of ADDRESSES) {
    const value = element.getAttribute(attribute);
    if (value === null) continue;
    const scheme = /^([a-z+.-]+):/i.exec(value)?.[1]?.toLowerCase() ?? 'relative';
    const schemes = attribute === 'href' ? LINK_SCHEMES : ['blob'];
    if (attribute === 'href' && isFootnote(element)) continue;
    const hasPassword = /^\w+:\/\/[^/]*@/.test(value);
    if (!schemes.includes(scheme) || hasPassword) found.add(`${attribute}: ${value.slice(0, 80)}`);
  }
  const rel = element.getAttribute('rel') ?? '';
  const leaks = REL.some((word) => !rel.includes(word)) && !isFootnote(element);
  if (element.matches('a[href]') && leaks) found.add(`rel: ${element.outerHTML.slice(0, 80)}`);
}

/**
 * Whether the element is a link between a footnote and its reference, which has no scheme and no `rel`: its target is an id created by the
 * library, without anything from the input.
 */
function isFootnote(element: Element): boolean {
  const isNote = element.matches('a[role="doc-noteref"], a[role="doc-backlink"]');
  const href = element.getAttribute('href') ?? '';
  return isNote && /^#ubik-[0-9-]+-note-[0-9]+(?:-ref(?:-[0-9]+)?)?$/.test(href);
}
