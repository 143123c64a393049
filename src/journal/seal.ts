/** Makes what is stored unreadable without a key of the application's. */
export interface Seal {
  /** @param context where the text belongs; the same is given to `open`. Bind the two together, so that records cannot change places */
  seal(text: string, context: string): Promise<Uint8Array<ArrayBuffer>>;
  /** @throws when it was not sealed with this key and context */
  open(sealed: Uint8Array<ArrayBuffer>, context: string): Promise<string>;
}

const IV_BYTES = 12;

/**
 * A seal with AES-GCM. The key is the application's to keep: a non-extractable one from `crypto.subtle.generateKey`, or one
 * derived from what the person knows. Needs a secure context, as all of `crypto.subtle` does.
 */
export function aesGcmSeal(key: CryptoKey): Seal {
  const parameters = (iv: Uint8Array<ArrayBuffer>, context: string): AesGcmParams => ({
    name: 'AES-GCM',
    iv,
    additionalData: new TextEncoder().encode(context),
  });
  return {
    async seal(text, context) {
      const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
      const body = await crypto.subtle.encrypt(parameters(iv, context), key, new TextEncoder().encode(text));
      const sealed = new Uint8Array(IV_BYTES + body.byteLength);
      sealed.set(iv);
      sealed.set(new Uint8Array(body), IV_BYTES);
      return sealed;
    },
    async open(sealed, context) {
      const parts = parameters(sealed.slice(0, IV_BYTES), context);
      return new TextDecoder().decode(await crypto.subtle.decrypt(parts, key, sealed.slice(IV_BYTES)));
    },
  };
}
