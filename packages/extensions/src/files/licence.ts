/** Returns the URL of a licence, also for its SPDX identifier, or undefined if the licence is absent or free text. */
export function licenceUrl(license: string | undefined): string | undefined {
  if (license === undefined) return undefined
  if (/^https?:\/\/[\x21-\x7e]+$/.test(license) && !/[<>"]/.test(license)) return license
  return /^[A-Za-z0-9][A-Za-z0-9.+-]*$/.test(license)
    ? `https://spdx.org/licenses/${license}.html`
    : undefined
}
