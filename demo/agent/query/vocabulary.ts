import { numberWordsOf } from './number-words.js';
import { toPhrase } from './tokens.js';

/** A language whose words are read. Chinese questions are translated into English terms first. */
export type ReadLanguage = 'en' | 'de' | 'fr';

/**
 * Phrases by their meaning, separated by commas. A meaning is a name with arguments after colons; `+` joins two meanings of one phrase.
 * `~` stands for the endings of German adjectives.
 *
 * - `filler`: means nothing by itself; `which`: the same, and the question is not a yes/no question
 * - `verb`: says that something flows or lies somewhere; a query that does not use it still answers the question
 * - `table:NAME:one|many`, `column:CONCEPT`, `unit:CONCEPT`, `times:FACTOR`, `size`
 * - `degree:comparative|superlative|either:asc|desc:CONCEPT`; without a concept, a column in the question or the size of the table decides
 * - `limit:OPERATOR`, `between`, `than`, `top`, `ordinal:PLACE`, `count`, `much`, `aggregate:FUNCTION`, `group`
 * - `relation:through|into|on`, with `:verb` when the name that it leads to needs a preposition before it
 * - `not`, `ne`, `and`, `but`, `or`, `all`, `difference`, `ratio`, `facts`, `where`
 */
type Vocabulary = readonly (readonly [meaning: string, phrases: string])[];

const ORDINALS = {
  en: 'second third fourth fifth sixth seventh eighth ninth tenth',
  de: 'zweit~ dritt~ viert~ fünft~ sechst~ siebt~ acht~ neunt~ zehnt~',
  fr: 'deuxième troisième quatrième cinquième sixième septième huitième neuvième dixième',
} as const;

