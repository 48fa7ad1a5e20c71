import type { Drawing, DrawnElement } from '../drawing.js';
import { createLabel } from './label.js';

/** Properties that children inherit; their values become attributes where they differ from those of the parent. */
const INHERITED = [
  'clip-rule',
  'dominant-baseline',
  'fill',
  'fill-opacity',
  'fill-rule',
  'font-family',
  'font-size',
  'font-style',
  'font-weight',
  'letter-spacing',
  'marker-end',
  'marker-mid',
  'marker-start',
  'paint-order',
  'stroke',
  'stroke-dasharray',
  'stroke-dashoffset',
  'stroke-linecap',
  'stroke-linejoin',
  'stroke-miterlimit',
  'stroke-opacity',
  'stroke-width',
  'text-anchor',
  'visibility',
];
/** Properties that children do not inherit, with their initial values. */
const OWN = new Map([
  ['alignment-baseline', ['auto', 'baseline']],
  ['baseline-shift', ['0px', 'baseline']],
  ['clip-path', ['none']],
  ['opacity', ['1']],
  ['stop-color', ['rgb(0, 0, 0)']],
  ['stop-opacity', ['1']],
  ['text-decoration-line', ['none']],
]);
/** Properties with colours, which may differ between the themes. */
const COLORS = new Set(['fill', 'stroke', 'stop-color']);
/** Attributes that are no CSS properties, or whose computed values would be relative to another box. */
const KEPT = new Set(
  `clipPathUnits cx cy d dx dy fx fy gradientTransform gradientUnits height id markerHeight markerUnits markerWidth offset orient
  points preserveAspectRatio r refX refY rotate rx ry textLength transform viewBox width x x1 x2 y y1 y2`.split(
    /\s+/,
  ),
);
/** Elements that are drawn only where others refer to them; browsers may compute `display: none` for them. */
const DEFINITIONS = 'defs, marker, linearGradient, radialGradient, clipPath, stop, defs *';
/** Elements without a drawing of their own. */
const SKIPPED = 'style, script, title, desc, metadata';

/**
 * Reads a drawing as data: the styles that apply to each element become attributes, so that it needs no style sheet, and a colour that
 * differs between the themes becomes `light-dark()`. Texts in HTML become SVG texts.
 */
export function readDrawing(light: SVGSVGElement, dark: SVGSVGElement): Drawing {
  const textOf = (name: string): string =>
    light.querySelector(`:scope > ${name}`)?.textContent.trim() ?? '';
  const isThemed = isSameTree(light, dark);
  return {
    isThemed,
    title: textOf('title'),
    description: textOf('desc'),
    svg: readElement(light, isThemed ? dark : light, new Map()),
  };
}

/** Whether two drawings consist of the same elements in the same order, apart from definitions. Texts and attributes are not compared. */
function isSameTree(left: Element, right: Element): boolean {
  const children = listShapes(left);
  const others = listShapes(right);
  return (
    left.localName === right.localName &&
    children.length === others.length &&
    children.every((child, index) => {
      const other = others[index];
      return other !== undefined && isSameTree(child, other);
    })
  );
}

/** The children that are drawn. Leaves out definitions, which may differ between the themes. */
const listShapes = (element: Element): Element[] =>
  [...element.children].filter((child) => !child.matches(`${SKIPPED}, ${DEFINITIONS}`));

/**
 * Returns the counterpart, in the dark drawing, of a definition or of an element inside a definition. It has the same name, and the same id
 * except for the number of the drawing; an element without an id is found by its position. Returns the given element when there is none.
 */
function findDarkDefinition(light: Element, darkParent: Element): Element {
  const nameOf = ({ localName, id }: Element): string =>
    `${localName} ${id.replace(/^mermaid-\d+/, '')}`;
  const place = [...(light.parentElement?.children ?? [])].indexOf(light);
  const candidates =
    light.id === ''
      ? [...darkParent.children].slice(place, place + 1)
      : [...(darkParent.closest('svg[id^="mermaid-"]')?.querySelectorAll(light.localName) ?? [])];
  return candidates.find((other) => nameOf(other) === nameOf(light)) ?? light;
}

/** Whether the source sets the colour of a node, on which only the text colour of the light theme is certain to be legible. */
const hasOwnColor = (element: Element): boolean =>
  element.matches('.node') && element.querySelector('[style*="fill:"]') !== null;

type Styles = ReadonlyMap<string, string>;

function readElement(light: Element, other: Element, outer: Styles): DrawnElement {
  const dark = hasOwnColor(light) ? light : other;
  const styles = readStyles(light, dark);
  const attributes: (readonly [string, string])[] = [];
  for (const { name, value } of light.attributes) {
    if (KEPT.has(name)) attributes.push([name, value]);
  }
  for (const [name, value] of styles) {
    const isDefault = OWN.get(name)?.includes(value) ?? outer.get(name) === value;
    if (!isDefault) attributes.push([name, value]);
  }
  // A link would lead away from the chat without the checks for links in a text.
  const name = light.localName === 'a' || light.localName === 'switch' ? 'g' : light.localName;
  return { name, attributes, children: readChildren(light, dark, styles) };
}

function readStyles(light: Element, dark: Element): Styles {
  const inLight = getComputedStyle(light);
  const inDark = getComputedStyle(dark);
  const styles = new Map<string, string>();
  for (const name of [...INHERITED, ...OWN.keys()]) {
    const value = inLight.getPropertyValue(name);
    const other = inDark.getPropertyValue(name);
    const isThemed = COLORS.has(name) && value !== other && isColor(value) && isColor(other);
    if (value !== '') styles.set(name, isThemed ? `light-dark(${value}, ${other})` : value);
  }
  return styles;
}

const isColor = (value: string): boolean => /^(?:rgba?|color)\(/.test(value);

function readChildren(light: Element, dark: Element, styles: Styles): (DrawnElement | string)[] {
  const isText = light.closest('text') !== null;
  const shapes = listShapes(light);
  const others = listShapes(dark);
  const children: (DrawnElement | string)[] = [];
  for (const child of light.childNodes) {
    if (child.nodeType === Node.TEXT_NODE && isText) children.push(child.textContent ?? '');
    if (!(child instanceof Element)) continue;
    const other = others[shapes.indexOf(child)] ?? findDarkDefinition(child, dark);
    if (child.matches(SKIPPED) || isHidden(child) || isAlternative(child)) continue;
    if (child.localName === 'foreignObject') {
      children.push(createLabel(child, other));
    } else children.push(readElement(child, other, styles));
  }
  return children;
}

const isHidden = (element: Element): boolean =>
  getComputedStyle(element).display === 'none' && !element.matches(DEFINITIONS);

/** Whether an element is a choice of a `<switch>` that browsers do not draw. */
const isAlternative = (element: Element): boolean =>
  element.parentElement?.localName === 'switch' && element.previousElementSibling !== null;
