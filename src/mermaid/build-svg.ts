import { MAX_ELEMENTS, type DrawnElement } from './drawing.js';

/** Maximum depth to which elements may be nested. */
const MAX_DEPTH = 60;
/** Maximum length of the value of an attribute, in UTF-16 units. An attribute with a longer value is omitted. */
const MAX_VALUE_LENGTH = 50_000;

const SVG = 'http://www.w3.org/2000/svg';
const splitNames = (text: string): string[] => text.trim().split(/\s+/);

/** Permitted elements: those that draw shapes and texts; no links, pictures, scripts, styles, animations and HTML. */
const ELEMENTS = new Set(
  splitNames(`circle clipPath defs ellipse g line linearGradient marker path polygon polyline radialGradient
  rect stop svg text tspan`),
);
/** Permitted attributes whose values are numbers, keywords, paths and transformations. */
const PLAIN_ATTRIBUTES = new Set(
  splitNames(`alignment-baseline baseline-shift clip-rule clipPathUnits cx cy d dominant-baseline dx dy
  fill-opacity fill-rule font-size font-style font-weight fx fy gradientTransform gradientUnits height letter-spacing
  markerHeight markerUnits markerWidth offset opacity orient paint-order points preserveAspectRatio r refX refY rotate rx
  ry stop-opacity stroke-dasharray stroke-dashoffset stroke-linecap stroke-linejoin stroke-miterlimit stroke-opacity
  stroke-width text-anchor text-decoration-line textLength transform viewBox visibility width x x1 x2 y y1 y2`),
);
const PLAIN_VALUE =
  /^(?:[\w\s.,%+-]|(?:matrix|translate|rotate|scale|skewX|skewY)\([\d\s.,e+-]*\))*$/;
const COLOR_ATTRIBUTES = new Set(['fill', 'stroke', 'stop-color']);
const COLOR =
  /^(?:[a-z]+|(?:rgba?|color)\([\w\s.,/%+-]*\)|light-dark\((?:(?:rgba?|color)\([\w\s.,/%+-]*\)(?:, |(?=\)$))){2}\))$/i;
/** Attributes that may refer to another element of the drawing. */
const REFERENCES = new Set([
  'clip-path',
  'fill',
  'marker-end',
  'marker-mid',
  'marker-start',
  'stroke',
]);
const REFERENCE = /^url\(["']?#([^"')\\]+)["']?\)$/;
const FONT_FAMILY = /^[\w\s,"'-]*$/;

/** Number of drawings so far, which makes the ids of each one unique. */
let drawingCount = 0;

/**
 * Creates the nodes of a drawing from data that is not trusted: only what the lists above contain. Ids are replaced, so that drawings do
 * not affect each other. Throws a `RangeError` for a drawing beyond the limits.
 */
export function buildSvg(document: Document, svg: DrawnElement): SVGSVGElement {
  if (svg.name !== 'svg') throw new TypeError('A drawing is an <svg>.');
  drawingCount += 1;
  const builder = new SvgBuilder(document, `ubik-diagram-${drawingCount}`);
  return builder.build(svg, 0) as SVGSVGElement;
}

class SvgBuilder {
  readonly #document: Document;
  readonly #prefix: string;
  readonly #ids = new Map<string, string>();
  #count = 0;

  constructor(document: Document, prefix: string) {
    this.#document = document;
    this.#prefix = prefix;
  }

  build({ name, attributes, children }: DrawnElement, depth: number): Element {
    this.#count += 1;
    if (this.#count > MAX_ELEMENTS || depth > MAX_DEPTH) throw new RangeError('large drawing');
    const element = this.#document.createElementNS(SVG, name);
    for (const [key, value] of attributes) {
      const allowed = value.length > MAX_VALUE_LENGTH ? null : this.#checkAttribute(key, value);
      if (allowed !== null) element.setAttribute(key, allowed);
    }
    for (const child of children) {
      if (typeof child === 'string') element.append(child);
      else if (ELEMENTS.has(child.name)) element.append(this.build(child, depth + 1));
    }
    return element;
  }

  /** Returns the value that an attribute may have, or null. */
  #checkAttribute(name: string, value: string): string | null {
    if (name === 'id') return this.#idFor(value);
    if (name === 'font-family') return FONT_FAMILY.test(value) ? value : null;
    if (PLAIN_ATTRIBUTES.has(name)) return PLAIN_VALUE.test(value) ? value : null;
    if (COLOR_ATTRIBUTES.has(name) && COLOR.test(value)) return value;
    const [, id] = (REFERENCES.has(name) && REFERENCE.exec(value)) || [];
    return id === undefined ? null : `url(#${this.#idFor(id)})`;
  }

  #idFor(name: string): string {
    const id = this.#ids.get(name) ?? `${this.#prefix}-${this.#ids.size}`;
    this.#ids.set(name, id);
    return id;
  }
}