const ENGLISH: Vocabulary = [
  [
    'filler',
    `a, an, the, of, is, are, was, be, do, does, has, have, with, that, there, please, me, us, i, you, it, its, s, to me, any, some, in, for, at,
    show, show me, list, give, give me, find, name, tell me, can you, could you, i want to know, want to know, do you know, know, database, sample database,
    data, in europe, of europe, european, europe, these, those, one, ones, and also, also, their, them, who`,
  ],
  ['which', 'which, what, whats, how'],
  ['all', 'all, all the'],
  [
    'verb',
    'flow, flows, flowing, run, runs, running, lie, lies, lying, located, situated, live, carry, carries, found, belong, belongs, to be found',
  ],
  ['table:rivers:one', 'river, stream'],
  ['table:rivers:many', 'rivers, streams'],
  ['table:rivers:many+relation:into', 'tributaries, tributary'],
  ['table:countries:one', 'country, nation'],
  ['table:countries:many', 'countries, nations'],
  ['table:cities:one', 'city, town'],
  ['table:cities:many', 'cities, towns'],
  ['column:mouth', 'sea, seas, ocean, oceans, mouth'],
  ['column:length', 'length, lengths'],
  ['which+column:length', 'how long, how many kilometres, how many kilometers, how many km'],
  [
    'column:discharge',
    'discharge, flow rate, volume of water, water volume, water, by the water it carries',
  ],
  ['which+column:discharge', 'how much water, how much water does carry'],
  [
    'column:basin',
    'basin, basins, drainage basin, drainage basins, catchment, catchment area, drainage area, basin area',
  ],
  ['column:area', 'area, surface, surface area'],
  ['column:population', 'population, populations, inhabitants, people, residents'],
  [
    'which+column:population',
    'how many people, how many inhabitants, how many residents, how populous',
  ],
  ['column:capital', 'capital, capitals, capital city'],
  ['size', 'size'],
  ['which+size', 'how big, how large'],
  ['degree:comparative:desc:length', 'longer'],
  ['degree:comparative:asc:length', 'shorter'],
  ['degree:comparative:desc:', 'bigger, larger, greater, higher, more'],
  ['degree:comparative:asc:', 'smaller, lower, fewer, less'],
  ['degree:comparative:desc:population', 'more populous'],
  ['degree:superlative:desc:length', 'longest'],
  ['degree:superlative:asc:length', 'shortest'],
  ['degree:superlative:desc:', 'biggest, largest, greatest, highest, most, mightiest, maximum'],
  ['degree:superlative:asc:', 'smallest, lowest, least, fewest, minimum'],
  ['degree:superlative:desc:population', 'most populous'],
  ['degree:superlative:asc:population', 'least populous'],
  ['than', 'than'],
  ['limit:>', 'more than, over, above, greater than, higher than, >, exceeding, exceeds'],
  ['limit:>=', 'at least, no less than, >=, ≥'],
  ['limit:<', 'less than, fewer than, under, below, lower than, <'],
  ['limit:<=', 'at most, up to, no more than, <=, ≤'],
  ['limit:=', 'exactly'],
  ['between', 'between'],
  [
    'unit:length',
    'km, kilometre, kilometres, kilometer, kilometers, km long, kilometres long, kilometers long',
  ],
  ['unit:area', 'km2, square kilometres, square kilometers'],
  [
    'unit:discharge',
    'm3/s, m3s, cubic metres per second, cubic meters per second, cubic metres a second',
  ],
  ['times:1000', 'thousand'],
  ['times:1000000', 'million, a million, one million'],
  ['top', 'top, first'],
  ['ordinal:last', 'last'],
  ['count', 'how many, number of, count, count of, count the'],
  ['much', 'how much, by how much'],
  ['aggregate:avg', 'average, mean, on average'],
  ['aggregate:sum', 'total, sum, combined, together, overall, altogether, in total'],
  [
    'group',
    'per, by, for each, each, for every, in each, grouped by, sorted by, ordered by, of each, in every',
  ],
  [
    'relation:through',
    'through, flow through, flows through, flowing through, cross, crosses, crossing, traverse, traverses, pass through, passes through, run through, runs through',
  ],
  [
    'relation:into',
    'into, flow into, flows into, flowing into, empty into, empties into, end in, ends in, drain into, drains into, discharge into, discharges into',
  ],
  ['relation:on', 'on, along, on the banks of, on the bank of, on the shore of, lie on, lies on'],
  ['not', 'not, don t, doesn t, do not, does not, no, isn t, aren t, outside, outside of'],
  ['and', 'and, both, as well as'],
  ['but', 'but'],
  ['or', 'or, either'],
  ['difference', 'difference, difference in, difference between'],
  ['ratio', 'how many times, how many times as long as, times as long as, ratio, ratio of'],
  [
    'facts',
    'tell me about, tell me more about, what do you know about, facts about, facts, about, compare, comparison, comparison of, versus, vs, information about, describe',
  ],
  ['where', 'where'],
];

