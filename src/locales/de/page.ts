import type { Words } from '../words.js';

/** German: the frame, the composer, the run, errors. */
export const page: Words = {
  conversation: 'Unterhaltung',
  greeting: 'Was kann ich für Sie tun?',
  starters: 'Vorgeschlagene Fragen',
  loading: 'Die Unterhaltung wird geladen …',
  latest: 'Zum Neuesten',
  you: 'Sie',
  agent: 'Assistent',
  comma: '{words}, {more}',
  colon: '{name}: {words}',
  aside: '{words} ({more})',
  retry: 'Erneut versuchen',
  retryNow: 'Jetzt versuchen',
  cancel: 'Abbrechen',
  showAll: 'Alle {count} anzeigen',
  attachments: 'Anhänge',
  sideEnd: 'Detailbereich',

  composer: 'Nachricht',
  placeholder: 'Nachricht schreiben …',
  placeholderWaiting: 'Ihre Antwort …',
  send: 'Senden',
  stop: 'Anhalten',
  hint: 'Eingabetaste zum Senden, Umschalt + Eingabetaste für neue Zeile',
  notSent: 'Nicht gesendet. {reason}',
  answersRequest: 'Antwort auf: {question}',

  queue: 'Nachrichten in der Warteschlange',
  hintDraft: 'Bleibt hier, bis Sie es senden.',
  hintStop: 'Eingabetaste zum Anhalten und Senden',
  hintQueue: 'Eingabetaste zum Senden nach dieser Antwort',

  sending: 'Wird gesendet …',
  working: 'In Arbeit …',
  workingOn: 'Schritt {step} von {total}',
  stopping: 'Wird angehalten …',
  leave: 'Nicht länger warten',
  stalled: 'Seit einer Weile keine Antwort. Es wird weiter gewartet …',
  rejoining: 'Die Verbindung ist abgebrochen. Sie wird wiederhergestellt …',
  rejoiningIn: {
    one: 'Die Verbindung ist abgebrochen. Neuer Versuch in {count} Sekunde.',
    other: 'Die Verbindung ist abgebrochen. Neuer Versuch in {count} Sekunden.',
  },
  offline: 'Sie sind offline. Was Sie schreiben, bleibt erhalten.',
  offlineRun: 'Sie sind offline. Die Antwort geht weiter, sobald Sie wieder online sind.',
  interrupted: 'Die Verbindung ist abgebrochen, die Antwort ist unvollständig.',
  signIn: 'Bitte melden Sie sich an, um fortzufahren.',
  stopped: 'Angehalten',
  failed: 'Die Antwort konnte nicht fertiggestellt werden.',
  incomplete: 'Unvollständig',
  waitingForYou: 'Der Assistent wartet auf Ihre Antwort.',
  answerNow: 'Antworten',
  finished: 'Die Antwort ist vollständig.',

  stepNumber: 'Schritt {number}',
  thinking: 'Denkt nach …',
  checkpointPlain: 'Sicherungspunkt',
  goBack: 'Hierher zurückgehen …',
  sourceUnnamed: 'Dokument',
  page: 'Seite {page}',
  startedHint: 'mit dem Hinweis: {hint}',

  checkpoints: 'Sicherungspunkte',
  compare: 'Varianten ab demselben Punkt',

  documents: 'Dokumente',
  attach: 'Anhängen',
  attachFiles: 'Dateien anhängen',
  link: '{name} zu dieser Unterhaltung hinzufügen',
  close: 'Schließen',
  filesComing: 'Sie können senden, sobald die Dateien angekommen sind.',

  regenerate: 'Neu generieren',

  request: 'Frage des Assistenten',
  requestDeclineSentence: 'Das möchte ich nicht beantworten.',

  threads: 'Unterhaltungen',

  copied: 'Kopiert',
  table: { one: 'Tabelle mit {count} Spalte', other: 'Tabelle mit {count} Spalten' },

  // Commands, mentions, length, pasted text
  suggestCommand: 'Befehle',
  suggestMention: 'Erwähnungen',
  suggestWait: 'Wird gesucht …',
  suggested: {
    one: '{count} Vorschlag. Pfeiltasten wählen, die Eingabetaste übernimmt ihn.',
    other: '{count} Vorschläge. Pfeiltasten wählen, die Eingabetaste übernimmt einen.',
  },
  followUps: 'Vorschläge für weitere Fragen',
  lengthLeft: { one: 'Noch {count} Zeichen', other: 'Noch {count} Zeichen' },
  lengthOver: { one: '{count} Zeichen zu viel', other: '{count} Zeichen zu viel' },
  tooLong: {
    one: 'Nicht gesendet. Eine Nachricht darf höchstens {count} Zeichen haben. Bitte kürzen Sie sie.',
    other:
      'Nicht gesendet. Eine Nachricht darf höchstens {count} Zeichen haben. Bitte kürzen Sie sie.',
  },
  pastedName: 'Eingefügter Text',
  pasted: 'Der eingefügte Text ist als Dokument angehängt.',

  // What waits to be sent
  queueAfter: 'Nach dieser Antwort senden',
  queueNow: 'Anhalten und jetzt senden',
  queueNext: 'Wird gesendet, sobald der Assistent aufgehört hat.',
  queueWaiting: {
    one: '{count} Nachricht wird nach dieser Antwort gesendet.',
    other: '{count} Nachrichten werden nach dieser Antwort gesendet.',
  },
  queueHeld: {
    one: '{count} Nachricht wurde nicht gesendet.',
    other: '{count} Nachrichten wurden nicht gesendet.',
  },
  queueResume: 'Senden',
  queueSend: 'Jetzt senden: {text}',
  queueStopFor: 'Anhalten und jetzt senden: {text}',
  queueBlocked: 'Beantworten Sie zuerst die Frage. Dann kann dies gesendet werden: {text}',
  queueEdit: 'Bearbeiten: {text}',
  queueRemove: 'Aus der Warteschlange entfernen: {text}',
  queueSave: 'Speichern',

  // Dictating
  dictate: 'Diktieren',
  dictateStop: 'Diktat beenden',
  listening: 'Hört zu …',
  'speech_not-allowed':
    'Das Mikrofon ist gesperrt. Erlauben Sie es für diese Seite im Browser und versuchen Sie es erneut.',
  'speech_audio-capture': 'Es wurde kein Mikrofon gefunden.',
  'speech_no-speech': 'Es war nichts zu hören. Versuchen Sie es noch einmal.',
  speech_network: 'Die Spracherkennung des Browsers ist nicht erreichbar.',
  'speech_language-not-supported': 'Der Browser unterstützt das Diktieren in dieser Sprache nicht.',
  speech_other: 'Das Diktieren ist gescheitert. Versuchen Sie es erneut.',

  // The window
  openChat: 'Chat öffnen',
  openChatNew: {
    one: 'Chat öffnen: {count} neue Antwort',
    other: 'Chat öffnen: {count} neue Antworten',
  },
  closeChat: 'Chat schließen',
  resizeChat: 'Größe des Chats',
  resizeChatHint: 'Mit den Pfeiltasten ändern.',

  // A linked message
  linkElsewhere: 'Die verlinkte Nachricht steht in einer anderen Version dieser Unterhaltung.',
  linkGone: 'Die verlinkte Nachricht gehört nicht zu dieser Unterhaltung.',
  linkUnknown: 'Die verlinkte Nachricht ist nicht unter den angezeigten.',
  linkSwitch: 'Zu dieser Version wechseln',
  linkSwitches: 'Die Unterhaltung geht von da an in dieser Version weiter.',

  // Errors
  error_network:
    'Der Dienst ist nicht erreichbar. Prüfen Sie die Verbindung und versuchen Sie es erneut.',
  error_blocked:
    'Diese Seite darf sich nicht mit dem Dienst verbinden. Wenden Sie sich an die Betreiber der Seite.',
  'error_not-an-api':
    'Unter der Adresse antwortet nicht der richtige Dienst. Wenden Sie sich an die Betreiber der Seite.',
  error_unauthorized: 'Sie sind nicht angemeldet, oder die Anmeldung ist abgelaufen.',
  error_forbidden: 'Der Dienst erlaubt das nicht.',
  'error_not-found': 'Diese Unterhaltung gibt es nicht oder nicht mehr.',
  error_busy: 'Der Assistent arbeitet noch. Warten Sie, bis er fertig ist, oder halten Sie ihn an.',
  'error_too-large': 'Das ist zu groß für den Dienst.',
  error_invalid: 'Der Dienst hat das abgelehnt. Ändern Sie es und versuchen Sie es erneut.',
  'error_rate-limited':
    'Zu viele Anfragen. Warten Sie einen Moment und versuchen Sie es dann erneut.',
  error_server: 'Der Dienst hat ein Problem. Versuchen Sie es später noch einmal.',
  'error_not-open': 'Diese Frage ist nicht mehr offen.',
  'error_foreign-origin': 'Eine Adresse führt vom Dienst weg. Dorthin wurde nichts gesendet.',
  'error_not-recorded':
    'Der Dienst hat diese Nachricht noch nicht gespeichert. Versuchen Sie es gleich noch einmal.',
  'error_not-sent': 'Der Dienst hat die Nachricht nicht angenommen. Versuchen Sie es noch einmal.',
  error_interrupted: 'Die Verbindung ist abgebrochen, die Antwort ist unvollständig.',
  'error_run-failed': 'Beim Assistenten ist ein Fehler aufgetreten.',
  error_aborted: 'Das wurde abgebrochen.',
  'error_message-too-large': 'Die Antwort ist zu lang. Der Rest fehlt.',
  'error_too-many-events':
    'Es sind mehr Daten angekommen, als sich ordnen lassen. Ab hier erscheinen sie, wie sie ankommen.',
  error_unsupported: 'Dieser Dienst kann das nicht.',
  error_misuse: 'Das geht hier nicht oder nicht mehr.',
  error_renderer: 'Die Seite konnte diesen Teil nicht darstellen. Er erscheint als einfacher Text.',
  error_storage: 'Der Speicher dieser Seite funktioniert nicht.',
  'error_upload-failed': 'Die Datei ist nicht angekommen. Versuchen Sie es noch einmal.',
  'error_load-failed':
    'Ein Teil dieses Chats konnte nicht geladen werden. Versuchen Sie es noch einmal, oder laden Sie die Seite neu.',
  error_other: 'Etwas Unerwartetes ist passiert. Versuchen Sie es noch einmal.',
  sideWidth: 'Breite von „{name}“',
  sideFold: '„{name}“ einklappen',
  newMessages: { one: '{count} neue Nachricht', other: '{count} neue Nachrichten' },
};
