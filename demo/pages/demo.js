/** Gives the chat what only code can give: a token, a greeting and questions to begin with. It may run before the element is defined. */
const chat = document.querySelector('ubik-chat');

/** The page's own server knows the visitor by a cookie and gives a token that is good for an hour. */
async function getToken() {
  const response = await fetch('/token', { method: 'POST' });
  if (!response.ok) throw new Error(`No token: status ${response.status}`);
  const { access_token: token } = await response.json();
  return token;
}

chat.userKey = 'visitor';
chat.greeting = 'Ask about the documents of this project, or about the rivers of Europe.';
chat.starters = [
  'How does an answer survive a broken network?',
  'Which countries does the Danube flow through?',
  'Which is the biggest river in Europe?',
];
chat.getToken = getToken;

/** What the local agent can read: said before a file is sent. */
const uploadLimits = {
  maxBytes: 25_000_000,
  types: ['.pdf', '.md', '.txt', '.csv', '.tsv', '.json', '.html', '.htm'],
};
for (const element of [chat, document.querySelector('ubik-documents')]) {
  element.uploadLimits = uploadLimits;
}

document.querySelector('#fresh').addEventListener('click', () => {
  chat.startThread();
});
