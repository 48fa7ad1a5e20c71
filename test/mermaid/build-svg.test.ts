import { expect } from '@open-wc/testing';
import { buildSvg } from '../../src/mermaid/build-svg.js';
import type { DrawnElement } from '../../src/mermaid/drawing.js';

type Attributes = Readonly<Record<string, string>>;

function node(
  name: string,
  attributes: Attributes = {},
  ...children: (DrawnElement | string)[]
): DrawnElement {
  return { name, attributes: Object.entries(attributes), children };
}

const build = (...children: (DrawnElement | string)[]): SVGSVGElement =>
  buildSvg(document, node('svg', { viewBox: '0 0 9 9' }, ...children));

/** The attributes that remain of those of one element. */
function keptOf(attributes: Attributes): Attributes {
  const [element] = build(node('path', attributes)).children;
  const { attributes: kept = [] } = element ?? {};
  return Object.fromEntries([...kept].map(({ name, value }) => [name, value]));
}

describe('SVG of a diagram', () => {
  it('has the shapes, texts and styles of the drawing', () => {
    const attributes = {
      d: 'M0,0L10.5,-3e-7C1 2,3 4,5 6Z',
      fill: 'light-dark(rgb(1, 2, 3), rgba(4, 5, 6, 0.5))',
      stroke: 'none',
      transform: 'translate(1, -2.5) rotate(45)',
      'font-family': '"Noto Sans", system-ui, sans-serif',
      'stroke-dasharray': '3px, 2px',
    };
    expect(keptOf(attributes)).to.deep.equal(attributes);
    const svg = build(node('text', { x: '1' }, 'a ', node('tspan', {}, 'b')));
    expect(svg.querySelector('text')?.textContent).to.equal('a b');
    expect(svg.querySelector('text')).to.be.instanceOf(SVGTextElement);
  });

  it('omits elements that no drawing needs, with what they contain', () => {
    const names =
      'a animate feImage filter foreignObject iframe image img mask pattern script set style switch symbol use video title';
    const svg = build(...names.split(' ').map((name) => node(name, {}, node('path'), 'text')));
    expect(svg.childNodes.length).to.equal(0);
  });

  it('omits attributes that no drawing needs, and values that load or run something', () => {
    const attacks: Attributes = {
      onload: 'ran()',
      style: 'position: fixed',
      class: 'ubik-link',
      href: 'javascript:ran()',
      'xlink:href': 'https://evil.test/',
      'data-ubik-action': 'link',
      tabindex: '0',
      filter: 'url(#a)',
      cursor: 'url(https://evil.test/)',
      fill: 'url(https://evil.test/#a)',
      stroke: 'rgb(0,0,0) url(//evil.test/#a)',
      'stop-color': 'light-dark(url(#a), rgb(0, 0, 0))',
      'clip-path': 'url("https://evil.test/#a")',
      'marker-end': 'u\\72l(https://evil.test/#a)',
      'font-family': 'x; } * { color: red',
      'font-size': 'calc(1px * var(--x))',
      transform: 'url(x)',
      d: 'path("M0 0")',
      opacity: 'image-set("https://evil.test/")',
    };
    expect(keptOf(attacks)).to.deep.equal({});
  });

  it('replaces ids and references to them, differently in each drawing', () => {
    const marker = node('marker', { id: 'arrow' });
    const edge = node('path', { 'marker-end': 'url("#arrow")', fill: 'url(#other)' });
    const drawings = [build(marker, edge), build(edge, marker)];
    const ids = drawings.map((svg) => svg.querySelector('marker')?.id ?? '');
    const ends = drawings.map((svg) => svg.querySelector('path')?.getAttribute('marker-end'));
    expect(new Set([...ids, 'arrow']).size).to.equal(3);
    expect(ends).to.deep.equal(ids.map((id) => `url(#${id})`));
  });

  it('has up to 6,000 elements and 60 levels below its root, and only an <svg> as its root', () => {
    const many = Array.from({ length: 6000 }, () => node('g'));
    expect(() => build(...many)).to.throw(RangeError);
    expect(build(...many.slice(1)).children.length).to.equal(5999);
    let deep = node('g');
    for (let level = 1; level < 60; level += 1) deep = node('g', {}, deep);
    expect(build(deep).querySelectorAll('g').length).to.equal(60);
    expect(() => build(node('g', {}, deep))).to.throw(RangeError);
    expect(() => buildSvg(document, node('script'))).to.throw(TypeError);
  });
});
