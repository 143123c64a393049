import type { GrantMatch, GrantScope } from '../journal/events.ts';
import type { ApprovalLabels, SchemaProblem } from './labels-approval.ts';

const zahl = (count: number, eins: string, viele: string): string =>
  `${count.toLocaleString('de')} ${count === 1 ? eins : viele}`;

function germanMatch(match: GrantMatch): string {
  if (typeof match === 'object') return `wo ${match.rule}`;
  return match === 'input' ? 'mit genau dieser Eingabe' : 'mit jeder Eingabe';
}

function germanScope(scope: GrantScope): string {
  if (typeof scope === 'object')
    return scope.next === 1
      ? 'für den nächsten Aufruf dieses Laufs'
      : `für die nächsten ${scope.next.toLocaleString('de')} Aufrufe dieses Laufs`;
  return { run: 'für den Rest dieses Laufs', session: 'für diese Sitzung', always: 'immer, bis sie zurückgenommen wird' }[scope];
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'ein Text',
  number: 'eine Zahl',
  integer: 'eine ganze Zahl',
  boolean: 'ja oder nein',
  array: 'eine Liste',
  object: 'ein Objekt',
  null: 'leer (null)',
  undefined: 'nichts',
};

const typeWords = (types: string): string =>
  types
    .split(/, | or /)
    .map((type) => TYPES[type] ?? type)
    .join(' oder ');

const PROBLEMS: Readonly<Record<string, (expected: string, got: string) => string>> = {
  type: (expected, got) => `Muss ${typeWords(expected)} sein, ist ${typeWords(got)}.`,
  notJson: (got) => `Muss ein einfaches Objekt sein, ist ${typeWords(got)}.`,
  required: () => 'Wird gebraucht.',
  dependentRequired: (field) => `Wird zusammen mit ${field} gebraucht.`,
  unknownField: (guess) => `Dieses Feld gibt es nicht.${guess === '' ? '' : ` Ist „${guess}“ gemeint?`}`,
  notAllowed: () => 'Ist nicht erlaubt.',
  minimum: (limit) => `Muss mindestens ${limit} sein.`,
  maximum: (limit) => `Darf höchstens ${limit} sein.`,
  exclusiveMinimum: (limit) => `Muss größer als ${limit} sein.`,
  exclusiveMaximum: (limit) => `Muss kleiner als ${limit} sein.`,
  multipleOf: (step) => `Muss ein Vielfaches von ${step} sein.`,
  minLength: (limit) => `Braucht mindestens ${zahl(Number(limit), 'Zeichen', 'Zeichen')}.`,
  maxLength: (limit) => `Darf höchstens ${zahl(Number(limit), 'Zeichen', 'Zeichen')} haben.`,
  minItems: (limit) => `Braucht mindestens ${zahl(Number(limit), 'Eintrag', 'Einträge')}.`,
  maxItems: (limit) => `Darf höchstens ${zahl(Number(limit), 'Eintrag', 'Einträge')} haben.`,
  minProperties: (limit) => `Braucht mindestens ${zahl(Number(limit), 'Feld', 'Felder')}.`,
  maxProperties: (limit) => `Darf höchstens ${zahl(Number(limit), 'Feld', 'Felder')} haben.`,
  uniqueItems: (which) => `Darf keine gleichen Einträge haben${which === '' ? '' : ` (${which.replace('and', 'und')})`}.`,
  pattern: (pattern) => `Muss dem Muster ${pattern} folgen.`,
  format: (format) => `Muss ein gültiger Wert der Art ${format} sein.`,
  enum: (values) => `Muss einer dieser Werte sein: ${values.replace(/ and (\d+) more$/, ' und $1 weitere')}`,
  const: (value) => `Muss ${value} sein.`,
  noForm: (count) => `Passt zu keiner der ${count} erlaubten Formen.`,
  severalForms: () => 'Passt zu mehr als einer der erlaubten Formen.',
  not: () => 'Hat eine Form, die hier nicht erlaubt ist.',
  contains: () => 'Hat keinen Eintrag der Form, die dabei sein muss.',
  propertyNames: (name) => `Hat ein Feld mit einem Namen, der nicht erlaubt ist: „${name}“`,
  unchecked: () => 'Der Wert konnte nicht geprüft werden.',
  more: (count) => `und ${count} weitere Probleme`,
};

