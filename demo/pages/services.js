/** Reads the choices of the page from its address, else those of the last visit, and lets the links of the header change them. */
const CHOICES = { service: ['ubik', 'data-agent'], layout: ['page', 'panel'], lang: ['en', 'zh'] };

const chosen = readChoices();
document.documentElement.lang = chosen.lang;
if (chosen.lang === 'zh') translate(document);
document.querySelector('#layouts').hidden = chosen.service !== 'data-agent';
for (const link of document.querySelectorAll('[data-set]')) {
  const [name, value] = link.dataset.set.split('=');
  link.search = String(new URLSearchParams({ ...chosen, [name]: value }));
  if (chosen[name] === value) link.ariaCurrent = 'true';
}

function readChoices() {
  const address = new URLSearchParams(location.search);
  const choices = {};
  for (const [name, values] of Object.entries(CHOICES)) {
    const key = `demo-${name}`;
    const value = [address.get(name), localStorage.getItem(key)].find((each) =>
      values.includes(each),
    );
    choices[name] = value ?? values[0];
    if (values.includes(address.get(name))) localStorage.setItem(key, choices[name]);
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
