/** A language in which the agent reads questions and answers. */
export type AnswerLanguage = 'en' | 'de' | 'fr' | 'zh';

/** A language that the agent recognizes but does not read. It says so in that language. */
export type OtherLanguage = 'es' | 'it' | 'pt' | 'nl' | 'pl' | 'tr' | 'ja' | 'ko' | 'ru' | 'ar';

/** Frequent words of languages that the agent does not read. */
const FREQUENT: Readonly<Record<'es' | 'it' | 'pt' | 'nl' | 'pl' | 'tr', string>> = {
  es: 'cual cuál cuales qué que cuántos cuantos cuánto cuanto dónde donde cómo como es son el los las del por río ríos rio rios largo más mas países paises ciudad',
  it: 'qual quale quali che quanti quanto dove come è sono il lo gli della del dei fiume fiumi lungo più paesi città',
  pt: 'qual quais quantos quanto onde como é são o os as do da dos rio rios longo mais países cidade',
  nl: 'welke wat hoe hoeveel waar is zijn de het een van rivier rivieren lang langste langer landen stad',
  pl: 'jaki jaka jakie które który ile gdzie jak jest są rzeka rzeki rzek najdłuższa dłuższa kraje miasto przez',
  tr: 'hangi ne kaç nerede nasıl en bir ve nehir nehri nehirler uzun ülke ülkeler şehir',
};

/** The answer to a question in a language that the agent does not read, in that language. */
export const NOT_READ_SENTENCES: Readonly<Record<OtherLanguage, string>> = {
  es: 'Entiendo preguntas sobre los datos en inglés, alemán, francés y chino. No he encontrado nada sobre esto en los documentos.',
  it: 'Capisco le domande sui dati in inglese, tedesco, francese e cinese. Nei documenti non ho trovato nulla in proposito.',
  pt: 'Entendo perguntas sobre os dados em inglês, alemão, francês e chinês. Não encontrei nada sobre isto nos documentos.',
  nl: 'Ik begrijp vragen over de gegevens in het Engels, Duits, Frans en Chinees. In de documenten heb ik hier niets over gevonden.',
  pl: 'Rozumiem pytania o dane po angielsku, niemiecku, francusku i chińsku. W dokumentach nic na ten temat nie znalazłem.',
  tr: 'Verilerle ilgili soruları İngilizce, Almanca, Fransızca ve Çince olarak anlıyorum. Belgelerde bu konuda bir şey bulamadım.',
  ja: 'データに関する質問は、英語、ドイツ語、フランス語、中国語で理解できます。文書の中に該当する内容は見つかりませんでした。',
  ko: '데이터에 대한 질문은 영어, 독일어, 프랑스어, 중국어로 이해합니다. 문서에서 관련 내용을 찾지 못했습니다.',
  ru: 'Я понимаю вопросы о данных на английском, немецком, французском и китайском языках. В документах об этом ничего не найдено.',
  ar: 'أفهم الأسئلة عن البيانات بالإنجليزية والألمانية والفرنسية والصينية. لم أجد شيئًا عن ذلك في المستندات.',
};

/** Returns the language of a question when it is one that the agent does not read, else null. */
export function detectOtherLanguage(question: string): OtherLanguage | null {
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(question)) return 'ja';
  if (/\p{Script=Hangul}/u.test(question)) return 'ko';
  if (/\p{Script=Cyrillic}/u.test(question)) return 'ru';
  if (/\p{Script=Arabic}/u.test(question)) return 'ar';
  // A repeated word counts once: "de" is as frequent in French as in Dutch.
  const words = [...new Set(question.toLowerCase().match(/[\p{L}\p{M}]+/gu))];
  const counts = Object.entries(FREQUENT).map(([language, text]) => {
    const frequent = new Set(text.split(' '));
    return { language, count: words.filter((word) => frequent.has(word)).length };
  });
  counts.sort((one, other) => other.count - one.count);
  const [best] = counts;
  // At least two frequent words, and a third of all words: several languages share "is" and "do".
  return best !== undefined && best.count >= 2 && best.count * 3 >= words.length
    ? (best.language as OtherLanguage)
    : null;
}
