/** Sets the number of rounds of tests with random or very many inputs. */

/** True under `npm run test:slow`, which also runs every file that imports this module, with all its rounds. */
export const IS_THOROUGH = process.env['TEST_ROUNDS'] === 'thorough'

/** Returns the number of rounds: `few` under `npm test`, `many` under `npm run test:slow`. */
export function rounds(few: number, many: number): number {
  return IS_THOROUGH ? many : few
}
