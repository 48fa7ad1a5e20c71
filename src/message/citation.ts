import { element } from '../dom/element.js';
import { elementOf } from '../dom/event-target.js';
import { CITATION_MARK_START, type CitationMark, type Part } from '../model/part.js';
import { truncate } from '../dom/truncate.js';
import { citationMarks, findMark } from './citation-marks.js';
import { setLang } from './content-lang.js';
import { createLazyModule } from './create-lazy-module.js';
import type { ViewContext } from './part-view.js';

/** Longest label in a text, in UTF-16 units. The source (`source.ts`) shows the full label on request. */
export const MAX_LABEL_LENGTH = 40;
/** Longest title in a list, in UTF-16 units. The source (`source.ts`) shows the full title on request. */
export const MAX_TITLE_LENGTH = 200;

/** An inline mark: the key of its data between `CITATION_MARK_START` and `CITATION_MARK_END`. */
const MARK = /\uE000([^\uE001]*)\uE001/g;

/** Returns the label of a citation without its brackets. */
export function citationLabel({ label }: CitationMark): string {
  return label.replace(/^\[|\]$/g, '');
}

/** Returns the label of a citation, shortened for a text. */
export function shortCitationLabel(mark: CitationMark): string {
  return truncate(citationLabel(mark), MAX_LABEL_LENGTH);
}

/** Returns the text of a part with its citations as `write` returns them, by default `[label]`; empty when it has no text. */
export function textWithCitations(
  part: Part,
  write = (mark: CitationMark): string => `[${citationLabel(mark)}]`,
): string {
  const text = part.text?.read() ?? '';
  if (!text.includes(CITATION_MARK_START)) return text;
  const known = new Map(Object.entries(('marks' in part && part.marks) || {}));
  return text.replace(MARK, (_match, key: string) => {
    const mark = known.get(key);
    return mark ? write(mark) : '';
  });
}

/** The chunk with the card of citations and the list of sources, loaded with the first citation. */
export const lazyCitationCard = createLazyModule(() => import('./citation-card.js'));

/** Shows the source of each citation below `root` in a card when the citation is hovered, focused or clicked. */
export function observeCitations(root: HTMLElement, context: () => ViewContext): void {
  const abort = new AbortController();
  const handleEvent = (event: Event): void => {
    const target = elementOf(event);
    if (!target?.closest('.cite')) return;
    // The card is optional; the next event tries to load it again.
    lazyCitationCard.load().then(
      ({ CitationCard }) => {
        if (abort.signal.aborted) return;
        abort.abort();
        new CitationCard(root, context, target);
      },
      () => undefined,
    );
  };
  for (const name of ['pointerover', 'focusin', 'click']) {
    root.addEventListener(name, handleEvent, abort);
  }
}

/** Creates the button of a citation in a text. `CitationCard` shows its source. */
export function createCitationButton(mark: CitationMark, context: ViewContext): HTMLElement {
  const button = element('button', 'cite', element('bdi'));
  button.type = 'button';
  button.part.add('citation');
  setLang(button, context.locale.uiLang);
  updateCitationButton(button, mark, context);
  lazyCitationCard.prefetch();
  return button;
}

/** Updates the button of a citation if what is known about its source has changed. */
export function updateCitationButton(
  button: HTMLElement,
  mark: CitationMark,
  { locale }: ViewContext,
): void {
  if (findMark(button) === mark) return;
  citationMarks.set(button, mark);
  const label = shortCitationLabel(mark);
  button.firstElementChild?.replaceChildren(label);
  const name = locale.text('source', { label });
  button.ariaLabel = mark.title
    ? locale.text('colon', { name, words: truncate(mark.title, MAX_TITLE_LENGTH) })
    : name;
}