function germanProblem({ keyword, expected, got = '' }: SchemaProblem): string | undefined {
  return Object.hasOwn(PROBLEMS, keyword) ? PROBLEMS[keyword]?.(expected, got) : undefined;
}

/** German words of approval. */
export const germanApprovalLabels: ApprovalLabels = {
  position: (at, total) => `${at} von ${total}`,
  calls: (count) => zahl(count, 'Aufruf', 'Aufrufe'),
  alreadyRan: (count) => `Dieser Lauf hat schon ${zahl(count, 'Aufruf', 'Aufrufe')} gemacht`,
  nothingRan: 'Noch ist nichts gelaufen',
  input: 'Eingabe',
  noInput: 'Keine Eingabe',
  inProgram: 'Im Programm',
  line: (line) => `Zeile ${line}`,
  callOf: (ordinal, total) => `Aufruf ${ordinal} von ${total}`,
  showProgram: 'Ganzes Programm zeigen',
  showExcerpt: 'Ausschnitt zeigen',
  assistantSays: 'Der Assistent sagt',
  toolSays: 'Das Werkzeug sagt über sich',
  whyAsked: 'Warum Sie gefragt werden',
  expiresIn: (duration) => `Verfällt in ${duration}`,
  allow: 'Einmal erlauben',
  allowEdited: 'Geändert erlauben',
  deny: 'Ablehnen',
  denyWithReason: 'Ablehnen…',
  edit: 'Ändern',
  stopRun: 'Lauf beenden',
  later: 'Später',
  back: 'Zurück',
  close: 'Schließen',
  next: 'Weiter',
  scope: 'Wie oft erlauben',
  reason: 'Grund',
  reasonHint: 'Freiwillig. Programm und Assistent lesen ihn.',
  holdToAllow: 'Zum Erlauben halten',
  keepHolding: 'Weiter halten…',
  typeInstead: 'Lieber tippen als halten',
  holdInstead: 'Lieber halten als tippen',
  typeToAllow: (value) => `Zum Erlauben ${value} eintippen`,
  allowAll: (count) => `Alle ${count} gezeigten erlauben`,
  denyAll: (count) => `Alle ${count} ablehnen`,
  allWaiting: (count) => zahl(count, 'Aufruf wartet auf Sie', 'Aufrufe warten auf Sie'),
  oneByOne: (count) =>
    `${zahl(count, 'Aufruf, der gefährlich, ungewiss oder für diese Liste zu lang ist, muss', 'Aufrufe, die gefährlich, ungewiss oder für diese Liste zu lang sind, müssen')} einzeln erlaubt werden.`,
  openFirst: (count) => `Vor dem Erlauben ${zahl(count, 'zugeklapptes Feld', 'zugeklappte Felder')} öffnen.`,
  loadingInput: 'Eingabe wird gelesen…',
  inputUnreadable: 'Die Eingabe lässt sich nicht zeigen und darum nicht erlauben.',
  covered: 'Etwas verdeckt diesen Knopf. Schieben Sie es weg, um zu erlauben.',
  alreadyEnded: 'Dieser Aufruf ist schon vorbei. Nichts wurde geändert.',
  expired: 'Diese Freigabe ist verfallen. Der Aufruf wurde abgelehnt.',
  alreadyDecided: 'Dieser Aufruf war schon entschieden. Nichts wurde geändert.',
  deniedByPolicy: 'Eine Regel dieser Anwendung verbietet den Aufruf.',
  decideFailed: (message) => `Die Entscheidung kam nicht an: ${message}`,
  decided: { allow: 'Erlaubt.', deny: 'Abgelehnt.', answer: 'Beantwortet.', cancelRun: 'Lauf beendet.' },
  changeInput: 'Eingabe ändern',
  giveResult: 'Ergebnis selbst angeben',
  answer: 'Dieses Ergebnis nehmen',
  inputJson: 'Eingabe als JSON',
  resultJson: 'Ergebnis als JSON',
  answerHint: 'Das Werkzeug läuft nicht. Das Programm bekommt diesen Wert als Ergebnis.',
  notJson: (message) => `Das ist noch kein JSON: ${message}`,
  issues: (count) => `${zahl(count, 'Fehler', 'Fehler')} zu beheben`,
  schemaProblem: (problem, message) => germanProblem(problem) ?? message,
  changes: (count) => zahl(count, 'Änderung', 'Änderungen'),
  noChanges: 'Noch nichts geändert.',
  notEditable: 'Diese Eingabe enthält Werte, die JSON nicht tragen kann. Sie lässt sich erlauben oder ablehnen, nicht ändern.',
  hiddenInEditor: 'Verdeckte Werte stehen als «hidden n» da und werden beim Erlauben wieder eingesetzt.',
  editorMissing: 'Ein Teil des Editors konnte nicht geladen werden. Es gilt der Text darüber.',
  tryAgain: 'Noch einmal versuchen',
  barWaiting: (count) => zahl(count, 'Aufruf wartet auf Ihre Freigabe', 'Aufrufe warten auf Ihre Freigabe'),
  barTyping: 'Öffnet sich, wenn Sie nicht mehr tippen',
  review: 'Ansehen',

  approvalNeeded: 'Freigabe nötig',
  undoable: {
    reads: 'Liest nur, ändert nichts',
    yes: 'Lässt sich danach rückgängig machen',
    unknown: 'Rückgängig machen wird nicht angeboten',
    never: 'Lässt sich von hier aus nicht rückgängig machen',
  },
  runTool: (title) => `${title} ausführen?`,
  undoQuestion: (question) => `Rückgängig machen: ${question}`,
  undoesCall: (tool) => `Nimmt zurück, was ${tool} mit dieser Eingabe getan hat.`,
  sameWaits: (count) => `${count.toLocaleString('de')} gleiche Aufrufe warten.`,
  allTogether: (path, each, total) => `${path}: je ${each}, zusammen ${total}`,
  allowSame: (count) => `Alle ${count} erlauben`,

  doubt: {
    question: (words) => `Das kann schon geschehen sein: ${words}`,
    started: (time) => `Begonnen am ${time}.`,
    what: 'Die Seite wurde geschlossen, bevor der Aufruf zu Ende war. Niemand weiß, ob er gewirkt hat.',
    look: 'Sehen Sie nach, wo sich die Wirkung zeigen müsste, und wählen Sie dann:',
    happened: 'Es ist geschehen…',
    run: 'Jetzt ausführen',
    leave: 'So lassen',
    means: {
      happened: 'Sie geben an, was herauskam. Nichts wird ausgeführt.',
      run: 'Nur wenn es nicht geschehen ist. Sonst geschieht es zweimal.',
      leave: 'Nichts wird ausgeführt. Das Programm erfährt, dass es geschehen sein kann.',
    },
    holdToRun: 'Zum Ausführen halten',
    typeToRun: (value) => `Zum Ausführen ${value} eintippen`,
    left: 'So gelassen. Nichts wurde ausgeführt.',
  },

  scopeNames: {
    once: 'Einmal',
    same: 'Alle gleichen Aufrufe, die warten',
    next: 'Gleiche Aufrufe dieses Laufs, so viele',
    'run:input': 'Dieser Lauf: gleiche Eingabe',
    'run:tool': 'Dieser Lauf: jede Eingabe',
    'run:rule': 'Dieser Lauf: nach einer Regel',
    'session:input': 'Sitzung: gleiche Eingabe',
    'session:tool': 'Sitzung: jede Eingabe',
    'session:rule': 'Sitzung: nach einer Regel',
    'always:input': 'Immer: gleiche Eingabe',
    'always:tool': 'Immer: jede Eingabe',
    'always:rule': 'Immer: nach einer Regel',
  },
  reach: {
    run: 'Für Lauf erlauben',
    session: 'Für Sitzung erlauben',
    always: 'Immer erlauben',
    next: 'Mehrmals erlauben',
  },
  permission: (tool, match, scope) => `${tool} ${germanMatch(match)}, ${germanScope(scope)}`,
  willRun: (permission) => `Läuft ohne Rückfrage: ${permission}.`,
  alsoAllows: (count) => `${zahl(count, 'Aufruf, der jetzt wartet, geht', 'Aufrufe, die jetzt warten, gehen')} mit.`,
  nextCount: 'Weitere Aufrufe wie dieser',
  onlyWhere: 'Nur wo',
  condition: (field) => `Bedingung für ${field}`,
  comparison: (field) => `Vergleich von ${field}`,
  comparedWith: (field) => `Wert für ${field}`,
  comparisons: { '<=': 'höchstens', '>=': 'mindestens', '=': 'ist' },
  noCondition: 'Mindestens eine Bedingung setzen, jede mit einem Wert ihrer Art.',
  noConditionPossible: 'Diese Eingabe hat kein einfaches Feld, nach dem eine Regel sehen könnte.',
  notCovered: 'Dieser Aufruf fiele selbst nicht unter die Regel. Er läuft dieses eine Mal; spätere folgen der Regel.',
  remembered: (permission) => `Erlaubt. Gemerkt: ${permission}.`,
  notRemembered: 'Einmal erlaubt. Merken ging nicht.',
  permissions: 'Erlaubnisse',
  noPermissions: 'Es gilt keine Erlaubnis: jeder Aufruf, der eine braucht, fragt.',
  revoke: 'Zurücknehmen',
  revokeWhat: (permission) => `Zurücknehmen: ${permission}`,
  revoked: (permission) => `Zurückgenommen: ${permission}. Was noch nicht begonnen hat, fragt wieder.`,
  revokeFailed: (message) => `Hier zurückgenommen, aber die Anwendung konnte sie nicht vergessen: ${message}`,
  usedTimes: (count) => `${zahl(count, 'Aufruf', 'Aufrufe')} durchgelassen`,
  leftCalls: (count) => `noch ${count.toLocaleString('de')}`,

  plan: 'Programm',
  planQuestion: 'Dieses Programm laufen lassen?',
  planTitle: 'Der Assistent nennt es',
  planTools: (count) => `Es nennt ${zahl(count, 'Werkzeug', 'Werkzeuge')}`,
  planNamesNone: 'Es nennt kein Werkzeug.',
  planAnyOf: (count, named) =>
    `Es wählt ein Werkzeug nach einem berechneten Namen und kann darum jedes von ${zahl(count, 'Werkzeug', 'Werkzeugen')} aufrufen. ${
      named === 0 ? 'Jeder Aufruf wird gefragt.' : 'Die Erlaubnis gilt für die genannten; jeder andere Aufruf wird gefragt.'
    }`,
  planAsked: 'wird jedes Mal gefragt',
  planLines: (lines, count) => `${count === 1 ? 'Zeile' : 'Zeilen'} ${lines}`,
  planCovers: 'Erlaubt laufen die genannten Werkzeuge ohne Rückfrage, mit jeder Eingabe, bis das Programm endet.',
  allowPlan: 'Programm erlauben',
  callByCall: 'Aufruf für Aufruf',
  denyPlan: 'Nicht laufen lassen',
  planReasonHint: 'Freiwillig. Der Assistent liest ihn.',
  planDecided: {
    allow: 'Programm erlaubt.',
    callByCall: 'Das Programm beginnt; jeder Aufruf wird einzeln beurteilt.',
    deny: 'Programm läuft nicht.',
  },

  undoRun: 'Rückgängig…',
  undoHint: 'Letzter Aufruf zuerst; was eine Freigabe braucht, fragt.',
  undoCalls: (count) => `${zahl(count, 'Aufruf', 'Aufrufe')} rückgängig machen`,
  undoStays: (count) => zahl(count, 'Aufruf bleibt bestehen', 'Aufrufe bleiben bestehen'),
  undoWhy: {
    no_revert: 'lässt sich nicht zurücknehmen',
    tool_gone: 'das Werkzeug gibt es nicht mehr',
    unfinished: 'unfertig: ein Teil kann gewirkt haben',
  },
  undoing: 'Wird rückgängig gemacht…',
  undone: {
    undone: 'Rückgängig gemacht.',
    partly: 'Zum Teil rückgängig gemacht.',
    failed: 'Nichts wurde rückgängig gemacht.',
    nothing: 'Es gibt nichts rückgängig zu machen.',
  },
  simulated: 'nur simuliert',
  takenBack: 'zurückgenommen',

  form: 'Formular',
  json: 'JSON',
  editAs: 'Ändern als',
  fieldNumber: 'Das ist keine Zahl.',
  fieldJson: 'Das ist noch kein JSON.',
  fieldSecret: 'verdeckt; bleibt, wie es ist',
  fieldAbsent: 'nicht gesetzt',
  optional: 'freiwillig',
};
