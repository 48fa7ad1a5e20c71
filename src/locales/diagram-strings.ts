import { languageFileFor } from './tag.js';

/** Texts of a diagram. They are separate from the strings of the elements, because a file beside the bundle draws diagrams without those. */
export interface DiagramStrings {
  /** Accessible name of a diagram without a title. */
  readonly diagram: string;
  /** Label of the disclosure with the source. */
  readonly source: string;
  readonly invalid: string;
  readonly tooLarge: string;
  readonly tooSlow: string;
}

const ENGLISH: DiagramStrings = {
  diagram: 'Diagram',
  source: 'Source of the diagram',
  invalid: 'The diagram cannot be drawn, because its source has an error.',
  tooLarge: 'The diagram is too large to be drawn.',
  tooSlow: 'Drawing the diagram took too long.',
};

/** The strings by language. */
export const DIAGRAM_STRINGS: ReadonlyMap<string, DiagramStrings> = new Map([
  ['en', ENGLISH],
  [
    'ar',
    {
      diagram: 'مخطط',
      source: 'مصدر المخطط',
      invalid: 'تعذّر رسم المخطط لأن مصدره يحتوي على خطأ.',
      tooLarge: 'المخطط أكبر من أن يُرسم.',
      tooSlow: 'استغرق رسم المخطط وقتًا طويلًا جدًا.',
    },
  ],
  [
    'de',
    {
      diagram: 'Diagramm',
      source: 'Quelltext des Diagramms',
      invalid: 'Das Diagramm kann nicht gezeichnet werden, weil sein Quelltext einen Fehler hat.',
      tooLarge: 'Das Diagramm ist zu groß, um gezeichnet zu werden.',
      tooSlow: 'Das Zeichnen des Diagramms hat zu lange gedauert.',
    },
  ],
  [
    'es',
    {
      diagram: 'Diagrama',
      source: 'Código del diagrama',
      invalid: 'No se puede dibujar el diagrama porque su código contiene un error.',
      tooLarge: 'El diagrama es demasiado grande para dibujarlo.',
      tooSlow: 'El dibujo del diagrama ha tardado demasiado.',
    },
  ],
  [
    'fr',
    {
      diagram: 'Diagramme',
      source: 'Source du diagramme',
      invalid: 'Le diagramme ne peut pas être dessiné, car sa source contient une erreur.',
      tooLarge: 'Le diagramme est trop grand pour être dessiné.',
      tooSlow: 'Le dessin du diagramme a pris trop de temps.',
    },
  ],
  [
    'ja',
    {
      diagram: '図',
      source: '図のソース',
      invalid: 'ソースに誤りがあるため、図を描画できません。',
      tooLarge: '図が大きすぎるため、描画できません。',
      tooSlow: '図の描画に時間がかかりすぎました。',
    },
  ],
  [
    'zh',
    {
      diagram: '图表',
      source: '图表源代码',
      invalid: '图表源代码有错误，无法绘制。',
      tooLarge: '图表过大，无法绘制。',
      tooSlow: '绘制图表耗时过长。',
    },
  ],
]);

/** Returns the strings for a language tag; English for a language without strings. */
export function findDiagramStrings(tag: string): DiagramStrings {
  return DIAGRAM_STRINGS.get(languageFileFor(tag)) ?? ENGLISH;
}