const GERMAN: Vocabulary = [
  [
    'filler',
    `der, die, das, den, dem, des, ein, eine, einen, einem, einer, eines, ist, sind, war, hat, haben, gibt, es, gibt es, von, vom, im, in, ins, zu, zur, zum, mit, bitte, mir,
    uns, ich, du, sie, man, er, zeig, zeige, zeig mir, zeige mir, nenne, nenne mir, nenn mir, liste, gib, gib mir, finde, sag mir, kannst du, datenbank, daten,
    in europa, europas, europa, europäisch~, insgesamt gibt, diese, dieser, deren, auch, und auch, denn, da, an, am, weißt du, aus der datenbank, folgende, einmal, sich, werden, wird`,
  ],
  ['which', 'welch~, was, wer, wie heißt, wie heißen, wie'],
  ['all', 'alle, aller, allen'],
  [
    'verb',
    'fließen, fließt, verläuft, verlaufen, liegt, liegen, gelegen, leben, lebt, wohnen, fließend~',
  ],
  ['table:rivers:one', 'Fluss, Strom, Flusses'],
  ['table:rivers:many', 'Flüsse, Flüssen, Ströme'],
  ['table:rivers:many+relation:into', 'Nebenflüsse, Nebenfluss, Zuflüsse'],
  ['table:countries:one', 'Land, Staat, Landes'],
  ['table:countries:many', 'Länder, Ländern, Staaten'],
  ['table:cities:one', 'Stadt'],
  ['table:cities:many', 'Städte, Städten'],
  ['column:mouth', 'Meer, Meere, Mündung, Ozean'],
  ['column:length', 'Länge, Längen, Flusslänge'],
  ['aggregate:sum+column:length', 'Gesamtlänge'],
  ['which+column:length', 'wie lang, wie viele Kilometer'],
  ['column:discharge', 'Abfluss, Abflussmenge, Wasser, Wassermenge, Durchfluss, Wasserführung'],
  ['which+column:discharge', 'wie viel Wasser, wieviel Wasser'],
  ['column:basin', 'Einzugsgebiet, Einzugsgebiete, Becken, Flussgebiet'],
  ['column:area', 'Fläche, Flächen'],
  ['column:population', 'Einwohner, Einwohnern, Einwohnerzahl, Bevölkerung, Menschen'],
  [
    'which+column:population',
    'wie viele Einwohner, wie viele Menschen, wieviele Einwohner, wieviele Menschen',
  ],
  ['column:capital', 'Hauptstadt, Hauptstädte'],
  ['size', 'Größe'],
  ['which+size', 'wie groß'],
  ['degree:comparative:desc:length', 'länger, längere, längeren'],
  ['degree:comparative:asc:length', 'kürzer, kürzere, kürzeren'],
  ['degree:comparative:desc:', 'größer, größere, größeren, höher, mehr'],
  ['degree:comparative:asc:', 'kleiner, kleinere, niedriger, weniger'],
  ['degree:superlative:desc:length', 'längst~, am längsten'],
  ['degree:superlative:asc:length', 'kürzest~, am kürzesten'],
  ['degree:superlative:desc:', 'größt~, am größten, höchst~, meist~, am meisten, mächtigst~'],
  [
    'degree:superlative:asc:',
    'kleinst~, am kleinsten, niedrigst~, wenigst~, am wenigsten, geringst~',
  ],
  ['degree:superlative:desc:population', 'bevölkerungsreichst~, einwohnerreichst~'],
  ['than', 'als'],
  ['limit:>', 'mehr als, über, größer als, >'],
  ['limit:>=', 'mindestens, wenigstens, >=, ≥'],
  ['limit:<', 'weniger als, unter, kleiner als, <'],
  ['limit:<=', 'höchstens, maximal, bis zu, <=, ≤'],
  ['limit:=', 'genau'],
  ['between', 'zwischen'],
  ['unit:length', 'km, Kilometer, Kilometern, km lang, Kilometer lang'],
  ['unit:area', 'km2, Quadratkilometer, Quadratkilometern'],
  ['unit:discharge', 'm3/s, m3s, Kubikmeter pro Sekunde'],
  ['times:1000', 'tausend'],
  ['times:1000000', 'Million, Millionen, eine Million, einer Million'],
  ['top', 'top, erst~'],
  ['ordinal:last', 'letzt~'],
  ['count', 'wie viele, wieviele, Anzahl, Anzahl der, Zahl der'],
  ['much', 'wie viel, wieviel, um wie viel'],
  [
    'aggregate:avg',
    'durchschnittlich~, Durchschnitt, im Durchschnitt, mittler~, im Mittel, Mittelwert',
  ],
  ['aggregate:sum', 'gesamt~, Summe, zusammen, insgesamt'],
  ['group', 'pro, je, nach, für jedes, für jede, für jeden, jedes, jeder'],
  ['relation:through', 'durch, durchfließen, durchfließt, durchquert, durchqueren'],
  ['relation:into:verb', 'mündet, münden, mündend~'],
  [
    'relation:into',
    'fließen in die, fließen in den, fließen in das, fließen ins, fließt in die, fließt in den, fließt ins',
  ],
  ['relation:on', 'an der, am Ufer, entlang'],
  ['not', 'nicht, kein, keine, keinen, außerhalb'],
  ['and', 'und, sowie, sowohl, als auch'],
  ['but', 'aber, jedoch, sondern'],
  ['or', 'oder, entweder'],
  ['difference', 'Unterschied, Differenz, Unterschied zwischen, Längenunterschied'],
  ['ratio', 'wievielmal, wie viele Male, Verhältnis, wievielmal so lang'],
  [
    'facts',
    'erzähl mir über, erzähl mir etwas über, was weißt du über, vergleiche, Vergleich, vergleich, Fakten, Fakten zu, beschreibe',
  ],
  ['where', 'wo, wohin'],
];

