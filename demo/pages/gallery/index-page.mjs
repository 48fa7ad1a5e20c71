/** @import { Look } from './axes.mjs' */
/** @import { Case, Group } from './cases.mjs' */
import { DENSITIES, DIRECTIONS, LANGUAGES, SCHEMES, THEMES, WIDTHS } from './axes.mjs';
import { GROUPS } from './cases.mjs';
import { createBox, fillBox } from './show.mjs';

/** The settings: name in the URL, values, label. @type {[string, readonly (string | number)[], string][]} */
const CONTROLS = [
  ['scheme', SCHEMES, 'Scheme'],
  ['dir', DIRECTIONS, 'Direction'],
  ['lang', LANGUAGES.map(({ lang }) => lang), 'Language'],
  ['theme', THEMES, 'Theme'],
  ['density', DENSITIES, 'Density'],
  ['width', WIDTHS, 'Width'],
];

/**
 * @param {string} name @param {Readonly<Record<string, unknown>>} properties @param {(Node | string)[]} children
 */
function element(name, properties, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

/**
 * Renders the start page with all groups or, if the URL has a `group`, the cases of that group; with a form for the settings.
 *
 * @param {URLSearchParams} query @param {Look} look
 */
export function drawIndex(query, look) {
  const group = GROUPS.find(({ title }) => title === query.get('group'));
  document.body.className = 'index';
  const controls = CONTROLS.map(([name, values, label]) =>
    renderControl(name, values, label, look),
  );
  const form = element('form', { className: 'controls', ariaLabel: 'Settings' }, ...controls);
  // The content security policy of the page forbids submitting forms, so the URL is changed instead.
  form.addEventListener('change', () => {
    const chosen = new URLSearchParams(group ? { group: group.title } : {});
    for (const [name, value] of new FormData(/** @type {HTMLFormElement} */ (form))) {
      if (value !== '' && value !== '0') chosen.set(name, String(value));
    }
    location.search = chosen.toString();
  });
  document.body.append(
    element(
      'header',
      {},
      element('h1', {}, element('a', { href: addressOf(query, null), textContent: 'Gallery' })),
      element('a', { href: './', textContent: 'Demo' }),
      form,
    ),
    ...(group ? renderGroup(group, query, look) : [renderStart(query)]),
  );
}

/** Returns the URL of a group, or of the start page, with the current settings. @param {URLSearchParams} query @param {string | null} group */
function addressOf(query, group) {
  const address = new URLSearchParams(query);
  if (group === null) address.delete('group');
  else address.set('group', group);
  return `?${address.toString()}`;
}

/** @param {URLSearchParams} query */
function renderStart(query) {
  const cards = GROUPS.map(({ title, cases }) =>
    element(
      'li',
      {},
      element('a', { href: addressOf(query, title), textContent: title }),
      element('span', {}, ` ${String(cases.length)}`),
      element('p', {}, cases.map((one) => one.title).join(' · ')),
    ),
  );
  return element(
    'main',
    { className: 'start' },
    element(
      'p',
      {},
      `${String(GROUPS.flatMap((group) => group.cases).length)} cases in ${String(GROUPS.length)} groups: every element, kind of part and state, each with its code.`,
    ),
    element('ul', {}, ...cards),
  );
}

/** @param {Group} group @param {URLSearchParams} query @param {Look} look */
function renderGroup({ title, cases }, query, look) {
  const menu = GROUPS.map((one) =>
    element(
      'li',
      {},
      element('a', {
        href: addressOf(query, one.title),
        textContent: one.title,
        ariaCurrent: one.title === title ? 'page' : null,
      }),
    ),
  );
  return [
    element('nav', { ariaLabel: 'Groups' }, element('ul', {}, ...menu)),
    element(
      'main',
      {},
      element('h2', { textContent: title }),
      ...cases.map((one) => renderCase(one, query, look)),
    ),
  ];
}

/** @param {string} name @param {readonly (string | number)[]} values @param {string} label @param {Look} look */
function renderControl(name, values, label, look) {
  const chosen = String(look[/** @type {keyof Look} */ (name)]);
  const options = values.map((value) =>
    element('option', {
      value: String(value),
      textContent: value === '' || value === 0 ? 'default' : String(value),
      selected: String(value) === chosen,
    }),
  );
  return element('label', {}, label, ' ', element('select', { name }, ...options));
}

/** @param {Case} one @param {URLSearchParams} query @param {Look} look */
function renderCase(one, query, look) {
  const address = new URLSearchParams(query);
  address.delete('group');
  address.set('case', one.name);
  if (one.alone === 'offline') address.set('offline', '');
  const link = element('a', { href: `?${address.toString()}`, textContent: one.title });
  const figure = element(
    'figure',
    { id: one.name },
    element('figcaption', {}, link, ` ${one.name}`),
  );
  // A case that covers the page, or makes it offline, is only linked.
  if (!one.alone) figure.append(element('div', { className: 'frame' }, drawLater(one, look)));
  figure.append(renderCode(one));
  return figure;
}

/** The functions of a case, which use the fixtures and the kit of the gallery. @param {Case} one */
function renderCode({ make, act }) {
  const code = [make, act].flatMap((part) => (part ? String(part) : [])).join('\n\n');
  return element(
    'details',
    // In a wide window the code is beside its case, else below it and collapsed.
    { open: matchMedia('(min-width: 1100px)').matches },
    element('summary', { textContent: 'Code' }),
    element('pre', { tabIndex: 0 }, element('code', { textContent: code })),
  );
}

/** A container that is filled when it becomes visible. @param {Case} one @param {Look} look */
function drawLater(one, look) {
  const box = createBox(one, look);
  new IntersectionObserver(
    (entries, observer) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      observer.disconnect();
      void fillBox(box, one, look);
    },
    { rootMargin: '50%' },
  ).observe(box);
  return box;
}
