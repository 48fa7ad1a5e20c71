/** Sets the properties of the chat that have no attribute. It may run before the element is defined. */
const chat = document.querySelector('ubik-chat');
chat.userKey = 'visitor';
chat.greeting = 'Which river would you like to hear about?';
chat.getToken = getToken;
