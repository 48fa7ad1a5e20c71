import { readLook } from './axes.mjs';
import { findCases } from './cases.mjs';
import { drawIndex } from './index-page.mjs';
import { showCases } from './show.mjs';
import './elements.mjs';

const query = new URLSearchParams(location.search);
const look = readLook(query);
const names = query.getAll('case').flatMap((list) => list.split(','));

document.documentElement.lang = look.lang;
document.documentElement.dir = look.dir;
document.documentElement.dataset['scheme'] = look.scheme;
if (look.theme)
  document.documentElement.classList.add(`theme-${look.theme}`, `ubik-theme-${look.theme}`);

if (names.length > 0) await showCases(findCases(names), look);
else drawIndex(query, look);
// The tests of `test/visual` wait for this attribute.
document.documentElement.dataset['made'] = 'yes';
