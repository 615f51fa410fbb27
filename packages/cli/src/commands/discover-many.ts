import { readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { parseExact } from '@worldwright/client/exact'
import { connectAll, type Hit, type Place, type WorldAnswer } from '@worldwright/client/many'
import { originFrom, readingProfile } from '@worldwright/serve/open'
import {
  count,
  FAILED,
  type Io,
  jsonText,
  say,
  UsageFault,
  visible,
  writeLine,
} from '@worldwright/serve/terminal'
import { asReceived, entityTable } from '../terminal/entity-text.ts'
import type { DiscoverOptions } from './discover.ts'

/** Maximum length of an error code of a world in a message. */
const MAX_CODE = 64

/** Advice by error code, given once for all worlds. */
const ADVICE = {
  invalid_response:
    'A world with other names needs its reading profile: npx worldwright show ORIGIN --profile > FILE',
  response_too_large: 'Worlds of long texts may answer with a lower --limit',
}

/**
 * Prints the best matches of all worlds in `file`, and which worlds are missing. With `json`, prints a line for each match,
 * then one for each world. Fails if no world answered.
 */
export async function discoverMany(
  file: string,
  words: readonly string[],
  { type, limit, json }: DiscoverOptions,
  io: Io,
): Promise<number> {
  const worlds = connectAll(await placesIn(file, io), { fetch: io.fetch, parse: parseAnswer })
  const input = {
    ...(type && { types: type }),
    ...(words.length > 0 && { text: words.join(' ') }),
    ...(limit !== undefined && { limit }),
  }
  const { hits, worlds: answers } = await worlds.discover(input, { signal: io.signal }).merged()
  // `world` comes last, since an entity may have a member of that name.
  const rows = hits.map(({ origin, entity }) => ({ ...entity, world: origin }))
  const table = () => (rows.length > 0 ? entityTable(rows, io, ['world', 'type']) : [])
  for (const line of json ? [...hits.map(hitJson), ...answers.map(answerJson)] : table())
    await writeLine(io.stdout, line)
  const worldsOf = (...states: string[]) => answers.filter(({ state }) => states.includes(state)).length
  const present = worldsOf('answered', 'partial')
  const asked = count(answers.length - worldsOf('same'), 'world')
  say(io, `${count(hits.length, 'match', 'matches')} shown; ${present} of ${asked} answered.`)
  for (const answer of answers)
    if (answer.state !== 'answered') say(io, visible(`${answer.origin}: ${reason(answer)}`))
  for (const [code, advice] of Object.entries(ADVICE))
    if (answers.some(({ error }) => error?.code === code)) say(io, advice)
  return io.signal.aborted || present === 0 ? FAILED : 0
}

/** Parses without loss all but discovery documents, which are not printed: those of many worlds take much memory. */
function parseAnswer(text: string): unknown {
  const value = JSON.parse(text)
  return 'protocol' in Object(value) ? value : parseExact(text)
}

function reason({ state, as, error }: WorldAnswer): string {
  if (state === 'same') return `the same world as ${as}`
  return `${state.replaceAll('_', ' ')}${error ? ` (${error.code.slice(0, MAX_CODE)})` : ''}`
}

function hitJson({ origin, worldId, rank, entity }: Hit): string {
  return `${jsonText({ origin, world: worldId, rank, type: entity.type, id: entity.id }).slice(0, -1)},"entity":${jsonText(asReceived(entity))}}`
}

function answerJson({ origin, world, state, total, as, error }: WorldAnswer): string {
  return jsonText({ origin, world: world?.id, state, total, as, code: error?.code.slice(0, MAX_CODE) })
}

/**
 * Reads a list of worlds: an origin on each line, and after it the file or URL of its reading profile, if any, relative to the
 * list. `#` begins a comment. @throws UsageFault if there is no such list, or it names no world
 */
async function placesIn(file: string, io: Io): Promise<Place[]> {
  const path = resolve(io.cwd, file)
  const text = await readFile(path, 'utf8').catch((error: Error) => {
    throw new UsageFault(`No list of worlds at ${file}: ${error.message}`)
  })
  const places: Place[] = []
  for (const [index, line] of text.split('\n').entries()) {
    const [origin, profile, more] = line
      .replace(/(^|\s)#.*/, '')
      .trim()
      .split(/\s+/)
    if (more)
      throw new UsageFault(
        `${file}, line ${index + 1}: a line is an origin, and the file of its reading profile if it has one.`,
      )
    if (!origin) continue
    const read = profile && (await readingProfile(profile, { ...io, cwd: dirname(path) }))
    places.push({ origin: originFrom(origin), ...(read && { profile: read }) })
  }
  if (places.length === 0) throw new UsageFault(`${file} names no world.`)
  return places
}
