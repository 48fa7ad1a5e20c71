/** Chinese words of questions about the sample database and the English words that the question parser knows; longer words come first. */
const TERMS: readonly (readonly [string, string])[] = [
  ['伏尔加河', 'Volga'],
  ['多瑙河', 'Danube'],
  ['第聂伯河', 'Dnieper'],
  ['莱茵河', 'Rhine'],
  ['易北河', 'Elbe'],
  ['维斯瓦河', 'Vistula'],
  ['卢瓦尔河', 'Loire'],
  ['塞纳河', 'Seine'],
  ['罗讷河', 'Rhone'],
  ['泰晤士河', 'Thames'],
  ['奥得河', 'Oder'],
  ['顿河', 'Don'],
  ['波河', 'Po'],
  ['维也纳', 'Vienna'],
  ['巴黎', 'Paris'],
  ['布达佩斯', 'Budapest'],
  ['伦敦', 'London'],
  ['德国', 'Germany'],
  ['法国', 'France'],
  ['奥地利', 'Austria'],
  ['俄罗斯', 'Russia'],
  ['西班牙', 'Spain'],
  ['意大利', 'Italy'],
  ['波兰', 'Poland'],
  ['匈牙利', 'Hungary'],
  ['黑海', 'Black Sea'],
  ['北海', 'North Sea'],
  ['里海', 'Caspian Sea'],
  ['每个国家', 'per country'],
  ['多少条', 'how many'],
  ['有多少', 'how many'],
  ['流域面积', 'basin'],
  ['流域', 'basin'],
  ['流量', 'discharge'],
  ['长度', 'length'],
  ['多长', 'length'],
  ['最长', 'longest'],
  ['最短', 'shortest'],
  ['最大', 'largest'],
  ['最小', 'smallest'],
  ['国家', 'countries'],
  ['城市', 'cities'],
  ['首都', 'capital'],
  ['河流', 'rivers'],
  ['的河', 'rivers'],
  ['条河', 'rivers'],
  ['哪条河', 'river'],
  ['比较', 'compare'],
  ['十', '10'],
  ['五', '5'],
  ['三', '3'],
];

/** Replaces the Chinese words that the question parser needs by English ones; everything else stays. */
export function translateTerms(question: string): string {
  let text = question;
  for (const [chinese, english] of TERMS) text = text.replaceAll(chinese, ` ${english} `);
  return text;
}

/** Returns `zh` for a question with Chinese characters, else `en`. */
export function languageOf(question: string): 'en' | 'zh' {
  return /\p{Script=Han}/u.test(question) ? 'zh' : 'en';
}
