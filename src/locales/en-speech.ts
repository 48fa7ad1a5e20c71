/** English strings of dictation, loaded with it. */
export const speechStrings = {
  dictate: 'Dictate',
  dictateStop: 'Stop dictation',
  listening: 'Listening…',
  'speech_not-allowed':
    'The microphone is blocked. Allow it for this page in the browser, then try again.',
  'speech_audio-capture': 'No microphone found.',
  'speech_no-speech': 'No speech detected. Try again.',
  speech_network: 'The browser’s speech service can’t be reached.',
  'speech_language-not-supported': 'The browser doesn’t support dictation in this language.',
  speech_other: 'Dictation didn’t work. Try again.',
};
