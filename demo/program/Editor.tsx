import { EditorView } from '@codemirror/view';
import { type ReactElement, useEffect, useEffectEvent, useRef } from 'react';
import { editorSetup } from './editor-setup.ts';

export interface EditorProps {
  readonly label: string;
  readonly source: string;
  onChange(source: string): void;
  onRun(): void;
}

/**
 * CodeMirror inside a shadow root: there it puts its rules into an adopted style sheet, which `style-src 'self'` allows;
 * in the document it would add a style element, which that policy blocks.
 */
export function Editor({ label, source, onChange, onRun }: EditorProps): ReactElement {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  const changed = useEffectEvent(onChange);
  const run = useEffectEvent(onRun);
  const first = useEffectEvent(() => source);

  useEffect(() => {
    if (!host.current) return;
    const root = host.current.shadowRoot ?? host.current.attachShadow({ mode: 'open', delegatesFocus: true });
    const editor = new EditorView({
      parent: root,
      root,
      doc: first(),
      extensions: editorSetup(
        label,
        (text) => changed(text),
        () => run(),
      ),
    });
    view.current = editor;
    return () => {
      view.current = null;
      editor.destroy();
    };
  }, [label]);

  useEffect(() => {
    const editor = view.current;
    if (!editor || editor.state.doc.toString() === source) return;
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: source }, selection: { anchor: 0 } });
  }, [source]);

  return <div className="editor" ref={host} data-testid="editor" />;
}
