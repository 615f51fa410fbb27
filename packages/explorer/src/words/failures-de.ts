import type { Words } from './en.ts'

/** Strings for each failure cause, in German. */
export const FAILURES_DE: Words['failures'] = {
  notAWorld: {
    title: 'Das ist keine Welt',
    text: 'An dieser Adresse antwortet etwas, aber nicht mit dem Dokument, das jede Welt unter /.well-known/world.json veröffentlicht.',
    wayOut:
      'Prüfen Sie die Adresse: Eine Welt wird mit ihrem Ursprung geöffnet, etwa https://sol.example, ohne Pfad.',
  },
  otherVersion: {
    title: 'Diese Welt spricht eine andere Version',
    text: 'Es ist eine Welt, aber mit einer Protokollversion, die diese Seite nicht liest.',
    wayOut: 'Suchen Sie einen neueren Explorer, oder fragen Sie den Betreiber, ob es auch world/0.1 gibt.',
  },
  offline: {
    title: 'Sie sind offline',
    text: 'Dieser Browser hat gerade keine Verbindung zu einem Netz.',
    wayOut: 'Verbinden Sie sich und versuchen Sie es erneut. Was schon gelesen wurde, liegt hinter „Zurück“.',
  },
  unreachable: {
    title: 'Es kam keine Antwort',
    text: 'Entweder hört an dieser Adresse niemand zu, oder die Antwort kommt ohne die CORS-Kopfzeilen, mit denen eine Seite anderen Ursprungs sie lesen darf. Welches von beiden, sagt ein Browser nicht.',
    wayOut:
      'Prüfen Sie die Adresse, und fragen Sie den Betreiber, ob Access-Control-Allow-Origin gesendet wird. Programme außerhalb eines Browsers brauchen das nicht: npx worldwright explore ORIGIN zeigt so eine Welt.',
  },
  mixedContent: {
    title: 'Eine sichere Seite darf nicht über http lesen',
    text: 'Diese Seite kam über https, und Browser verbieten ihr, eine Welt über http zu lesen.',
    wayOut:
      'Öffnen Sie den Explorer, den die Welt selbst unter ihrer Adresse anbietet, oder nehmen Sie ihre https-Adresse.',
  },
  timeout: {
    title: 'Die Welt braucht zu lange',
    text: 'Sie hat in der Zeit, die diese Seite wartet, nicht geantwortet.',
    wayOut: 'Vielleicht ist sie beschäftigt. Versuchen Sie es gleich noch einmal.',
  },
  notFound: {
    title: 'Diesen Eintrag gibt es nicht',
    text: 'Die Welt antwortet, kennt aber zu diesem Typ und dieser Id nichts. Vielleicht wurde der Eintrag entfernt, oder der Link ist alt.',
    wayOut: 'Sehen Sie in der Liste seines Typs nach, oder suchen Sie danach.',
  },
  unknownType: {
    title: 'Diesen Typ gibt es nicht',
    text: 'Die Welt antwortet, kennt aber diesen Typ nicht.',
    wayOut: 'Ihre Typen stehen auf ihrer ersten Seite.',
  },
  needsToken: {
    title: 'Dafür braucht es ein Token',
    text: 'Hier wurde keines angegeben, oder die Welt nimmt es nicht an.',
    wayOut:
      'Geben Sie ein Token ein, das Sie von ihrem Betreiber haben. Es geht nur an die API dieser Welt und wird mit diesem Tab vergessen.',
  },
  insecure: {
    title: 'Das Token darf nicht an die API dieser Welt gehen',
    text: 'Die API liegt unter einer anderen Adresse als die Welt, wo jemand Tokens sammeln könnte, oder auf einfachem http, wo jeder unterwegs sie lesen könnte. Das Token wurde nicht gesendet.',
    wayOut: 'Öffnen Sie die Welt unter der https-Adresse ihrer API, oder vergessen Sie das Token.',
  },
  forbidden: {
    title: 'Diese Welt lehnt ab',
    text: 'Sie hat die Anfrage verstanden und erlaubt sie nicht.',
    wayOut: 'Fragen Sie den Betreiber.',
  },
  busy: {
    title: 'Die Welt bittet um Geduld',
    text: 'Sie hat mehr Anfragen, als sie beantworten kann, oder lässt nur so viele auf einmal zu.',
    wayOut: 'Warten Sie so lange, wie sie sagt, und versuchen Sie es dann erneut.',
  },
  moved: {
    title: 'Die Welt ist umgezogen',
    text: 'Ihre API ist nicht mehr, wo sie war, oder an dieser Adresse antwortet eine andere Welt.',
    wayOut: 'Öffnen Sie sie erneut von ihrem Ursprung aus.',
  },
  badCursor: {
    title: 'Diese Stelle der Liste gibt es nicht mehr',
    text: 'Der Link nennt eine Stelle der Liste, die die Welt nicht mehr erkennt.',
    wayOut: 'Zeigen Sie die Liste von Anfang an.',
  },
  badOrigin: {
    title: 'Das ist keine Adresse einer Welt',
    text: 'Eine Welt wird mit ihrem Ursprung geöffnet: Schema, Host und Port, und nicht mehr.',
    wayOut: 'Schreiben Sie sie wie https://sol.example oder http://localhost:8080',
  },
  refused: {
    title: 'Die Welt nimmt diese Anfrage nicht an',
    text: 'Was daran nicht stimmt, sagt sie unten.',
    wayOut: 'Ändern Sie die Anfrage, oder gehen Sie zurück.',
  },
  serverFault: {
    title: 'Die Welt hat einen Fehler',
    text: 'Auf ihrer Seite ist etwas schiefgegangen.',
    wayOut: 'Versuchen Sie es erneut. Bleibt es dabei, nennen Sie dem Betreiber die Id der Anfrage.',
  },
  strange: {
    title: 'Diese Antwort ist nicht lesbar',
    text: 'Es kam eine Antwort, aber sie ist zu groß, endet nicht oder ist kein JSON.',
    wayOut: 'Versuchen Sie es erneut, oder sehen Sie sich an, was empfangen wurde.',
  },
  unrecognised: {
    title: 'Diese Antwort wurde nicht erkannt',
    text: 'Welten wählen ihre Namen frei. Wo diese ihre Liste hat, oder was sagt, ob die Liste weitergeht, ist hier nicht bekannt.',
    wayOut:
      'Sehen Sie sich die Antwort an, wie sie empfangen wurde, und geben Sie die Namen unter „Über diese Welt“ an.',
  },
  ownFault: {
    title: 'Diese Seite hat einen Fehler',
    text: 'Es ist ein Fehler des Explorers, nicht der Welt.',
    wayOut: 'Gehen Sie zurück oder laden Sie die Seite neu, und melden Sie, was unten steht.',
  },
}
