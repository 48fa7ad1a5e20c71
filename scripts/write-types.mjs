/**
 * Writes what frameworks and editors read about the elements, from `custom-elements.json`: the type declarations in `dist/types/` and the
 * data in `dist/editors/`, with the manifest itself. The declarations refer to the classes and to `UbikEventMap`, so they repeat no type.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './run-command.mjs';

/**
 * The fields of the manifest that are read here.
 *
 * @typedef {{ name: string, description?: string }} Described
 * @typedef {Described & { kind: string, static?: boolean, readonly?: boolean, type?: { text: string }, attribute?: string, default?: string }} Member
 * @typedef {Described & { fieldName?: string, type?: { text: string } }} Attribute
 * @typedef {Described & { type: { text: string } }} Event
 * @typedef {Described & { default?: string }} CssProperty
 * @typedef {object} ElementDeclaration
 * @property {string} tagName
 * @property {Member[]} [members]
 * @property {Attribute[]} [attributes]
 * @property {Event[]} [events]
 * @property {Described[]} [slots]
 * @property {Described[]} [cssParts]
 * @property {CssProperty[]} [cssProperties]
 * @typedef {Described & ElementDeclaration} ElementInfo
 */

const manifest = JSON.parse(readFileSync(join(ROOT, 'custom-elements.json'), 'utf8'));
const { name: PACKAGE, version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));

/** @type {ElementInfo[]} */
const elements = manifest.modules
  .flatMap((/** @type {{ declarations?: ElementInfo[] }} */ { declarations }) => declarations ?? [])
  .filter((/** @type {Partial<ElementInfo>} */ { tagName }) => tagName !== undefined);

/** Properties that a host page can set. @param {ElementInfo} element */
const propertiesOf = ({ members = [] }) =>
  members.filter((member) => member.kind === 'field' && !member.static && !member.readonly);

/** The literals of a union type: the values that an editor offers. @param {string} [type] */
const literalsOf = (type = '') =>
  [...type.matchAll(/'([^']+)'/g)].map(([, value = '']) => ({ name: value }));

/** @param {string} text @param {string} indent */
const docComment = (text, indent) => `${indent}/** ${text.replaceAll(/\s+/g, ' ').trim()} */\n`;

/** @param {readonly string[]} names */
const printUnion = (names) =>
  names.length > 0 ? names.map((name) => `'${name}'`).join(' | ') : 'never';

/** An interface with one member per element. @param {string} name @param {string} text @param {(element: ElementInfo) => string} type */
function printInterface(name, text, type) {
  const members = elements.map((element) => `  '${element.tagName}': ${type(element)};\n`);
  return `${docComment(text, '')}export interface ${name} {\n${members.join('')}}\n`;
}

/** @param {ElementInfo} element */
function printAttributes({ name, attributes = [] }) {
  const members = attributes
    // An attribute with the name of its property is one prop, with the type of the property.
    .filter((attribute) => attribute.name !== attribute.fieldName)
    .map(
      (attribute) =>
        `${docComment(attribute.description ?? '', '    ')}    '${attribute.name}'?: ${name}['${attribute.fieldName ?? attribute.name}'];\n`,
    );
  return `{\n${members.join('')}  }`;
}

const GENERATED = `// Generated from custom-elements.json of ${PACKAGE} ${version}.\n`;
const IMPORT = `import type { ElementAttributes, ElementClasses, ElementEvents, ElementProperties } from './elements.js';\n`;

/** Types that all frameworks share. */
const shared = `${GENERATED}import type { UbikEventMap, ${elements.map(({ name }) => name).join(', ')} } from '../index.js';

${printInterface('ElementClasses', 'The class of each element.', ({ name }) => name)}
${printInterface(
  'ElementProperties',
  'The properties that can be set, by element.',
  (element) =>
    `Partial<Pick<${element.name}, ${printUnion(propertiesOf(element).map(({ name }) => name))}>>`,
)}
${printInterface('ElementAttributes', 'The attributes whose names differ from those of their properties, by element.', printAttributes)}
${printInterface(
  'ElementEvents',
  'The events that each element dispatches.',
  ({ events = [] }) => `Pick<UbikEventMap, ${printUnion(events.map(({ name }) => name))}>`,
)}`;

const react = `${GENERATED}import type { ClassAttributes, HTMLAttributes } from 'react';
${IMPORT}
type Handlers<Events> = {
  [Name in keyof Events & string as \`on\${Name}\`]?: (event: Events[Name]) => void;
};

type Props<Tag extends keyof ElementClasses> = ClassAttributes<ElementClasses[Tag]> &
  Omit<HTMLAttributes<ElementClasses[Tag]>, keyof ElementProperties[Tag]> &
  ElementProperties[Tag] &
  ElementAttributes[Tag] &
  Handlers<ElementEvents[Tag]>;

type UbikElements = { [Tag in keyof ElementClasses]: Props<Tag> };

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements extends UbikElements {}
  }
}
`;

