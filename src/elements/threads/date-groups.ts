import { element } from '../../dom/element.js';
import type { Locale } from '../../locales/locale.js';

/** A range of dates with its heading. */
export interface DateGroup {
  readonly key: string;
  readonly label: string;
}

/** Assigns times to groups: today, yesterday, the previous 7 days, then calendar months. */
export class DateGroups {
  readonly #locale: Locale;
  readonly #starts: readonly number[];
  readonly #monthGroups = new Map<number, DateGroup>();
  readonly #months: Intl.DateTimeFormat;
  readonly #days: Intl.RelativeTimeFormat;

  /** `now` in ms since the epoch. */
  constructor(locale: Locale, now: number) {
    this.#locale = locale;
    this.#starts = [0, 1, 7].map((days) => startOfDay(now, days));
    this.#months = new Intl.DateTimeFormat(locale.lang, { month: 'long', year: 'numeric' });
    this.#days = new Intl.RelativeTimeFormat(locale.lang, { numeric: 'auto' });
  }

  /** The group of a time in ms since the epoch; 0 stands for an unknown time. */
  groupOf(time: number): DateGroup {
    const { text } = this.#locale;
    if (time === 0) return { key: '', label: text('threadsUndated') };
    const [today = 0, yesterday = 0, week = 0] = this.#starts;
    if (time >= today) return { key: 'today', label: this.#days.format(0, 'day') };
    if (time >= yesterday) return { key: 'yesterday', label: this.#days.format(-1, 'day') };
    if (time >= week) return { key: 'week', label: text('threadsWeek') };
    const date = new Date(time);
    const month = date.getFullYear() * 12 + date.getMonth();
    // Formatting a date is slow, and thousands of threads share a few months.
    let group = this.#monthGroups.get(month);
    if (!group) {
      group = { key: `${month}`, label: this.#months.format(date) };
      this.#monthGroups.set(month, group);
    }
    return group;
  }
}

/** The start of the day `days` days ago, in the user's time zone. */
function startOfDay(now: number, days: number): number {
  const date = new Date(now);
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() - days).getTime();
}

/** The rows of one date group under its heading. An update places all rows in order: `startUpdate`, `place` for each, `finishUpdate`. */
export class DateSection {
  readonly node: HTMLElement;
  readonly #heading = element('h3');
  readonly #list = element('ul');
  #next: Element | null = null;

  constructor() {
    this.node = element('section', 'thread-group', this.#heading, this.#list);
  }

  /** Starts an update. */
  startUpdate({ label }: DateGroup): void {
    this.#heading.textContent = label;
    this.#list.ariaLabel = label;
    this.#next = this.#list.firstElementChild;
  }

  /** Places the next row. A row that is already in its place is not moved, so that it keeps the focus. */
  place(node: Element): void {
    if (node === this.#next) this.#next = node.nextElementSibling;
    else this.#list.insertBefore(node, this.#next);
  }

  /** Removes the rows that were not placed in this update. */
  finishUpdate(): void {
    while (this.#next) {
      const { nextElementSibling: next } = this.#next;
      this.#next.remove();
      this.#next = next;
    }
  }
}
