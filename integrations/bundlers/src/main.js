import 'ubik-elements/define.js';

const chat = document.createElement('ubik-chat');
chat.setAttribute('base-url', '/api/v1');
chat.getToken = () => 'token';
document.body.append(chat);
