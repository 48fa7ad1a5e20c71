import type { Words } from '../words.js';

/** French: the frame, the composer, the run, errors. */
export const page: Words = {
  conversation: 'Conversation',
  greeting: 'Que puis-je faire pour vous ?',
  starters: 'Questions suggérées',
  loading: 'Chargement de la conversation…',
  latest: 'Aller au dernier message',
  you: 'Vous',
  agent: 'Assistant',
  comma: '{words}, {more}',
  colon: '{name}\u00a0: {words}',
  aside: '{words} ({more})',
  retry: 'Réessayer',
  retryNow: 'Réessayer maintenant',
  cancel: 'Annuler',
  showAll: 'Tout afficher ({count})',
  attachments: 'Pièces jointes',
  sideEnd: 'Panneau de détails',

  composer: 'Message',
  placeholder: 'Écrivez un message…',
  placeholderWaiting: 'Votre réponse…',
  send: 'Envoyer',
  stop: 'Arrêter',
  hint: 'Entrée pour envoyer, Maj + Entrée pour aller à la ligne',
  notSent: 'Non envoyé. {reason}',
  answersRequest: 'Réponse à : {question}',

  queue: 'Messages en attente',
  hintDraft: 'Conservé ici jusqu’à l’envoi.',
  hintStop: 'Entrée pour arrêter et envoyer',
  hintQueue: 'Entrée pour envoyer après la réponse',

  sending: 'Envoi…',
  working: 'En cours…',
  workingOn: 'Étape {step} sur {total}',
  stopping: 'Arrêt…',
  leave: 'Ne plus attendre',
  stalled: 'Aucune réponse depuis un moment. Toujours en attente…',
  rejoining: 'La connexion est interrompue. Reconnexion…',
  rejoiningIn: {
    one: 'La connexion est interrompue. Nouvel essai dans {count} seconde.',
    many: 'La connexion est interrompue. Nouvel essai dans {count} de secondes.',
    other: 'La connexion est interrompue. Nouvel essai dans {count} secondes.',
  },
  offline: 'Vous êtes hors ligne. Ce que vous écrivez est conservé.',
  offlineRun: 'Vous êtes hors ligne. La réponse reprendra au retour du réseau.',
  interrupted: 'La connexion a été interrompue et la réponse est incomplète.',
  signIn: 'Veuillez vous connecter pour continuer.',
  stopped: 'Réponse arrêtée',
  failed: 'La réponse n’a pas pu être terminée.',
  incomplete: 'Réponse incomplète',
  waitingForYou: 'L’assistant attend une réponse de votre part.',
  answerNow: 'Répondre',
  finished: 'La réponse est complète.',

  stepNumber: 'Étape {number}',
  thinking: 'Réflexion…',
  checkpointPlain: 'Point de reprise',
  goBack: 'Revenir ici…',
  sourceUnnamed: 'Document',
  page: 'Page {page}',
  startedHint: 'avec l’indication : {hint}',

  checkpoints: 'Points de reprise',
  compare: 'Variantes à partir du même point',

  documents: 'Documents',
  attach: 'Joindre',
  attachFiles: 'Joindre des fichiers',
  link: 'Ajouter {name} à cette conversation',
  close: 'Fermer',
  filesComing: 'Vous pourrez envoyer dès que les fichiers seront arrivés.',

  regenerate: 'Régénérer',

  request: 'Question de l’assistant',
  requestDeclineSentence: 'Je ne souhaite pas répondre à cette question.',

  threads: 'Conversations',

  copied: 'Copié',
  table: {
    one: 'Tableau de {count} colonne',
    many: 'Tableau de {count} de colonnes',
    other: 'Tableau de {count} colonnes',
  },

  // Commands, mentions, length, pasted text
  suggestCommand: 'Commandes',
  suggestMention: 'Mentions',
  suggestWait: 'Recherche…',
  suggested: {
    one: '{count} suggestion. Les flèches sélectionnent, Entrée valide.',
    many: '{count} de suggestions. Les flèches sélectionnent, Entrée valide.',
    other: '{count} suggestions. Les flèches sélectionnent, Entrée valide.',
  },
  followUps: 'Questions suggérées',
  lengthLeft: {
    one: '{count} caractère restant',
    many: '{count} de caractères restants',
    other: '{count} caractères restants',
  },
  lengthOver: {
    one: '{count} caractère en trop',
    many: '{count} de caractères en trop',
    other: '{count} caractères en trop',
  },
  tooLong: {
    one: 'Non envoyé. Un message peut compter {count} caractère au plus : raccourcissez-le d’abord.',
    many: 'Non envoyé. Un message peut compter {count} de caractères au plus : raccourcissez-le d’abord.',
    other:
      'Non envoyé. Un message peut compter {count} caractères au plus : raccourcissez-le d’abord.',
  },
  pastedName: 'Texte collé',
  pasted: 'Le texte collé est joint sous forme de document.',

  // What waits to be sent
  queueAfter: 'Envoyer après cette réponse',
  queueNow: 'Arrêter et envoyer maintenant',
  queueNext: 'Sera envoyé dès que l’assistant se sera arrêté.',
  queueWaiting: {
    one: '{count} message sera envoyé après cette réponse.',
    many: '{count} de messages seront envoyés après cette réponse.',
    other: '{count} messages seront envoyés après cette réponse.',
  },
  queueHeld: {
    one: '{count} message n’est pas envoyé.',
    many: '{count} de messages ne sont pas envoyés.',
    other: '{count} messages ne sont pas envoyés.',
  },
  queueResume: 'Envoyer',
  queueSend: 'Envoyer maintenant : {text}',
  queueStopFor: 'Arrêter et envoyer maintenant : {text}',
  queueBlocked: 'Répondez d’abord à la question. Ensuite, ceci pourra être envoyé : {text}',
  queueEdit: 'Modifier : {text}',
  queueRemove: 'Retirer de la file : {text}',
  queueSave: 'Enregistrer',

  // Dictating
  dictate: 'Dicter',
  dictateStop: 'Arrêter la dictée',
  listening: 'À l’écoute…',
  'speech_not-allowed':
    'Le micro est bloqué. Autorisez-le pour cette page dans le navigateur, puis réessayez.',
  'speech_audio-capture': 'Aucun micro n’a été trouvé.',
  'speech_no-speech': 'Rien n’a été entendu. Réessayez.',
  speech_network: 'Le service de reconnaissance vocale du navigateur est injoignable.',
  'speech_language-not-supported': 'Le navigateur ne sait pas transcrire cette langue.',
  speech_other: 'La dictée n’a pas fonctionné. Réessayez.',

  // The window
  openChat: 'Ouvrir la discussion',
  openChatNew: {
    one: 'Ouvrir la discussion : {count} nouvelle réponse',
    many: 'Ouvrir la discussion : {count} de nouvelles réponses',
    other: 'Ouvrir la discussion : {count} nouvelles réponses',
  },
  closeChat: 'Fermer la discussion',
  resizeChat: 'Taille de la discussion',
  resizeChatHint: 'Modifiable avec les flèches.',

  // A linked message
  linkElsewhere:
    'Le message visé par le lien se trouve dans une autre version de cette conversation.',
  linkGone: 'Le message visé par le lien ne fait pas partie de cette conversation.',
  linkUnknown: 'Le message visé par le lien n’est pas parmi ceux qui sont affichés.',
  linkSwitch: 'Passer à cette version',
  linkSwitches: 'La conversation continuera ensuite dans cette version.',

  // Errors
  error_network: 'Le service est injoignable. Vérifiez la connexion, puis réessayez.',
  error_blocked:
    'Cette page n’est pas autorisée à se connecter au service. Contactez les responsables de cette page.',
  'error_not-an-api':
    'L’adresse répond, mais pas comme le service attendu. Contactez les responsables de cette page.',
  error_unauthorized: 'Vous n’êtes pas connecté, ou votre session a expiré.',
  error_forbidden: 'Le service ne le permet pas.',
  'error_not-found': 'Cette conversation n’existe pas, ou n’existe plus.',
  error_busy: 'L’assistant travaille encore. Attendez qu’il ait fini ou arrêtez-le.',
  'error_too-large': 'C’est trop volumineux pour le service.',
  error_invalid: 'Le service a refusé cette demande. Modifiez-la, puis réessayez.',
  'error_rate-limited': 'Trop de requêtes. Patientez un instant, puis réessayez.',
  error_server: 'Le service rencontre un problème. Réessayez plus tard.',
  'error_not-open': 'Cette question n’est plus ouverte.',
  'error_foreign-origin': 'Une adresse mène hors du service ; rien n’y a été envoyé.',
  'error_not-recorded':
    'Le service n’a pas encore enregistré ce message. Réessayez dans un instant.',
  'error_not-sent': 'Le service n’a pas accepté le message. Réessayez.',
  error_interrupted: 'La connexion a été interrompue et la réponse est incomplète.',
  'error_run-failed': 'L’assistant a rencontré une erreur.',
  error_aborted: 'L’opération a été annulée.',
  'error_message-too-large': 'La réponse est trop longue ; la suite a été omise.',
  'error_too-many-events':
    'Trop de données sont arrivées pour être remises en ordre ; la suite s’affiche telle qu’elle arrive.',
  error_unsupported: 'Ce service ne prend pas en charge cette fonction.',
  error_misuse: 'Ce n’est pas possible ici, ou ne l’est plus.',
  error_renderer: 'La page n’a pas pu afficher cette partie ; elle apparaît en texte simple.',
  error_storage: 'Le stockage de cette page ne fonctionne pas.',
  'error_upload-failed': 'Le fichier n’est pas arrivé. Réessayez.',
  'error_load-failed':
    'Une partie de ce chat n’a pas pu être chargée. Réessayez ou rechargez la page.',
  error_other: 'Un problème inattendu est survenu. Réessayez.',
  sideWidth: 'Largeur de « {name} »',
  sideFold: 'Replier « {name} »',
  newMessages: {
    one: '{count} nouveau message',
    many: '{count} de nouveaux messages',
    other: '{count} nouveaux messages',
  },
};
