import type { CSSResult } from 'lit';
import type { LazyModule } from '../../dom/lazy-module.js';
import { dataStrings } from '../../locales/en-data.js';
import { addDefaultStrings, type StringName } from '../../locales/locale.js';
import type { DataKind, PartOf } from '../../model/part.js';
import { createLazyModule } from '../create-lazy-module.js';
import { setDataFormats } from '../message-formats.js';
import type { MessageScope, PartView } from '../part-view.js';
import {
  toCodeFence,
  toLink,
  toList,
  toMarkdownTable,
  toParagraph,
  toQuote,
} from './data-markdown.js';

addDefaultStrings(dataStrings);

/** The view class of a data kind. */
export interface DataViewClass<Kind extends DataKind = DataKind> {
  new (part: PartOf<Kind>, scope: MessageScope): PartView;
  /** Style sheets, which are adopted where the view is shown. */
  readonly styles: readonly CSSResult[];
}

/** The definition of one data kind, from which copying, export and announcements are derived. */
interface DataKindDefinition<Kind extends DataKind> {
  /** The chunk with the view. */
  readonly view: LazyModule<DataViewClass<Kind>>;
  /** Name of the kind in announcements. */
  readonly name: StringName;
  /** Returns the subject of a part, for announcements and for the placeholders of messages far from the viewport; may be empty. */
  readonly title: (part: PartOf<Kind>) => string;
  /** Returns a part as Markdown blocks, for copied and exported messages. Empty blocks are omitted. */
  readonly markdown: (part: PartOf<Kind>) => readonly string[];
}

const DATA_KINDS: { readonly [Kind in DataKind]: DataKindDefinition<Kind> } = {
  table: {
    view: createLazyModule(async () => (await import('./table-view.js')).TableView),
    name: 'dataTable',
    title: ({ title }) => title,
    markdown: (part) => [
      toParagraph(part.title),
      toParagraph(part.description),
      toMarkdownTable(part),
    ],
  },
  'web-search': {
    view: createLazyModule(async () => (await import('./source-lists.js')).WebSearchView),
    name: 'tool_web_search',
    title: ({ query }) => query,
    markdown: ({ query, results }) => [
      toParagraph(query),
      toList(results.map(({ title, url }) => toLink(title, url))),
    ],
  },
  passages: {
    view: createLazyModule(async () => (await import('./source-lists.js')).PassagesView),
    name: 'dataPassages',
    title: ({ title }) => title,
    markdown: ({ title, passages }) => [
      toParagraph(title),
      ...passages.flatMap((passage) => [
        toLink(passage.title || passage.source, passage.url),
        toQuote(passage.text),
      ]),
    ],
  },
  page: {
    view: createLazyModule(async () => (await import('./page-view.js')).PageView),
    name: 'dataPage',
    title: ({ title }) => title,
    markdown: ({ title, url }) => [toLink(title, url)],
  },
  chart: {
    view: createLazyModule(async () => (await import('./chart-view.js')).ChartView),
    name: 'dataChart',
    title: ({ title }) => title,
    markdown: (part) => [toParagraph(part.title), toMarkdownTable(part)],
  },
  code: {
    view: createLazyModule(async () => (await import('./code-view.js')).CodeView),
    name: 'dataCode',
    title: ({ language }) => language,
    markdown: ({ code, language, output, error }) => [
      toCodeFence(code, language),
      toCodeFence(output),
      toCodeFence(error),
    ],
  },
  metric: {
    view: createLazyModule(async () => (await import('./metric-view.js')).MetricView),
    name: 'dataMetric',
    title: ({ title }) => title,
    markdown: (part) => [
      toParagraph([part.title, part.unit].filter(Boolean).join(' · ')),
      toMarkdownTable(part),
    ],
  },
};

function definitionOf<Kind extends DataKind>(kind: Kind): DataKindDefinition<Kind> {
  return DATA_KINDS[kind];
}

/** Loads the view of a kind. Rejects with the code `load-failed`. */
export function loadView(kind: DataKind): Promise<DataViewClass> {
  return definitionOf(kind).view.load();
}

/** Returns the view of a kind; undefined until it is loaded. */
export function findLoadedView(kind: DataKind): DataViewClass | undefined {
  return definitionOf(kind).view.value;
}

setDataFormats({
  markdown: (part) => definitionOf(part.kind).markdown(part).filter(Boolean).join('\n\n'),
  title: (part) => definitionOf(part.kind).title(part),
  label: (part, locale) => {
    const definition = definitionOf(part.kind);
    const name = locale.text(definition.name);
    const words = definition.title(part);
    return words ? locale.text('colon', { name, words }) : name;
  },
});
