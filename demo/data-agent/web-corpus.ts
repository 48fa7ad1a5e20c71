import { hasChinese, keywordsOf, stemOf, wordsOf } from '../agent/plan/words.js';

/** A page of the local corpus that the web search returns; its address is reserved for examples and is never requested. */
export interface WebPage {
  readonly title: string;
  readonly link: string;
  readonly media: string;
  readonly icon: string;
  readonly content: string;
}

const PAGES: readonly WebPage[] = [
  page(
    'river-restoration',
    'River restoration in Europe',
    'Example Rivers',
    'Removing old weirs opens rivers to migrating fish. Floodplains that are reconnected store water and lower the peaks of floods.',
  ),
  page(
    'danube-shipping',
    'Shipping on the Danube',
    'Example Transport',
    'Low water in late summer limits the load of barges on the Danube. The main port of its delta handles grain and ore.',
  ),
  page(
    'rhine-levels',
    'Water levels of the Rhine',
    'Example Gauge',
    'The gauge at Kaub decides how deep ships on the Rhine can be loaded. Levels are published every fifteen minutes.',
  ),
  page(
    'flood-forecast',
    'How floods are forecast',
    'Example Weather',
    'Forecasts combine rainfall, snow melt and soil moisture. For large rivers they reach five to seven days ahead.',
  ),
  page(
    'river-temperature',
    'Rivers are getting warmer',
    'Example Science',
    'Long series of measurements show that European rivers have warmed since 1980. Warm water holds less oxygen.',
  ),
  page(
    'zh-danube',
    '多瑙河航运',
    '示例交通',
    '夏末水位较低时，多瑙河上的驳船需要减少载重。多瑙河三角洲的港口主要运输粮食和矿石。',
  ),
  page(
    'zh-restoration',
    '欧洲河流生态修复',
    '示例河流',
    '拆除旧堰坝可以恢复鱼类洄游通道，重新连通的河漫滩可以蓄水并降低洪峰。',
  ),
];

/**
 * Returns the pages of the local corpus that fit a query best and are in its language, at most `limit`; none when no page contains a word of
 * the query.
 */
export function searchWebCorpus(query: string, limit: number): WebPage[] {
  const isChinese = hasChinese(query);
  const terms = keywordsOf(query).map(stemOf);
  const scored = PAGES.filter((each) => hasChinese(each.title) === isChinese).map((each) => {
    const stems = new Set(wordsOf(`${each.title} ${each.content}`).map(stemOf));
    return { page: each, score: terms.filter((term) => stems.has(term)).length };
  });
  return scored
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .slice(0, limit)
    .map((each) => each.page);
}

function page(name: string, title: string, media: string, content: string): WebPage {
  return { title, link: `https://news.example/${name}`, media, icon: '', content };
}
