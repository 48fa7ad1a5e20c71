/** English strings of dictation, loaded with it. */
export const speechStrings = {
  dictate: 'Dictate',
  dictateStop: 'Stop dictation',
  listening: 'Listening…',
  'speech_not-allowed':
    'The microphone is blocked. Allow it for this page in the browser, then try again.',
  'speech_audio-capture': 'No microphone was found.',
  'speech_no-speech': 'Nothing was heard. Try again.',
  speech_network: 'The speech service of the browser cannot be reached.',
  'speech_language-not-supported': 'The browser does not support dictation in this language.',
  speech_other: 'Dictation did not work. Try again.',
};
