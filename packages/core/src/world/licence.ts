/** Licence of a world's data, as its author names it: a URL, or an identifier of the SPDX list. */

/** Returns the URL of a licence; undefined if it is only words. */
export function licenceUrl(license: string | undefined): string | undefined {
  if (license === undefined) return undefined
  if (/^https?:\/\/[\x21-\x7e]+$/.test(license) && !/[<>"]/.test(license)) return license
  return /^[A-Za-z0-9][A-Za-z0-9.+-]*$/.test(license)
    ? `https://spdx.org/licenses/${license}.html`
    : undefined
}
