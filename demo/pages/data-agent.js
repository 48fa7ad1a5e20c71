/** Shows the chat with the Data Agent in place of the one with UBIK, once the elements are loaded. */
const RIVERS = [
  { name: 'Danube', chinese: '多瑙河', length_km: 2850 },
  { name: 'Rhine', chinese: '莱茵河', length_km: 1233 },
  { name: 'Elbe', chinese: '易北河', length_km: 1094 },
  { name: 'Loire', chinese: '卢瓦尔河', length_km: 1006 },
];

const isChinese = chosen.lang === 'zh';
let context = null;

if (chosen.service === 'data-agent') {
  const placeholder = document.querySelector('ubik-chat > p');
  document.querySelector('main').replaceChildren(placeholder);
  document.querySelector('#fold').hidden = true;
  const elements = document.querySelector('#elements');
  elements.addEventListener('load', showDataAgent);
  elements.addEventListener('error', () => {
    placeholder.textContent = 'The chat could not be loaded. Build it with npm start.';
  });
}

function showDataAgent() {
  // Options without an attribute are set where the service is registered.
  UbikElements.registerBackend('data-agent', (options) =>
    UbikElements.createDataAgentBackend({
      ...options,
      language: isChinese ? 'zh-CN' : 'en-US',
      messageOptions: {
        // Read with each message.
        get context() {
          return context;
        },
      },
    }),
  );
  const content = document.querySelector(`#data-agent-${chosen.layout}`).content.cloneNode(true);
  if (isChinese) translate(content);
  const chat = content.querySelector('ubik-chat');
  chat.userKey = 'visitor';
  chat.getToken = getToken;
  if (chosen.layout === 'panel') showRivers(content);
  document.querySelector('main').replaceChildren(content);
}

/** Lists the rivers of the host application; the chosen one is the context of questions until it is removed. */
function showRivers(content) {
  const chip = content.querySelector('.context');
  const choose = (river) => {
    context = river && {
      title: river.name,
      data: { river: river.name, length_km: river.length_km },
    };
    chip.hidden = !river;
    chip.querySelector('strong').textContent = river ? nameOf(river) : '';
    for (const button of document.querySelectorAll('#rivers button')) {
      button.ariaPressed = String(button.textContent.startsWith(river ? nameOf(river) : '\0'));
    }
  };
  for (const river of RIVERS) {
    const button = document.createElement('button');
    button.type = 'button';
    button.ariaPressed = 'false';
    button.textContent = `${nameOf(river)}, ${river.length_km} km`;
    button.addEventListener('click', () => {
      choose(river);
    });
    const item = document.createElement('li');
    item.append(button);
    content.querySelector('#rivers').append(item);
  }
  chip.querySelector('button').addEventListener('click', () => {
    choose(null);
  });
}

function nameOf(river) {
  return isChinese ? river.chinese : river.name;
}
