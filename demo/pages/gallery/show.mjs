/** @import { Case } from './cases.mjs' */
/** @import { Look } from './axes.mjs' */

/** Creates the container of a case. @param {Case} one @param {Look} look */
export function createBox({ name, title, size = 'part' }, look) {
  const box = document.createElement('section');
  box.className = `case ${size}`;
  box.dataset['case'] = name;
  const heading = box.appendChild(document.createElement('h2'));
  heading.textContent = title;
  if (look.width > 0) box.style.inlineSize = `${look.width}px`;
  return box;
}

/** Adds the element of a case to its container and performs its actions. @param {HTMLElement} box @param {Case} one @param {Look} look */
export async function fillBox(box, { make, act }, look) {
  const element = await make(look);
  box.append(element);
  await act?.(element);
}

/** Shows cases below each other. @param {readonly Case[]} cases @param {Look} look */
export async function showCases(cases, look) {
  document.body.className = 'cases';
  const main = document.body.appendChild(document.createElement('main'));
  const heading = main.appendChild(document.createElement('h1'));
  heading.textContent = 'Gallery';
  for (const one of cases) await fillBox(main.appendChild(createBox(one, look)), one, look);
}