const FRENCH: Vocabulary = [
  [
    'filler',
    `le, la, les, l, un, une, de, du, des, d, est, sont, ayant, a, ont, à, au, aux, en, dans, avec, qui, il, elle, ils, elles, t, y a, il y a, y a t, s, te, plaît, vous plaît, s il te plaît, s il vous plaît, moi,
    me, je, tu, on, montre, montre moi, montrez moi, liste, donne, donne moi, donnez moi, trouve, cite, dis moi, peux tu, base de données, base, données,
    en europe, d europe, de l europe, européen, européens, européenne, européennes, europe, ces, ce, cette, leur, leurs, aussi, est ce, est ce que, c est, se, y, compte, comptent, possède, pour, ceux, celles`,
  ],
  ['all', 'tous, toutes, tous les, toutes les'],
  ['than', 'que, qu'],
  [
    'which',
    'quel, quelle, quels, quelles, quoi, qu est ce que, qu est ce qui, lequel, laquelle, lesquels',
  ],
  [
    'verb',
    'coule, coulent, passe, passent, situé, située, situés, situées, se trouve, se trouvent, vivent, vit, habitent',
  ],
  ['table:rivers:one', 'fleuve, rivière, cours d eau'],
  ['table:rivers:many', 'fleuves, rivières, fleuves et rivières'],
  ['table:rivers:many+relation:into', 'affluents, affluent'],
  ['table:countries:one', 'pays, état'],
  ['table:countries:many', 'états, les pays, de pays, quels pays, ces pays, des pays'],
  ['table:cities:one', 'ville'],
  ['table:cities:many', 'villes'],
  ['column:mouth', 'mer, mers, océan, océans, embouchure'],
  ['column:length', 'longueur, longueurs, de long, de longueur'],
  ['column:discharge', 'débit, débits, eau'],
  ['column:basin', 'bassin, bassins, bassin versant, bassin hydrographique'],
  ['column:area', 'superficie, surface'],
  ['column:population', 'population, populations, habitants, habitantes, personnes'],
  [
    'which+column:population',
    'combien d habitants, combien de personnes, combien d habitants compte',
  ],
  ['which+column:length', 'combien de kilomètres, combien mesure, combien mesurent'],
  ['column:capital', 'capitale, capitales'],
  ['size', 'taille'],
  ['degree:either:desc:length', 'plus long, plus longs, plus longue, plus longues'],
  [
    'degree:either:asc:length',
    'plus court, plus courts, plus courte, plus courtes, moins long, moins longs, moins longue',
  ],
  [
    'degree:either:desc:',
    'plus grand, plus grande, plus grands, plus grandes, plus élevé, plus élevée, plus gros, plus important, plus fort, plus, plus d, plus de',
  ],
  [
    'degree:either:asc:',
    'plus petit, plus petite, plus petits, plus petites, plus faible, plus bas, moins, moins d, moins de',
  ],
  ['degree:either:desc:population', 'plus peuplé, plus peuplée, plus peuplés, plus peuplées'],
  ['degree:either:asc:population', 'moins peuplé, moins peuplée, moins peuplés, moins peuplées'],
  ['limit:>', 'supérieur à, supérieure à, supérieurs à, au dessus de, dépasse, dépassent, >'],
  ['limit:>=', 'au moins, >=, ≥'],
  ['limit:<', 'inférieur à, inférieure à, en dessous de, <'],
  ['limit:<=', 'au plus, <=, ≤'],
  ['limit:=', 'exactement'],
  ['between', 'entre'],
  ['unit:length', 'km, kilomètre, kilomètres, km de long, kilomètres de long'],
  ['unit:area', 'km2, kilomètres carrés'],
  ['unit:discharge', 'm3/s, m3s, mètres cubes par seconde'],
  ['times:1000', 'mille'],
  ['times:1000000', 'million, millions, un million, million d, millions d, un million d'],
  ['top', 'top, premier, premiers, première, premières'],
  ['ordinal:last', 'dernier, dernière'],
  ['count', 'combien de, combien d, combien, nombre de, nombre d'],
  ['much', 'de combien'],
  ['aggregate:avg', 'moyenne, moyen, en moyenne, moyenne des'],
  ['aggregate:sum', 'total, totale, somme, ensemble, au total'],
  ['group', 'par, pour chaque, chaque'],
  [
    'relation:through',
    'traverse, traversent, traversant, traversé, traversés, à travers, traversée, traverse t, par où passe',
  ],
  ['relation:into:verb', 'se jette, se jettent, jette, jettent'],
  ['relation:on', 'sur, au bord, le long, le long de, au bord de'],
  ['not', 'pas, non'],
  ['ne', 'ne, n'],
  ['and', 'et, ainsi que'],
  ['but', 'mais'],
  ['or', 'ou, soit'],
  ['difference', 'différence, différence entre, différence de'],
  ['ratio', 'combien de fois, rapport'],
  [
    'facts',
    'parle moi, parle moi de, compare, comparer, comparaison, au sujet, au sujet de, que sais tu, que sais tu sur, décris',
  ],
  ['where', 'où'],
];

