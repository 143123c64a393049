/** Durations, sizes and numbers in the reader's language. */
export interface Format {
  /** `2.4 s`, `380 ms`, `3 min 5 s`. */
  duration(ms: number): string;
  /** `48 kB`. */
  bytes(count: number): string;
  /** Mebibytes without their unit: `18`. */
  mebibytes(count: number): string;
  number(value: number): string;
  /** A moment on the reader's clock, with its day. @param at epoch ms */
  time(at: number): string;
}

/** Formatters of one locale. */
export function createFormat(locale: string): Format {
  const plain = new Intl.NumberFormat(locale);
  const one = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });
  const two = new Intl.NumberFormat(locale, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  const moment = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' });
  const duration = (ms: number): string => {
    if (ms < 1) return `0 ms`;
    if (ms < 1_000) return ms < 100 ? `${plain.format(Math.round(ms))} ms` : `${two.format(ms / 1_000)} s`;
    if (ms < 60_000) return `${one.format(ms / 1_000)} s`;
    return `${plain.format(Math.floor(ms / 60_000))} min ${plain.format(Math.floor((ms % 60_000) / 1_000))} s`;
  };
  const bytes = (count: number): string => {
    if (count < 1_000) return `${plain.format(count)} B`;
    if (count < 1_000_000) return `${one.format(count / 1_000)} kB`;
    return `${one.format(count / 1_000_000)} MB`;
  };
  return {
    duration,
    bytes,
    mebibytes: (count) => plain.format(Math.round(count / 1_048_576)),
    number: (value) => plain.format(value),
    time: (at) => moment.format(at),
  };
}