const vue = `${GENERATED}import type { DefineComponent, HTMLAttributes } from 'vue';
${IMPORT}
type Camelize<Name extends string> = Name extends \`\${infer Head}-\${infer Tail}\`
  ? \`\${Head}\${Capitalize<Camelize<Tail>>}\`
  : Name;

type Handlers<Events> = {
  [Name in keyof Events & string as \`on\${Capitalize<Camelize<Name>>}\`]?: (event: Events[Name]) => void;
};

// Without the attributes: Vue converts \`base-url\` in a template to the property \`baseUrl\`.
type Props<Tag extends keyof ElementClasses> = ElementProperties[Tag] &
  Handlers<ElementEvents[Tag]> &
  Omit<HTMLAttributes, keyof ElementProperties[Tag]> & { slot?: string };

type UbikComponents = { [Tag in keyof ElementClasses]: DefineComponent<Props<Tag>> };

declare module 'vue' {
  interface GlobalComponents extends UbikComponents {}
}
`;

const svelte = `${GENERATED}import type { HTMLAttributes } from 'svelte/elements';
${IMPORT}
type Handlers<Events> = {
  [Name in keyof Events & string as \`on\${Name}\`]?: (event: Events[Name]) => void;
};

type Props<Tag extends keyof ElementClasses> = Omit<
  HTMLAttributes<ElementClasses[Tag]>,
  keyof ElementProperties[Tag]
> &
  ElementProperties[Tag] &
  ElementAttributes[Tag] &
  Handlers<ElementEvents[Tag]>;

type UbikElements = { [Tag in keyof ElementClasses]: Props<Tag> };

declare module 'svelte/elements' {
  interface SvelteHTMLElements extends UbikElements {}
}
`;

const solid = `${GENERATED}import type { JSX } from 'solid-js';
${IMPORT}
type Handlers<Events> = {
  [Name in keyof Events & string as \`on:\${Name}\`]?: (event: Events[Name]) => void;
};

type Properties<Values> = { [Name in keyof Values & string as \`prop:\${Name}\`]?: Values[Name] };

type Props<Tag extends keyof ElementClasses> = Omit<
  JSX.HTMLAttributes<ElementClasses[Tag]>,
  keyof ElementProperties[Tag]
> &
  ElementProperties[Tag] &
  ElementAttributes[Tag] &
  Properties<ElementProperties[Tag]> &
  Handlers<ElementEvents[Tag]>;

type UbikElements = { [Tag in keyof ElementClasses]: Props<Tag> };

declare module 'solid-js' {
  namespace JSX {
    interface IntrinsicElements extends UbikElements {}
  }
}
`;

/** VS Code: https://github.com/microsoft/vscode-html-languageservice/blob/main/docs/customData.schema.json */
const htmlData = {
  version: 1.1,
  tags: elements.map(({ tagName, description = '', attributes = [] }) => ({
    name: tagName,
    description,
    attributes: attributes.map((attribute) => ({
      name: attribute.name,
      description: attribute.description ?? '',
      // `v`: the attribute has no value.
      ...(attribute.type?.text === 'boolean' && { valueSet: 'v' }),
      values: literalsOf(attribute.type?.text),
    })),
  })),
};

/**
 * The items of all elements, one for each name.
 *
 * @template {Described} Item
 * @param {(element: ElementInfo) => readonly Item[]} list
 * @returns {Item[]}
 */
const unique = (list) => [
  ...new Map(elements.flatMap(list).map((item) => [item.name, item])).values(),
];

const cssData = {
  version: 1.1,
  properties: unique(({ cssProperties = [] }) => cssProperties).map(
    ({ name, description = '' }) => ({ name, description }),
  ),
  pseudoElements: unique(({ cssParts = [] }) => cssParts).map(({ name, description = '' }) => ({
    name: `::part(${name})`,
    description,
  })),
};

/** JetBrains: https://github.com/JetBrains/web-types */
const webTypes = {
  $schema: 'https://json.schemastore.org/web-types',
  name: PACKAGE,
  version,
  'description-markup': 'markdown',
  contributions: {
    html: {
      elements: elements.map((element) => ({
        name: element.tagName,
        description: element.description ?? '',
        attributes: (element.attributes ?? []).map(({ name, description = '', type }) => ({
          name,
          description,
          value: { type: type?.text ?? 'string' },
        })),
        slots: (element.slots ?? []).map(({ name, description = '' }) => ({ name, description })),
        js: {
          properties: propertiesOf(element).map(({ name, description = '', type }) => ({
            name,
            description,
            type: type?.text ?? 'unknown',
          })),
          events: (element.events ?? []).map(({ name, description = '' }) => ({
            name,
            description,
          })),
        },
        css: {
          parts: (element.cssParts ?? []).map(({ name, description = '' }) => ({
            name,
            description,
          })),
          properties: (element.cssProperties ?? []).map(({ name, description = '' }) => ({
            name,
            description,
          })),
        },
      })),
    },
  },
};

/** @param {string} folder @param {Readonly<Record<string, string>>} files */
function writeFiles(folder, files) {
  const path = join(ROOT, 'dist', folder);
  mkdirSync(path, { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(path, name), text);
}

writeFiles('types', {
  'elements.d.ts': shared,
  'react.d.ts': react,
  'vue.d.ts': vue,
  'svelte.d.ts': svelte,
  'solid.d.ts': solid,
});
writeFiles('editors', {
  // Without indentation, which would be a third of the packed file, and without the lists of exports, which repeat the names of the classes.
  'custom-elements.json': JSON.stringify(manifest, (key, value) =>
    key === 'exports' ? undefined : value,
  ),
  'vscode.html-custom-data.json': JSON.stringify(htmlData),
  'vscode.css-custom-data.json': JSON.stringify(cssData),
  'web-types.json': JSON.stringify(webTypes),
});
