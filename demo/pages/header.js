/**
 * In a narrow window, where the chat has the whole width of the page, moves the header into the bar of the chat, so that a phone has one bar
 * instead of two.
 */
const header = document.querySelector('header');
const isChatFullWidth = matchMedia('(width < 768px)');
isChatFullWidth.addEventListener('change', placeHeader);
placeHeader();

function placeHeader() {
  const chat = document.querySelector('ubik-chat[layout=page]');
  const isInChat = isChatFullWidth.matches && chat !== null;
  header.slot = isInChat ? 'header' : '';
  (isInChat ? chat : document.body).prepend(header);
}
