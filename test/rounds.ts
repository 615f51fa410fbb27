/** How often tests with random or very many inputs try. */

/** Whether this is `npm run test:slow`, which runs every file that imports this one with all of its rounds. */
export const IS_THOROUGH = process.env['TEST_ROUNDS'] === 'thorough'

/** How many rounds there are: few in `npm test`, and many, with other random inputs, in `npm run test:slow`. */
export function rounds(few: number, many: number): number {
  return IS_THOROUGH ? many : few
}
