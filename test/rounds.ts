/** Number of rounds of tests with random or very many inputs. */

/** True in `npm run test:slow`, which runs every file that imports this one with all of its rounds. */
export const IS_THOROUGH = process.env['TEST_ROUNDS'] === 'thorough'

/** Returns the number of rounds: few in `npm test`, and many, with other random inputs, in `npm run test:slow`. */
export function rounds(few: number, many: number): number {
  return IS_THOROUGH ? many : few
}
