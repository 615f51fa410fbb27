/**
 * Measures reconciliation: `node --conditions=@worldwright/source bench/reconcile.ts [DATA] [--only quality|speed]`.
 * `DATA` is the data folder beside the repository (`../shared/data`). Measures precision and recall of automatic matches
 * on two published judged sets, also with the correct entity removed for a tenth of the queries; and the time for 10,000
 * cells over HTTP, in batches as sent by OpenRefine.
 */
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { qualityOf } from './reconcile/quality.ts'
import { secondsFor } from './reconcile/speed.ts'

const { values, positionals } = parseArgs({ allowPositionals: true, options: { only: { type: 'string' } } })
const [folder = resolve(import.meta.dirname, '../../shared/data')] = positionals
const data = pathToFileURL(`${resolve(folder)}/`)

const SETS = ['er-abt-buy', 'er-imdb-tmdb']
const PRECISION = 0.98
const RECALL = 0.3
const CELLS = 10_000
const SECONDS = 60

function line(what: string, isMet: boolean, figures: string): void {
  if (!isMet) process.exitCode = 1
  process.stdout.write(`${isMet ? 'ok  ' : 'MISS'} ${what.padEnd(48)} ${figures}\n`)
}

if (values.only !== 'speed') {
  for (const set of SETS) {
    for (const { left, precision, recall } of await qualityOf(new URL(`search/${set}/`, data))) {
      const isMet = precision >= PRECISION && recall >= RECALL
      const what = left === undefined ? set : `${set}, tenth ${left} removed`
      line(
        what,
        isMet,
        `precision ${precision.toFixed(4)} ≥ ${PRECISION}  recall ${recall.toFixed(3)} ≥ ${RECALL}`,
      )
    }
  }
}
if (values.only !== 'quality') {
  for (const type of ['wiki:movie', 'tate:artwork']) {
    for await (const { batch, seconds, matched } of secondsFor(data, type, CELLS))
      line(
        `${CELLS} cells of ${type}, ${batch} a batch`,
        seconds <= SECONDS,
        `${seconds.toFixed(1)} s ≤ ${SECONDS}  ${matched} matched`,
      )
  }
}
