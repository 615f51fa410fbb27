/** English words in displayed values. */

/** Words for true and false. */
export const TRUTH = { yes: 'yes', no: 'no' }

/** Signs of the cardinal directions. */
export const COMPASS = { north: 'N', south: 'S', east: 'E', west: 'W' }

/** Units that are neither symbols nor translated by `Intl`, by their keys. */
export const UNITS: Readonly<Record<string, string>> = {
  lightYears: 'light-years',
  earths: '× Earth',
  jupiters: '× Jupiter',
  suns: '× Sun',
}
