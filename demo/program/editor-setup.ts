import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { javascript } from '@codemirror/lang-javascript';
import { HighlightStyle, bracketMatching, indentOnInput, syntaxHighlighting } from '@codemirror/language';
import { type Extension, Prec } from '@codemirror/state';
import { EditorView, drawSelection, highlightActiveLine, highlightActiveLineGutter, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';

const highlights = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword, tags.controlKeyword], color: 'var(--pg-code-keyword)' },
  { tag: [tags.string, tags.special(tags.string), tags.regexp], color: 'var(--pg-code-string)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--pg-code-number)' },
  { tag: [tags.comment], color: 'var(--pg-code-comment)' },
  { tag: [tags.function(tags.variableName), tags.function(tags.propertyName)], color: 'var(--pg-code-function)' },
  { tag: [tags.typeName, tags.className], color: 'var(--pg-code-type)' },
]);

const look = EditorView.theme({
  '&': { height: '100%', color: 'var(--pg-text)', backgroundColor: 'var(--pg-surface)', fontSize: '12.5px' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--pg-mono)', lineHeight: '1.55' },
  '.cm-content': { padding: '8px 0', caretColor: 'var(--pg-text)' },
  '.cm-line': { padding: '0 12px 0 8px' },
  '.cm-gutters': { backgroundColor: 'var(--pg-surface)', color: 'var(--pg-muted)', border: 'none', paddingLeft: '4px' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'var(--pg-code-line)' },
  '.cm-cursor': { borderLeftColor: 'var(--pg-text)' },
  '.cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground': {
    backgroundColor: 'var(--pg-selection)',
  },
  '&.cm-focused .cm-matchingBracket': { backgroundColor: 'var(--pg-selection)', outline: 'none' },
});

/** Tab leaves the editor, as on any page; only Mod-Enter is ours. */
export function editorSetup(label: string, onChange: (source: string) => void, onRun: () => void): Extension {
  return [
    Prec.highest(keymap.of([{ key: 'Mod-Enter', run: () => (onRun(), true) }])),
    lineNumbers(),
    highlightActiveLine(),
    highlightActiveLineGutter(),
    history(),
    drawSelection(),
    indentOnInput(),
    bracketMatching(),
    javascript({ typescript: true }),
    syntaxHighlighting(highlights),
    keymap.of([...defaultKeymap, ...historyKeymap]),
    EditorView.lineWrapping,
    EditorView.contentAttributes.of({
      'aria-label': label,
      tabindex: '0',
      dir: 'ltr',
      autocapitalize: 'off',
      spellcheck: 'false',
    }),
    EditorView.updateListener.of((update) => {
      if (update.docChanged) onChange(update.state.doc.toString());
    }),
    look,
  ];
}
