/** Explanations of connection failures, with remedies, matched by error code or message. */
const WORDS: readonly (readonly [RegExp, (message: string) => string])[] = [
  [
    /^(?:SELF_SIGNED_CERT_IN_CHAIN|DEPTH_ZERO_SELF_SIGNED_CERT|UNABLE_TO_VERIFY_LEAF_SIGNATURE|UNABLE_TO_GET_ISSUER_CERT)/,
    () => 'nobody who is trusted has signed its certificate: name who has, by sslrootcert=FILE',
  ],
  [/^CERT_HAS_EXPIRED$/, () => 'its certificate has expired'],
  [/^ERR_TLS_CERT_ALTNAME_INVALID$/, (message) => `its certificate is for another name: ${message}`],
  [/does not support SSL/, () => 'it has no TLS: where nobody else can listen in, say so by sslmode=disable'],
]

/** Returns a one-line explanation of a failed connection to a URL, without a final full stop. */
export function connectFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const code = 'code' in error ? String(error.code) : ''
  const words = WORDS.find(([pattern]) => pattern.test(code) || pattern.test(error.message))?.[1]
  return words?.(error.message) ?? (error.message || code)
}
