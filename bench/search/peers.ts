/** Compares peers with this project's engine on the same documents and questions, and formats a table. */
import { DEPTH, type Engine, ours } from './engine.ts'
import { kindResults, languageResults } from './kinds.ts'
import * as fts5 from './peers/fts5.ts'
import { lucene, tantivy } from './peers/install.ts'
import * as minisearch from './peers/minisearch.ts'
import { programOf } from './peers/program.ts'
import { PLAIN_SETS, plainAnswered, plainEntities, plainScores } from './plain.ts'
import { qualityOf } from './quality.ts'

/** Peer with its query variants, the best of which counts in each row. */
interface Peer {
  readonly name: string
  /** Absent if the peer could not be installed, for the reason in `why`. */
  readonly ways?: readonly Engine[]
  readonly why?: string
}

/** Figures of one engine, keyed by the table row: a set or a kind, with its measure. */
type Figures = Map<string, number>

const SETS = ['cranfield', 'medline', 'er-abt-buy', 'er-imdb-tmdb', 'airports-names', 'geo-i18n']

/**
 * Measures all peers and returns a Markdown table. A peer that cannot run is listed with the reason. `most` limits the
 * number of questions per set and kind.
 */
export async function peerTable(data: URL, say: (line: string) => void, most?: number): Promise<string> {
  const columns: { readonly name: string; readonly figures: Figures }[] = []
  const absent: string[] = []
  for (const { name, ways = [], why } of await peers()) {
    if (why !== undefined) absent.push(`${name}: not run: ${why}`)
    const measured: Figures[] = []
    for (const way of ways) {
      const began = performance.now()
      measured.push(await figuresOf(data, way, most))
      say(`${name}: ${((performance.now() - began) / 1000).toFixed(0)} s`)
    }
    if (measured.length > 0) columns.push({ name, figures: bestOf(measured) })
  }
  const table = [
    ['', ...columns.map(({ name }) => name)],
    ['---', ...columns.map(() => '---')],
    ...[...(columns[0]?.figures.keys() ?? [])].map((line) => [line, ...cellsOf(line, columns)]),
  ]
  return [...table.map((cells) => `| ${cells.join(' | ')} |`), ...absent].join('\n')
}

async function peers(): Promise<Peer[]> {
  return [
    { name: 'ours', ways: [ours] },
    { name: 'FTS5', ways: [fts5.words, fts5.trigrams] },
    await peer('MiniSearch', async () => {
      await minisearch.miniSearch()
      return [minisearch.exact, minisearch.fuzzy]
    }),
    await peer('Lucene', async () => {
      const java = ['-cp', await lucene(), 'Lucene']
      return [programOf('java', [...java, 'exact']), programOf('java', [...java, 'fuzzy'])]
    }),
    await peer('Tantivy', async () => {
      const python = await tantivy()
      const program = new URL('peers/peer_tantivy.py', import.meta.url).pathname
      return [programOf(python, [program, 'exact']), programOf(python, [program, 'fuzzy'])]
    }),
  ]
}

async function peer(name: string, bring: () => Promise<Engine[]>): Promise<Peer> {
  try {
    return { name, ways: await bring() }
  } catch (error) {
    return { name, why: String(error).split('\n', 1)[0] ?? '' }
  }
}

async function figuresOf(data: URL, engine: Engine, most?: number): Promise<Figures> {
  const figures: Figures = new Map()
  for (const set of SETS) {
    const { ndcg, misspelt } = await qualityOf(data, set, engine, most)
    figures.set(`nDCG@${DEPTH} ${set}`, ndcg)
    if (misspelt !== undefined) figures.set(`nDCG@${DEPTH} ${set}, misspelt`, misspelt)
  }
  for (const { kind, first } of await kindResults(data, engine, most)) figures.set(`first: ${kind}`, first)
  for (const set of PLAIN_SETS) {
    const entities = await plainEntities(set, data)
    // Peers have no declarations of types to read.
    const { first, three } =
      engine === ours ? plainScores(set, entities) : await plainAnswered(set, entities, engine)
    figures.set(`plain questions, ${set}: the first answers`, first)
    figures.set(`plain questions, ${set}: one of three does`, three)
  }
  const languages = await languageResults(data, engine)
  for (const { kind, five } of languages) figures.set(`among five: ${kind}`, five)
  return figures
}

function bestOf(measured: readonly Figures[]): Figures {
  const lines = [...(measured[0]?.keys() ?? [])]
  return new Map(lines.map((line) => [line, Math.max(...measured.map((each) => each.get(line) ?? 0))]))
}

/** Formats the figures of one row, with the best in bold. */
function cellsOf(line: string, columns: readonly { readonly figures: Figures }[]): string[] {
  const shown = columns.map(({ figures }) => (figures.get(line) ?? 0).toFixed(3))
  const best = shown.toSorted().at(-1)
  return shown.map((figure) => (figure === best ? `**${figure}**` : figure))
}