const ENDINGS = ['', 'e', 'en', 'er', 'es', 'em'];

/** Returns the forms of a phrase: with each ending of a German adjective for the `~` at its end, else only itself. */
export function formsOf(phrase: string): readonly string[] {
  return phrase.endsWith('~') ? ENDINGS.map((ending) => phrase.slice(0, -1) + ending) : [phrase];
}

/** Throws when a phrase has two meanings, of which only one would be found. */
function compile(vocabulary: Vocabulary, language: ReadLanguage): ReadonlyMap<string, string> {
  const phrases = new Map<string, string>();
  const add = (phrase: string, meaning: string): void => {
    for (const form of formsOf(phrase)) {
      // `toPhrase` removes the signs of expressions, so a phrase of such signs alone is looked up as it is.
      const key = toPhrase(form) || form;
      const known = phrases.get(key) ?? meaning;
      if (known !== meaning) throw new Error(`“${form}” means both ${known} and ${meaning}.`);
      phrases.set(key, meaning);
    }
  };
  for (const [index, word] of ORDINALS[language].split(' ').entries()) {
    add(word, `ordinal:${index + 2}`);
  }
  // After the ordinals: the German “acht” without an ending is a number.
  for (const [words, number] of numberWordsOf(language)) phrases.set(words, `number:${number}`);
  for (const [meaning, list] of vocabulary) {
    for (const phrase of list.split(',')) add(phrase.trim(), meaning);
  }
  return phrases;
}

/** The meanings of phrases, by language. The phrases are plain, with single spaces. */
export const VOCABULARIES: Readonly<Record<ReadLanguage, ReadonlyMap<string, string>>> = {
  en: compile(ENGLISH, 'en'),
  de: compile(GERMAN, 'de'),
  fr: compile(FRENCH, 'fr'),
};
