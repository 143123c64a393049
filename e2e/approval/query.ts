/** What the address of the page asks for. */
export interface Query {
  readonly view: 'dialog' | 'inline' | 'bar' | 'trace' | 'grants';
  /** Where the dialog is mounted: once for the page, or in a tab that goes away. */
  readonly mount: 'page' | 'tab';
  readonly language: 'en' | 'de';
  readonly direction: 'ltr' | 'rtl';
  readonly plan: 'off' | 'ask';
  /** The application stores permissions. */
  readonly stores: boolean;
  /** Reading a value takes until `desk.release()`. */
  readonly held: boolean;
  /** Quiet period, ms. */
  readonly guard: number | undefined;
  readonly expires: number | undefined;
}

export function readQuery(search: string): Query {
  const given = new URLSearchParams(search);
  return {
    view: (given.get('view') ?? 'dialog') as Query['view'],
    mount: given.get('mount') === 'tab' ? 'tab' : 'page',
    language: given.get('lang') === 'de' ? 'de' : 'en',
    direction: given.get('dir') === 'rtl' ? 'rtl' : 'ltr',
    plan: given.get('plan') === 'ask' ? 'ask' : 'off',
    stores: given.has('stores'),
    held: given.has('held'),
    guard: given.has('guard') ? Number(given.get('guard')) : undefined,
    expires: given.has('expires') ? Number(given.get('expires')) : undefined,
  };
}
