/** @import { Look } from './axes.mjs' */
import { branches } from './cases/branches.mjs';
import { chat } from './cases/chat.mjs';
import { chartCases } from './cases/charts.mjs';
import { checkpoints } from './cases/checkpoints.mjs';
import { composer } from './cases/composer.mjs';
import { dataCases } from './cases/data.mjs';
import { documents } from './cases/documents.mjs';
import { layouts } from './cases/layouts.mjs';
import { long } from './cases/long.mjs';
import { markdown } from './cases/markdown.mjs';
import { messages } from './cases/messages.mjs';
import { parts } from './cases/parts.mjs';
import { requests } from './cases/requests.mjs';
import { runs } from './cases/runs.mjs';
import { scripts } from './cases/scripts.mjs';
import { sourceCases } from './cases/sources.mjs';
import { threads } from './cases/threads.mjs';
import { tools } from './cases/tools.mjs';
import { windows } from './cases/windows.mjs';

/**
 * One case of the gallery.
 *
 * @typedef {object} Case
 * @property {string} name unique name, used in the URL and in the file names of screenshots
 * @property {string} title what the case shows
 * @property {'part' | 'chat' | 'page' | 'side' | 'phone'} [size] size of the container; `part`: as high as the content
 * @property {'modal' | 'offline'} [alone] needs a separate page: it covers the page, or the page is offline
 * @property {(look: Look) => Element | Promise<Element>} make creates the element
 * @property {(element: Element) => unknown} [act] the actions after the element was added to the page
 */

/**
 * A group of cases.
 *
 * @typedef {{ readonly title: string, readonly cases: readonly Case[] }} Group
 */

/** All groups, in the order of the index. @type {readonly Group[]} */
export const GROUPS = [
  { title: 'Whole chat', cases: chat },
  { title: 'States of a run', cases: runs },
  { title: 'Layouts: page and inline', cases: layouts },
  { title: 'Layouts: bubble and panel', cases: windows },
  { title: 'Long content', cases: long },
  { title: 'Arabic, Chinese and mixed directions', cases: scripts },
  { title: 'Messages', cases: messages },
  { title: 'Parts of an answer', cases: parts },
  { title: 'Tables, metrics and code in an answer', cases: dataCases },
  { title: 'Charts', cases: chartCases },
  { title: 'Web searches, passages and web pages', cases: sourceCases },
  { title: 'Tool calls', cases: tools },
  { title: 'Input requests', cases: requests },
  { title: 'Markdown', cases: markdown },
  { title: 'Composer', cases: composer },
  { title: 'Thread list', cases: threads },
  { title: 'Documents', cases: documents },
  { title: 'Checkpoints', cases: checkpoints },
  { title: 'Branches and versions', cases: branches },
];

const list = GROUPS.flatMap(({ cases }) => cases);
const all = new Map(list.map((one) => [one.name, one]));
if (all.size < list.length) throw new RangeError('Two cases have the same name.');

/** Finds cases by their names. Throws for an unknown name. @param {readonly string[]} names */
export function findCases(names) {
  return names.map((name) => {
    const found = all.get(name);
    if (!found) throw new RangeError(`There is no case "${name}".`);
    return found;
  });
}
