/** Under which terms a world's data may be used, as its author names them: a URL, or an identifier of the SPDX list. */

/** The address of the terms; undefined if they are only words. */
export function licenceUrl(license: string | undefined): string | undefined {
  if (license === undefined) return undefined
  if (/^https?:\/\/[\x21-\x7e]+$/.test(license) && !/[<>"]/.test(license)) return license
  return /^[A-Za-z0-9][A-Za-z0-9.+-]*$/.test(license)
    ? `https://spdx.org/licenses/${license}.html`
    : undefined
}
