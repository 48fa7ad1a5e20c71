/** Reads the choices of the page from its URL, else from the last visit, and updates the links of the header, which change them. */
const { services, isLocal } =
  typeof served === 'undefined' ? { services: ['ubik'], isLocal: true } : served;
const CHOICES = { service: services, layout: ['page', 'panel'], lang: ['en', 'zh'] };

const chosen = readChoices();
document.documentElement.lang = chosen.lang;
if (chosen.lang === 'zh') translate(document);
document.querySelector('#local').hidden = !isLocal;
document.querySelector('#services').hidden = services.length < 2;
document.querySelector('#layouts').hidden = chosen.service !== 'data-agent';
for (const link of document.querySelectorAll('[data-set]')) {
  const [name, value] = link.dataset.set.split('=');
  link.search = String(new URLSearchParams({ ...chosen, [name]: value }));
  if (chosen[name] === value) link.ariaCurrent = 'true';
}
// The URL contains the choices, so that a copy of it opens the same page.
const address = new URL(location.href);
for (const [name, value] of Object.entries(chosen)) address.searchParams.set(name, value);
history.replaceState(history.state, '', address);

/**
 * Returns the choices. Each is that of the URL, else that of the last visit, else the first one. A choice that this server does not offer is
 * ignored.
 */
function readChoices() {
  const query = new URLSearchParams(location.search);
  const choices = {};
  for (const [name, values] of Object.entries(CHOICES)) {
    const key = `demo-${name}`;
    const value = [query.get(name), localStorage.getItem(key)].find((each) =>
      values.includes(each),
    );
    choices[name] = value ?? values[0];
    if (values.includes(query.get(name))) localStorage.setItem(key, choices[name]);
  }
  return choices;
}

/** Replaces the English texts of the page, or of a template, by the Chinese ones beside them. */
function translate(root) {
  for (const element of root.querySelectorAll('[data-zh]')) {
    element.textContent = element.dataset.zh;
  }
  for (const element of root.querySelectorAll('[data-zh-label]')) {
    element.ariaLabel = element.dataset.zhLabel;
  }
}
