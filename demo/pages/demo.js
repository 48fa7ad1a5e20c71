/** Sets the properties of the chat with UBIK that have no attribute. It may run before the element is defined. */
const chat = document.querySelector('ubik-chat');

const TEXTS = {
  en: {
    notLoaded: 'The chat could not be loaded. Build it with npm start.',
    greeting:
      'Ask about Europe’s rivers or your own files, answer the agent’s questions, and restart it from any checkpoint with a hint.',
    starters: [
      { label: 'Which countries does the Danube flow through?' },
      { label: 'Which is the biggest river in Europe?' },
      {
        label: 'Add a file with a table of lakes, and ask about it',
        question: 'List the 5 lakes with the largest depth',
        sample: 'lakes.csv',
      },
      {
        label: 'Summarise all documents, then go back to a checkpoint',
        question: 'Summarise all documents',
        tab: 'tab-checkpoints',
      },
    ],
  },
  zh: {
    notLoaded: '无法加载聊天。请用 npm start 构建。',
    greeting: '可以询问欧洲的河流或拖到这里的文件，回答智能体的提问，或从检查点带着提示重新开始。',
    starters: [
      { label: '多瑙河流经哪些国家？' },
      { label: '欧洲最大的河流是哪条？' },
      { label: '添加一份湖泊资料并提问', question: '科莫湖有多深？', sample: 'lakes-zh.md' },
      {
        label: '先提问，再回到检查点',
        question: '网络中断后回答如何恢复？',
        tab: 'tab-checkpoints',
      },
    ],
  },
};
const texts = TEXTS[chosen.lang];

// The content of the element is visible until it is defined.
document.querySelector('#elements').addEventListener('error', () => {
  chat.querySelector(':scope > p').textContent = texts.notLoaded;
});

chat.userKey = 'visitor';
chat.greeting = texts.greeting;
chat.starters = texts.starters.map(({ label }) => label);
chat.getToken = getToken;

/** The files that the local agent can read, so that others are refused before the upload. */
const uploadLimits = {
  maxBytes: 25_000_000,
  types: ['.pdf', '.md', '.txt', '.csv', '.tsv', '.json', '.html', '.htm'],
};
for (const element of [chat, document.querySelector('ubik-documents')]) {
  element.uploadLimits = uploadLimits;
}

/** The list of sample documents. It is shown without a conversation, because `<ubik-documents>` lists the documents of a conversation only. */
const samples = document.querySelector('#samples');
for (const type of ['ubik-thread-opened', 'ubik-thread-created']) {
  chat.addEventListener(type, ({ detail }) => {
    samples.hidden = detail.threadId !== null;
  });
}

/** The side column and the button that collapses and expands it. The chat does not render a child without a slot. */
const work = document.querySelector('#work');
const fold = document.querySelector('#fold');
fold.addEventListener('click', () => {
  const isOpen = work.slot === '';
  work.slot = isOpen ? 'end' : '';
  fold.ariaExpanded = String(isOpen);
});
// In a narrower window the chat shows its side columns as drawers, and this button is hidden.
matchMedia('(width < 1088px)').addEventListener('change', () => {
  work.slot = 'end';
  fold.ariaExpanded = 'true';
});

const tabs = [...document.querySelectorAll('[role=tab]')];

/** Shows the panel of a tab, and hides the other panels. */
function choose(chosenTab) {
  for (const tab of tabs) {
    const isChosen = tab === chosenTab;
    tab.ariaSelected = String(isChosen);
    tab.tabIndex = isChosen ? 0 : -1;
    document.getElementById(tab.getAttribute('aria-controls')).hidden = !isChosen;
  }
}

for (const [at, tab] of tabs.entries()) {
  tab.addEventListener('click', () => {
    choose(tab);
  });
  tab.addEventListener('keydown', ({ key }) => {
    const isRtl = getComputedStyle(tab).direction === 'rtl';
    const next = isRtl ? 'ArrowLeft' : 'ArrowRight';
    const before = isRtl ? 'ArrowRight' : 'ArrowLeft';
    if (key !== next && key !== before) return;
    // `tabs.at` counts a negative index from the end, so that the keys wrap around.
    const other = tabs.at((at + (key === next ? 1 : -1)) % tabs.length);
    choose(other);
    other.focus();
  });
}
choose(tabs[0]);

/**
 * Replaces a starter that has a `question`: sends the question instead of the label, after uploading a sample file or showing a tab of the side
 * column.
 */
chat.addEventListener('ubik-message-send', (event) => {
  const starter = texts.starters.find(({ label }) => label === event.detail.text);
  if (starter?.question === undefined) return;
  event.preventDefault();
  const tab = document.getElementById(starter.tab);
  if (tab) choose(tab);
  if (starter.sample) void attachSample(starter.sample, starter.question);
  // The chat accepts the next message when this one is cancelled.
  else setTimeout(() => chat.send(starter.question));
});

/** Drops a file on the chat as the user would, and sends a question when the agent has read it. */
async function attachSample(name, question) {
  const response = await fetch(name);
  const files = new DataTransfer();
  files.items.add(new File([await response.blob()], name));
  chat.addEventListener('ubik-document-ready', () => void chat.send(question), { once: true });
  chat.dispatchEvent(new DragEvent('drop', { dataTransfer: files, cancelable: true }));
}
