import type { Labels } from './labels.ts';
import { germanApprovalLabels } from './labels-approval-de.ts';
import { germanTraceLabels } from './labels-trace-de.ts';

type OtherLabels = Omit<Labels, keyof typeof germanApprovalLabels | keyof typeof germanTraceLabels>;

const zahl = (count: number, eins: string, viele: string): string =>
  `${count.toLocaleString('de')} ${count === 1 ? eins : viele}`;

const SCHRIFTEN: Readonly<Record<string, string>> = {
  Cyrillic: 'kyrillisch',
  Greek: 'griechisch',
  Armenian: 'armenisch',
  Cherokee: 'Cherokee',
  Lisu: 'Lisu',
  Coptic: 'koptisch',
  'styled letters': 'Zierbuchstaben',
};

const germanOtherLabels: OtherLabels = {
  locale: 'de',
  risk: { read: 'liest', write: 'schreibt', danger: 'gefährlich' },
  continueRun: 'Fortsetzen',
  startAgain: 'Neu starten',
  runStatus: {
    queued: 'eingereiht',
    running: 'läuft',
    waiting: 'wartet auf Sie',
    interrupted: 'unterbrochen',
    completed: 'fertig',
    failed: 'fehlgeschlagen',
    cancelled: 'abgebrochen',
  },
  callStatus: {
    requested: 'eingereiht',
    waiting_approval: 'wartet auf Sie',
    running: 'läuft',
    succeeded: 'gelungen',
    failed: 'fehlgeschlagen',
    denied: 'abgelehnt',
    cancelled: 'abgebrochen',
    interrupted: 'unterbrochen',
    replayed: 'wiederholt',
  },

  characters: (count) => zahl(count, 'Zeichen', 'Zeichen'),
  entries: (count) => zahl(count, 'Eintrag', 'Einträge'),
  collapsed: (count) => zahl(count, 'Feld zugeklappt', 'Felder zugeklappt'),
  open: 'Öffnen',
  reveal: 'Zeigen',
  hide: 'Verdecken',
  masked: (characters) => `verdeckt, ${zahl(characters, 'Zeichen', 'Zeichen')}`,
  emptyLines: (count) => zahl(count, 'leere Zeile', 'leere Zeilen'),
  emptyText: 'leerer Text',
  invisible: (name) => `unsichtbares Zeichen ${name}`,
  mixedScript: (script) =>
    `Mischt lateinische Buchstaben mit ähnlich aussehenden (${SCHRIFTEN[script] ?? script}). Buchstabe für Buchstabe prüfen.`,

  trace: 'Ablauf',
  traceEmpty: 'Noch ist nichts gelaufen.',
  traceEmptyHint:
    'Starten Sie ein Programm oder bitten Sie den Assistenten um etwas, das ein Werkzeug braucht. Jeder Aufruf erscheint hier.',
  traceMissing: 'Der Ablauf konnte nicht geladen werden.',
  program: 'Programm',
  details: 'Einzelheiten',
  tree: 'Baum',
  timeline: 'Zeitachse',
  viewAs: 'Ansicht',
  compute: 'Rechenzeit',
  memory: 'Speicher',
  callCount: 'Aufrufe',
  keptOut: 'nicht ans Modell gegeben',
  ofLimit: (used, limit) => `${used} / ${limit}`,
  parallel: (count) => `Promise.all ×${count}`,
  times: (count) => `× ${count}`,
  console: 'Konsole',
  emitted: 'gezeigt',
  result: 'Ergebnis',
  error: 'Fehler',
  warning: 'Warnung',
  waitsForRun: (title) => `wartet auf „${title}“`,
  computing: 'Programm rechnet',
  queue: 'Warteschlange',
  approval: 'Freigabe',
  handler: 'Werkzeug',
  output: 'Ausgabe',
  proposedInput: 'Eingabe aus dem Programm',
  effectiveInput: 'Eingabe, die lief',
  decision: 'Entscheidung',
  decisions: {
    allow: 'erlaubt',
    deny: 'abgelehnt',
    answer: 'von einem Menschen beantwortet',
    cancel_run: 'Lauf beendet',
    expired: 'verfallen',
    ended: 'Lauf war vorher zu Ende',
  },
  copy: 'Kopieren',
  copied: 'Kopiert',
  copyFailed: 'Kopieren ging nicht',
  exportRun: 'Lauf als JSON speichern',
  search: 'Zeilen suchen',
  filter: 'Status',
  allStatuses: 'alle Zustände',
  nothingFound: 'Keine Zeile passt.',
  clearSearch: 'Alle Zeilen zeigen',
  nextFailure: (count) => `Nächster Fehler (${count})`,
  rows: (count) => zahl(count, 'Zeile', 'Zeilen'),
  failedInside: (count) => `${count} fehlgeschlagen`,
  progress: (done, total) => `${done} von ${total}`,
  untitledRun: 'Programm',
};

/** German words for every view. Put together so that bundlers drop it where nobody imports it: a spread would stay. */
export const germanLabels: Labels = /* @__PURE__ */ Object.assign({}, germanApprovalLabels, germanTraceLabels, germanOtherLabels);
