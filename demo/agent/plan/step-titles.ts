import type { AnswerLanguage } from '../query/languages.js';

/** Titles of steps in English, German, French and Chinese. */
const ROWS: readonly (readonly [en: string, de: string, fr: string, zh: string])[] = [
  ['Find out what is meant', 'Klären, was gemeint ist', 'Préciser la question', '确认问题的含义'],
  ['Ask the database', 'Datenbank abfragen', 'Interroger la base de données', '查询数据库'],
  ['Get the numbers', 'Zahlen abfragen', 'Obtenir les chiffres', '获取数据'],
  ['Draw the chart', 'Diagramm zeichnen', 'Dessiner le graphique', '绘制图表'],
  ['Work it out', 'Berechnen', 'Calculer', '计算'],
  ['Search the documents', 'Dokumente durchsuchen', 'Chercher dans les documents', '检索文档'],
  [
    'Choose what answers the question',
    'Auswählen, was die Frage beantwortet',
    'Choisir ce qui répond à la question',
    '筛选相关内容',
  ],
];

function collect(column: 1 | 2 | 3): ReadonlyMap<string, string> {
  return new Map(ROWS.map((row) => [row[0], row[column]]));
}

/** Titles of steps by their English ones. */
export const TITLES: Readonly<Record<AnswerLanguage, ReadonlyMap<string, string>>> = {
  en: new Map(),
  de: collect(1),
  fr: collect(2),
  zh: collect(3),
};
