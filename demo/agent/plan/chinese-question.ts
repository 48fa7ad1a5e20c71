import { hasChinese } from './words.js';

/** A question in Chinese in the terms of the question parser, which reads English. */
export interface TranslatedQuestion {
  /** The question with each known Chinese term replaced by its English one. Characters without a term are left out. */
  readonly english: string;
  /** Runs of Chinese characters without a term: parts of the question that were not understood. */
  readonly unknown: readonly string[];
}

/** Names of the sample database by their Chinese ones. */
const NAMES = `
伏尔加河 Volga|多瑙河 Danube|乌拉尔河 Ural|第聂伯河 Dnieper|顿河 Don|伯朝拉河 Pechora|卡马河 Kama|奥卡河 Oka|别拉亚河 Belaya
德涅斯特河 Dniester|维亚特卡河 Vyatka|莱茵河 Rhine|杰斯纳河 Desna|易北河 Elbe|顿涅茨河 Donets|维斯瓦河 Vistula|道加瓦河 Daugava
卢瓦尔河 Loire|塔霍河 Tagus|萨瓦河 Sava|蒂萨河 Tisza|普鲁特河 Prut|涅曼河 Neman|埃布罗河 Ebro|默兹河 Meuse|马斯河 Meuse|杜罗河 Douro
奥得河 Oder|瓜迪亚纳河 Guadiana|罗讷河 Rhône|罗纳河 Rhône|瓦尔塔河 Warta|南布格河 Southern Bug|穆列什河 Mureș|塞纳河 Seine
约塔河 Göta älv|德拉瓦河 Drava|瓜达尔基维尔河 Guadalquivir|波河 Po|格洛马河 Glomma|加龙河 Garonne|凯米河 Kemijoki|摩泽尔河 Moselle
美因河 Main|托尔讷河 Torne|达尔河 Dalälven|因河 Inn|马恩河 Marne|马里查河 Maritsa|威悉河 Weser|伏尔塔瓦河 Vltava|阿迪杰河 Adige
台伯河 Tiber|瓦尔达尔河 Vardar|香农河 Shannon|塞文河 Severn|斯海尔德河 Scheldt|泰晤士河 Thames|特伦特河 Trent|阿勒河 Aare
阿尔诺河 Arno|涅瓦河 Neva
奥地利 Austria|波斯尼亚和黑塞哥维那 Bosnia and Herzegovina|波黑 Bosnia and Herzegovina|比利时 Belgium|保加利亚 Bulgaria
白俄罗斯 Belarus|瑞士 Switzerland|捷克 Czechia|德国 Germany|西班牙 Spain|芬兰 Finland|法国 France|英国 United Kingdom|希腊 Greece
克罗地亚 Croatia|匈牙利 Hungary|爱尔兰 Ireland|意大利 Italy|哈萨克斯坦 Kazakhstan|列支敦士登 Liechtenstein|立陶宛 Lithuania
卢森堡 Luxembourg|拉脱维亚 Latvia|摩尔多瓦 Moldova|北马其顿 North Macedonia|荷兰 Netherlands|挪威 Norway|波兰 Poland|葡萄牙 Portugal
罗马尼亚 Romania|塞尔维亚 Serbia|俄罗斯 Russia|瑞典 Sweden|斯洛文尼亚 Slovenia|斯洛伐克 Slovakia|土耳其 Türkiye|乌克兰 Ukraine
维也纳 Vienna|林茨 Linz|因斯布鲁克 Innsbruck|格拉茨 Graz|布拉迪斯拉发 Bratislava|布达佩斯 Budapest|塞格德 Szeged|贝尔格莱德 Belgrade
诺维萨德 Novi Sad|萨格勒布 Zagreb|卢布尔雅那 Ljubljana|雷根斯堡 Regensburg|乌尔姆 Ulm|科隆 Cologne|杜塞尔多夫 Düsseldorf|美因茨 Mainz
法兰克福 Frankfurt|维尔茨堡 Würzburg|特里尔 Trier|汉堡 Hamburg|德累斯顿 Dresden|马格德堡 Magdeburg|不来梅 Bremen|柏林 Berlin
巴塞尔 Basel|日内瓦 Geneva|伯尔尼 Bern|斯特拉斯堡 Strasbourg|鹿特丹 Rotterdam|马斯特里赫特 Maastricht|列日 Liège|安特卫普 Antwerp
根特 Ghent|巴黎 Paris|鲁昂 Rouen|里昂 Lyon|阿维尼翁 Avignon|波尔多 Bordeaux|图卢兹 Toulouse|南特 Nantes|奥尔良 Orléans|图尔 Tours
布拉格 Prague|华沙 Warsaw|克拉科夫 Kraków|格但斯克 Gdańsk|弗罗茨瓦夫 Wrocław|什切青 Szczecin|波兹南 Poznań|基辅 Kyiv|第聂伯罗 Dnipro
莫斯科 Moscow|下诺夫哥罗德 Nizhny Novgorod|喀山 Kazan|伏尔加格勒 Volgograd|圣彼得堡 Saint Petersburg|顿河畔罗斯托夫 Rostov-on-Don
彼尔姆 Perm|里加 Riga|考纳斯 Kaunas|伦敦 London|牛津 Oxford|诺丁汉 Nottingham|格洛斯特 Gloucester|利默里克 Limerick|罗马 Rome
佛罗伦萨 Florence|都灵 Turin|维罗纳 Verona|萨拉戈萨 Zaragoza|塞维利亚 Seville|科尔多瓦 Córdoba|托莱多 Toledo|里斯本 Lisbon
波尔图 Porto|巴达霍斯 Badajoz|斯科普里 Skopje|普罗夫迪夫 Plovdiv|埃迪尔内 Edirne|哥德堡 Gothenburg|罗瓦涅米 Rovaniemi
腓特烈斯塔 Fredrikstad
里海 Caspian Sea|黑海 Black Sea|亚速海 Sea of Azov|巴伦支海 Barents Sea|北海 North Sea|波罗的海 Baltic Sea|大西洋 Atlantic Ocean
地中海 Mediterranean Sea|英吉利海峡 English Channel|卡特加特海峡 Kattegat|斯卡格拉克海峡 Skagerrak|亚得里亚海 Adriatic Sea
爱琴海 Aegean Sea|第勒尼安海 Tyrrhenian Sea|利古里亚海 Ligurian Sea
`;

