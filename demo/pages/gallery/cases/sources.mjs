/** @import { Case } from '../cases.mjs' */
/** @import * as Ubik from 'ubik-elements' */
import { parts as changeParts, running } from '../kit/live.mjs';
import { makeTranscript, press } from '../kit/make.mjs';
import { answer, say } from '../kit/write.mjs';

const SITES = ['Encyclopaedia', 'River Atlas', 'Travel News', 'Water Board', 'Hydrology Today'];

/** @param {number} count @returns {Ubik.PartTree} */
const search = (count, more = {}) => ({
  kind: 'web-search',
  key: 'search',
  query: 'longest rivers of Europe',
  state: 'done',
  results: Array.from({ length: count }, (_, at) => ({
    title: `${at + 2} things to know about the rivers of Europe`,
    url: `https://www.rivers-${at + 1}.example/europe/longest?lang=en`,
    snippet:
      'The Volga is 3,530 km long and the longest river of Europe. It rises north-west of Moscow and flows into the Caspian Sea.',
    site: SITES[at % SITES.length] ?? '',
    icon: '',
  })),
  ...more,
});

/** @type {Ubik.PartTree} */
const passages = {
  kind: 'passages',
  key: 'passages',
  title: '',
  passages: [
    {
      title: 'Course of the Danube',
      text: 'The Danube rises in the Black Forest. It flows through ten countries, more than any other river of the world.',
      source: 'rivers-of-europe.pdf',
      score: 0.914,
      url: '',
    },
    {
      title: '',
      text: `It is navigable from Ulm.\n${'The water level changes with the seasons. '.repeat(20)}`,
      source: 'shipping-handbook.pdf',
      score: 0.72,
      url: 'https://library.example/shipping',
    },
  ],
};

/** @param {string} name @param {string} title @param {readonly Ubik.PartTree[]} parts @param {Case['act']} [act] @returns {Case} */
const sourceCase = (name, title, parts, act) => ({
  name: `data-${name}`,
  title,
  make: (look) => makeTranscript(look, [answer(parts)]),
  ...(act && { act }),
});

/** @param {Element} element */
const expand = async (element) => void (await press(element, '.found > summary'));

/** @type {readonly Case[]} */
export const sourceCases = [
  sourceCase('web-search', 'Web search, collapsed', [search(12), say('The Volga.')]),
  sourceCase('web-search-open', 'Web search, expanded', [search(12), say('The Volga.')], expand),
  sourceCase('web-search-failed', 'Failed web search', [search(0, { state: 'failed' })]),
  {
    name: 'data-web-search-running',
    title: 'Running web search',
    make: (look) =>
      makeTranscript(look, [], {
        send: 'Go.',
        run: running(changeParts([search(0, { state: 'running' })])),
      }),
  },
  sourceCase('passages', 'Retrieved passages, expanded', [passages, say('Ten countries.')], expand),
  sourceCase('page', 'Web page before it is loaded, and a page that is not allowed', [
    { kind: 'page', key: 'page', title: 'Water levels', url: 'https://levels.example/danube' },
    { kind: 'page', key: 'refused', title: '', url: 'http://levels.example/danube' },
  ]),
];
