/**
 * Checks the search engine against its bars: `npm run bench:search`, with `-- --quick` for smaller samples, `-- --found`
 * for quality only, `-- --peers` for the quality of other engines on the same data. The data is in `../shared/data`.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Corpus, readCorpus, readEntities } from './search/corpus.ts'
import { differences } from './search/exactness.ts'
import { kindResults, languageResults } from './search/kinds.ts'
import { latencies } from './search/latency.ts'
import { peerTable } from './search/peers.ts'
import { PLAIN_SETS, plainEntities, plainScores } from './search/plain.ts'
import { qualityOf } from './search/quality.ts'
import { readsMeanwhile } from './search/reads.ts'
import { buildFts, buildSegments } from './search/stores.ts'

const quick = process.argv.includes('--quick')
const data = new URL('../../shared/data/', import.meta.url)
const folder = mkdtempSync(join(tmpdir(), 'bench-search-'))
const rounds = quick ? 60 : 300
let missed = 0

function line(what: string, value: number, bar: number, atMost: boolean, beside = ''): void {
  const held = atMost ? value <= bar : value >= bar
  if (!held) missed += 1
  const shown = value >= 100 ? value.toFixed(0) : value.toPrecision(3)
  const sign = atMost ? '≤' : '≥'
  process.stdout.write(
    `${held ? 'ok  ' : 'MISS'} ${what.padEnd(58)} ${shown.padStart(8)} ${sign} ${bar} ${beside}\n`,
  )
}

const QUALITY = {
  cranfield: 0.355,
  medline: 0.7,
  'er-abt-buy': 0.85,
  'er-imdb-tmdb': 0.965,
  'airports-names': 0.98,
  'geo-i18n': 0.985,
}
const MISSPELT = ['er-imdb-tmdb', 'airports-names']

async function quality(): Promise<void> {
  for (const [set, bar] of Object.entries(QUALITY)) {
    const { ndcg, ratio, each } = await qualityOf(data, set)
    line(`nDCG@10 ${set}`, ndcg, bar, false, `${each.toFixed(2)} ms a question`)
    if (ratio !== undefined && MISSPELT.includes(set)) line(`  misspelt against unspoilt`, ratio, 0.96, false)
  }
}

/** Minimum share of questions of each kind whose first hit is correct. */
const KINDS: Readonly<Record<string, number>> = {
  joined: 0.95,
  split: 0.92,
  'hyphen left out': 0.9,
  'a common word too many': 0.9,
  'a rare word too many': 0.9,
  'an unknown word too many': 0.9,
  'irregular plurals': 0.75,
  'a beginning of 8 letters': 0.55,
  'a sentence': 0.65,
  'number and unit together': 0.95,
  'number and unit apart': 0.95,
  'number and unit with a hyphen': 0.95,
}
/** Minimum share of questions with a correct hit among the first five, in every language. */
const LANGUAGE_BAR = 0.8

async function kinds(): Promise<void> {
  for (const { kind, first, ten, p50, p99 } of await kindResults(data)) {
    const beside = `among ten ${ten.toFixed(3)}; ${p50.toFixed(1)} / ${p99.toFixed(1)} ms`
    line(`first hit right: ${kind}`, first, KINDS[kind] ?? 0, false, beside)
  }
  const languages = await languageResults(data)
  for (const { kind, five, questions } of languages)
    line(`among five: ${kind}`, five, LANGUAGE_BAR, false, `${questions} questions`)
  const mean = languages.reduce((sum, { five }) => sum + five, 0) / languages.length
  line('among five: mean of the languages', mean, 0.9, false)
}

/** Checks plain questions. Of what counts as found, half should be relevant, and the world should not be found. */
async function plain(): Promise<void> {
  for (const set of PLAIN_SETS) {
    const scores = plainScores(set, await plainEntities(set, data))
    line(`plain questions, ${set}: first hit answers`, scores.first, 0.9, false)
    line(`  among three`, scores.three, 0.85, false)
    line(`  relevant share of what is found`, scores.relevant, 0.5, false)
    line(`  the same, as the mean of the questions`, scores.relevantMean, 0.5, false)
    line(`  share of the world that is found, median`, scores.found, 0.01, true)
    line(`  the same, about a named thing`, scores.foundNamed, 0.01, true)
    line(`  the same, if nothing answers`, scores.foundForNothing, 0.01, true)
  }
}

function exactness(): void {
  const [documents, questions] = quick ? [5_000, 200] : [50_000, 2_000]
  const what = `of 2 × ${questions} questions over ${documents} differ from the reference`
  line(what, differences(documents, questions), 0, true)
}

