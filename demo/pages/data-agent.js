/** Shows the chat with the Data Agent in place of the one with UBIK, once the elements are loaded. */

/** The rivers of the application beside the side panel. */
const RIVERS = [
  { name: 'Danube', chinese: '多瑙河', length_km: 2850 },
  { name: 'Rhine', chinese: '莱茵河', length_km: 1233 },
  { name: 'Elbe', chinese: '易北河', length_km: 1094 },
  { name: 'Loire', chinese: '卢瓦尔河', length_km: 1006 },
];

const isChinese = chosen.lang === 'zh';

if (chosen.service === 'data-agent') {
  const placeholder = document.querySelector('ubik-chat > p');
  document.querySelector('main').replaceChildren(placeholder);
  document.querySelector('#fold').hidden = true;
  const elements = document.querySelector('#elements');
  elements.addEventListener('load', showDataAgent);
  elements.addEventListener('error', () => {
    placeholder.textContent = texts.notLoaded;
  });
}

function showDataAgent() {
  const content = document.querySelector(`#data-agent-${chosen.layout}`).content.cloneNode(true);
  if (isChinese) translate(content);
  const chat = content.querySelector('ubik-chat');
  chat.userKey = 'visitor';
  chat.getToken = getToken;
  if (chosen.layout === 'panel') showRivers(content, chat);
  document.querySelector('main').replaceChildren(content);
  placeHeader();
}

/** Lists the rivers of the application; the chosen one is the context of questions until the user removes it in the chat. */
function showRivers(content, chat) {
  const list = content.querySelector('#rivers');
  const choose = (river) => {
    chat.context = river && {
      title: nameOf(river),
      data: { river: river.name, length_km: river.length_km },
    };
    for (const button of list.querySelectorAll('button')) {
      button.ariaPressed = String(button.name === river?.name);
    }
  };
  for (const river of RIVERS) {
    const button = document.createElement('button');
    button.type = 'button';
    button.name = river.name;
    button.ariaPressed = 'false';
    button.textContent = `${nameOf(river)}, ${river.length_km} km`;
    button.addEventListener('click', () => {
      choose(river);
    });
    const item = document.createElement('li');
    item.append(button);
    list.append(item);
  }
  chat.addEventListener('ubik-context-removed', () => {
    choose(null);
  });
}

function nameOf(river) {
  return isChinese ? river.chinese : river.name;
}
