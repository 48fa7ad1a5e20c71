import 'ubik-elements/define.js';
import 'ubik-elements/extras/own-marked.js';
import DOMPurify from 'dompurify';
import { Lexer } from 'marked';
import markedAlert from 'marked-alert';

// How often the copies of this app are called.
window.calls = { marked: 0, dompurify: 0 };
DOMPurify.addHook('beforeSanitizeElements', () => {
  window.calls.dompurify += 1;
});
const { lex } = Lexer.prototype;
Lexer.prototype.lex = function (text) {
  window.calls.marked += 1;
  return lex.call(this, text);
};

const chat = document.createElement('ubik-chat');
chat.setAttribute('base-url', '/api/v1');
chat.getToken = () => 'token';
chat.markdownExtensions = [markedAlert()];
document.body.append(chat);
