import { escapeHtml } from '../dom/escape-html.js';

/** Elements without content and end tag. */
const VOID_TAGS = new Set(['br', 'col', 'hr', 'img', 'input']);
/** Valid names of elements and attributes. Markdown and the views use no others, so any other name is an error of this library. */
const NAME = /^[a-zA-Z][a-zA-Z0-9-]*$/;

/** A node of a document that exists only to be serialized as HTML. It has only the members that this module and the Markdown renderer use. */
abstract class StaticNode {
  abstract readonly nodeType: number;
  readonly ownerDocument: StaticDocument;
  parentNode: StaticElement | null = null;

  constructor(ownerDocument: StaticDocument) {
    this.ownerDocument = ownerDocument;
  }

  abstract get textContent(): string;
  abstract get nodeValue(): string | null;
  /** Returns the node as HTML. */
  abstract print(): string;

  get parentElement(): StaticElement | null {
    return this.parentNode;
  }

  get nextSibling(): StaticNode | null {
    return this.#sibling(1);
  }

  get previousSibling(): StaticNode | null {
    return this.#sibling(-1);
  }

  remove(): void {
    this.parentNode?.detach(this);
  }

  before(...nodes: readonly (StaticNode | string)[]): void {
    for (const node of nodes) this.parentNode?.attach(node, this);
  }

  after(...nodes: readonly (StaticNode | string)[]): void {
    const next = this.nextSibling;
    for (const node of nodes) this.parentNode?.attach(node, next);
  }

  replaceWith(...nodes: readonly (StaticNode | string)[]): void {
    this.before(...nodes);
    this.remove();
  }

  #sibling(offset: number): StaticNode | null {
    const siblings = this.parentNode?.childNodes ?? [];
    // Searched from the end, where the Markdown renderer works.
    return siblings[siblings.lastIndexOf(this) + offset] ?? null;
  }
}

class StaticText extends StaticNode {
  readonly nodeType = 3;
  data: string;

  constructor(ownerDocument: StaticDocument, data: string) {
    super(ownerDocument);
    this.data = data;
  }

  get length(): number {
    return this.data.length;
  }

  get textContent(): string {
    return this.data;
  }

  get nodeValue(): string {
    return this.data;
  }

  set nodeValue(data: string) {
    this.data = data;
  }

  appendData(text: string): void {
    this.data += text;
  }

  replaceData(start: number, length: number, text: string): void {
    this.data = this.data.slice(0, start) + text + this.data.slice(start + length);
  }

  print(): string {
    return escapeHtml(this.data);
  }
}

class StaticElement extends StaticNode {
  readonly nodeType = 1;
  readonly localName: string;
  readonly childNodes: StaticNode[] = [];
  readonly #attributes = new Map<string, string>();

  constructor(ownerDocument: StaticDocument, localName: string) {
    super(ownerDocument);
    if (!NAME.test(localName)) throw new TypeError(`"${localName}" is not a valid element name.`);
    this.localName = localName;
  }

  get children(): readonly StaticElement[] {
    return this.childNodes.filter((node) => node instanceof StaticElement);
  }

  get childElementCount(): number {
    return this.children.length;
  }

  get firstChild(): StaticNode | null {
    return this.childNodes[0] ?? null;
  }

  get lastChild(): StaticNode | null {
    return this.childNodes.at(-1) ?? null;
  }

  get firstElementChild(): StaticElement | null {
    return this.children[0] ?? null;
  }

  get lastElementChild(): StaticElement | null {
    return this.children.at(-1) ?? null;
  }

  get nodeValue(): null {
    return null;
  }

  get textContent(): string {
    return this.childNodes.map((node) => node.textContent).join('');
  }