/** Words that the question parser and the calculator read. */
const WORDS = `
每个国家 per country|各个国家 per country|各国 per country|多少条 how many|几条 how many|有多少 how many|多少 how many
流域面积 basin|流域 basin|面积 area|流量 discharge|水量 discharge|长度 length|全长 length|河长 river length|多长 length|公里 km|千米 km
最长 longest|最短 shortest|最大 largest|最小 smallest|最多 most|比较 compare|对比 compare|列出 list|所有 all|全部 all|前 top
国家 countries|哪国 countries|城市 cities|首都 capital|河流 rivers|大河流 rivers|大河 rivers|江河 rivers|河 river|海 sea
流经 flows through|流过 flows through|经过 flows through|穿过 flows through|流入 flows into|注入 flows into|汇入 flows into|流向 flows into
沿岸 on|位于 on|柱状图 chart|条形图 chart|图表 chart|图 chart|饼图 pie chart|折线图 line chart|曲线图 line chart
超过 more than|多于 more than|少于 less than|平均值 average|平均 average|总和 total|合计 total|总 total|人口 population|居民 population
加上 plus|加 plus|减去 minus|减 minus|乘以 times|乘 times|除以 divided by
二 2|两 2|三 3|四 4|五 5|六 6|七 7|八 8|九 9|十 10|十二 12|十五 15|二十 20|三十 30|五十 50
`;

/**
 * Words that have no meaning for the parser, such as particles, classifiers and requests. Words that compare or negate are not among
 * them, except 等于 (equals): a quantity without a comparison already means equality.
 */
const FILLERS = `
的 了 吗 呢 吧 啊 呀 是 有 在 从 里 中 上 之 和 与 跟 及 以及 还有 这 这些 它 它们 其 该 此 都 各 分别 按 按照 根据 排序 排列 哪 哪些 哪个 哪条 哪里 哪几条
哪几个 哪座 什么 几个 一 个 条 座 名 张 幅 家 请 请问 帮 帮我 给 给我 我 我们 想 想要 要 知道 告诉 告诉我 查 查询 查找 查一下 找 找出 看 看看 一下 一共 总共 显示
说明 分析 介绍 数据 数据库 数据库中 欧洲 境内 岸边 岸 畔 旁 边 可以 能 会 能否 可否 画 画出 绘制 生成 做 用 成 表示 制作 等于 等于多少 是多少 得多少 结果 计算 算 算一下 得
指标
`;

const TERMS: ReadonlyMap<string, string> = new Map([
  ...FILLERS.trim()
    .split(/\s+/u)
    .map((filler): [string, string] => [filler, '']),
  ...`${NAMES}${WORDS}`
    .split(/[|\n]/u)
    .filter((pair) => pair !== '')
    .map((pair): [string, string] => {
      const space = pair.indexOf(' ');
      return [pair.slice(0, space), pair.slice(space + 1)];
    }),
]);

/** Expressions that contain terms and that the question parser cannot express. */
const UNSUPPORTED = /^(?:第[一二三四五六七八九十]+[长大短小]?|中国)/u;

/** Terms that end a name: after unknown characters they belong to it, as in the name of a river that the database does not have. */
const NAME_ENDINGS: ReadonlySet<string> = new Set(['河', '海', '河流']);

const LONGEST_TERM = Math.max(...[...TERMS.keys()].map((term) => term.length));

/** Translates the Chinese terms of a question, the longest one at each place first. A question in another script stays as it is. */
export function translateChinese(question: string): TranslatedQuestion {
  const parts: string[] = [];
  const unknown: string[] = [];
  // "12%的200": the English words decide what is a percentage of what.
  const text = question.replaceAll(/%\s*的\s*/gu, '% of ');
  for (const run of text.match(/\p{Script=Han}+|\P{Script=Han}+/gu) ?? []) {
    if (!hasChinese(run)) {
      parts.push(run);
      continue;
    }
    let unread = '';
    let rest = run;
    while (rest !== '') {
      const term = findTerm(rest);
      if (term === null || (unread !== '' && NAME_ENDINGS.has(term))) {
        const piece =
          term ?? UNSUPPORTED.exec(rest)?.[0] ?? String.fromCodePoint(rest.codePointAt(0) ?? 0);
        unread += piece;
        rest = rest.slice(piece.length);
        continue;
      }
      if (unread !== '') unknown.push(unread);
      unread = '';
      parts.push(TERMS.get(term) ?? '');
      rest = rest.slice(term.length);
    }
    if (unread !== '') unknown.push(unread);
  }
  const english = parts.filter((part) => part !== '').join(' ');
  return { english, unknown };
}

function findTerm(text: string): string | null {
  if (UNSUPPORTED.test(text)) return null;
  for (let length = Math.min(LONGEST_TERM, text.length); length > 0; length -= 1) {
    const term = text.slice(0, length);
    if (TERMS.has(term)) return term;
  }
  return null;
}