function speed(name: string, { documents, bytes }: Corpus, tenth?: Corpus): void {
  const [segments, fts] = [join(folder, `${name}.db`), join(folder, `${name}-fts.db`)]
  const ours = better(() => buildSegments(segments, documents))
  const theirs = better(() => buildFts(fts, documents))
  line(
    `${name}: index, % of the entities' bytes`,
    (100 * ours.bytes) / bytes,
    40,
    true,
    `${(ours.bytes / 1e6).toFixed(0)} MB`,
  )
  line(`${name}: building, entities/s`, ours.rate, 15_000, false)
  line(
    `${name}: building against FTS5`,
    ours.rate / theirs.rate,
    0.5,
    false,
    `FTS5 ${theirs.rate.toFixed(0)}/s`,
  )
  const measured = latencies(segments, fts, rounds)
  const bars: Record<string, readonly [number, number]> = {
    'one word': [1, 5],
    'four mixed words': [15, 40],
    'four misspelt words': [15, 40],
  }
  for (const [kind, { p50, p99 }] of measured.kinds) {
    const [median, most] = bars[kind] ?? [10, 40]
    line(`${name}: ${kind}, p50 ms`, p50, median, true)
    line(`${name}: ${kind}, p99 ms`, p99, most, true)
  }
  for (const { band, ours: mine, fts: other } of measured.words) {
    const bar = band.startsWith('100000') ? 200 : 1
    const beside = `${mine.p50.toFixed(3)} ms, FTS5 ${other.p50.toFixed(3)} ms`
    line(`${name}: words in ${band}, times faster than FTS5`, other.p50 / mine.p50, bar, false, beside)
  }
  alone(name, segments)
  if (tenth) growth(name, measured.words, tenth)
}

/** Returns the better of two attempts, because other processes on the machine may slow one down. */
function better<T extends { readonly rate: number }>(build: () => T): T {
  const first = build()
  const second = build()
  return first.rate > second.rate ? first : second
}

function alone(name: string, segments: string): void {
  const program = new URL('search/alone.ts', import.meta.url).pathname
  const said = execFileSync(process.execPath, [...process.execArgv, program, segments, String(rounds)])
  const { openMs, residentMb } = JSON.parse(said.toString())
  line(`${name}: opening, ms`, openMs, 200, true)
  line(`${name}: resident while searching, MB`, residentMb, 300, true)
}

function growth(name: string, words: ReturnType<typeof latencies>['words'], tenth: Corpus): void {
  const [segments, fts] = [join(folder, 'tenth.db'), join(folder, 'tenth-fts.db')]
  buildSegments(segments, tenth.documents)
  buildFts(fts, tenth.documents)
  const small = latencies(segments, fts, rounds).words
  const rare = (words[0]?.ours.p50 ?? 0) / (small[0]?.ours.p50 ?? 1)
  const common = (words.at(-1)?.ours.p50 ?? 0) / (small.at(-1)?.ours.p50 ?? 1)
  line(`${name}: ten times the entities, rare words, times the time`, rare, 1.5, true)
  line(`${name}: ten times the entities, common words, times the time`, common, 5, true)
}

try {
  if (process.argv.includes('--peers')) {
    const table = await peerTable(data, (line) => process.stderr.write(`${line}\n`), quick ? 100 : undefined)
    process.stdout.write(`${table}\n`)
  } else await bars()
} finally {
  rmSync(folder, { recursive: true, force: true })
}

async function bars(): Promise<void> {
  await quality()
  await kinds()
  await plain()
  if (!process.argv.includes('--found')) await speeds()
  process.stdout.write(missed === 0 ? 'every bar is held\n' : `${missed} missed\n`)
  process.exitCode = missed === 0 ? 0 : 1
}

/** Checks the bars of speed, size and exactness. */
async function speeds(): Promise<void> {
  speed('medium', await readCorpus(new URL('entities/medium.ndjson.gz', data), quick ? 10 : 1))
  const large = new URL('entities/large.ndjson.gz', data)
  speed('large', await readCorpus(large, quick ? 20 : 1), await readCorpus(large, quick ? 200 : 10))
  const entities = readEntities(new URL('entities/medium.ndjson.gz', data), quick ? 10 : 1)
  const { alone: before, meanwhile } = await readsMeanwhile(
    join(folder, 'reads.db'),
    entities,
    quick ? 20 : 100,
  )
  const beside = `${before.p99.toFixed(3)} ms alone, ${meanwhile.p99.toFixed(3)} ms`
  line(
    'medium: p99 of get while the worst questions run, times alone',
    meanwhile.p99 / before.p99,
    3,
    true,
    beside,
  )
  exactness()
}