  /** A `classList` with only `add`, `remove` and `contains`. */
  get classList(): Pick<DOMTokenList, 'contains'> & {
    add(name: string): void;
    remove(name: string): void;
  } {
    const names = new Set(this.getAttribute('class')?.split(' ').filter(Boolean));
    const write = (): void => {
      this.setAttribute('class', [...names].join(' '));
    };
    return {
      contains: (name) => names.has(name),
      add: (name) => {
        names.add(name);
        write();
      },
      remove: (name) => {
        if (names.delete(name)) write();
      },
    };
  }

  /** Whether the element has a class; no other selectors are supported. */
  matches(selector: string): boolean {
    if (!selector.startsWith('.')) throw new TypeError(`"${selector}" is not a class selector.`);
    return this.classList.contains(selector.slice(1));
  }

  contains(node: StaticNode | null): boolean {
    for (let at = node; at; at = at.parentNode) if (at === this) return true;
    return false;
  }

  hasChildNodes(): boolean {
    return this.childNodes.length > 0;
  }

  getAttribute(name: string): string | null {
    return this.#attributes.get(name) ?? null;
  }

  setAttribute(name: string, value: string): void {
    if (!NAME.test(name)) throw new TypeError(`"${name}" is not a valid attribute name.`);
    this.#attributes.set(name, value);
  }

  removeAttribute(name: string): void {
    this.#attributes.delete(name);
  }

  append(...nodes: readonly (StaticNode | string)[]): void {
    for (const node of nodes) this.attach(node, null);
  }

  prepend(...nodes: readonly (StaticNode | string)[]): void {
    const { firstChild } = this;
    for (const node of nodes) this.attach(node, firstChild);
  }

  appendChild<Node extends StaticNode>(node: Node): Node {
    this.attach(node, null);
    return node;
  }

  insertBefore<Node extends StaticNode>(node: Node, next: StaticNode | null): Node {
    this.attach(node, next);
    return node;
  }

  replaceChildren(...nodes: readonly (StaticNode | string)[]): void {
    for (const node of [...this.childNodes]) node.remove();
    this.append(...nodes);
  }

  /** Does nothing: a static document dispatches no events. */
  addEventListener(): void {}

  /** Does nothing: a static document dispatches no events. */
  removeEventListener(): void {}

  /** Inserts a node before a child, or at the end. */
  attach(node: StaticNode | string, next: StaticNode | null): void {
    const child = typeof node === 'string' ? this.ownerDocument.createTextNode(node) : node;
    if (child === next) return;
    child.remove();
    const at = next ? this.childNodes.lastIndexOf(next) : -1;
    this.childNodes.splice(at < 0 ? this.childNodes.length : at, 0, child);
    child.parentNode = this;
  }

  /** Removes a child. */
  detach(node: StaticNode): void {
    const at = this.childNodes.lastIndexOf(node);
    if (at >= 0) this.childNodes.splice(at, 1);
    node.parentNode = null;
  }

  print(): string {
    const attributes = [...this.#attributes].map(
      ([name, value]) => ` ${name}="${escapeHtml(value)}"`,
    );
    const start = `<${this.localName}${attributes.join('')}>`;
    if (VOID_TAGS.has(this.localName)) return start;
    // The HTML parser drops a line end directly after this tag, so add one that can be dropped.
    const lineEnd = this.localName === 'pre' ? '\n' : '';
    const content = this.childNodes.map((node) => node.print()).join('');
    return `${start}${lineEnd}${content}</${this.localName}>`;
  }
}

class StaticDocument {
  createElement(name: string): StaticElement {
    return new StaticElement(this, name);
  }

  createTextNode(data: string): StaticText {
    return new StaticText(this, data);
  }
}

/**
 * Creates a document for rendering without a browser. It has what the Markdown renderer uses of the DOM, and no more: no queries, no
 * layout, no events.
 */
export function createStaticDocument(): Document {
  // The Markdown renderer is typed for a whole document.
  return new StaticDocument() as unknown as Document;
}

/** Returns a node of a static document as HTML. */
export function printHtml(node: Node): string {
  if (!(node instanceof StaticNode))
    throw new TypeError('The node does not belong to a static document.');
  return node.print();
}
