import { randomUUID } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { WorldError } from '@worldwright/client'
import { connect, descriptionFrom } from '@worldwright/client/foreign'
import { guardedFetch } from '@worldwright/client/guard'
import {
  type Entity,
  isObject,
  type JsonObject,
  type JsonValue,
  typeFault,
} from '@worldwright/client/protocol'
import { checkServer, type WorldFacts } from '@worldwright/conformance'
import { CARD_TYPE, WORLD_TYPE } from '@worldwright/extensions/directory'
import { originFrom } from '@worldwright/serve/open'
import {
  count,
  failureWords,
  type Io,
  OutputFault,
  say,
  UsageFault,
  visible,
} from '@worldwright/serve/terminal'
import { addressesAllowed } from '../explore/proxied-fetch.ts'

/** Command-line flags of `world directory build`. */
export interface DirectoryOptions {
  readonly out: string
}

/** Worlds judged side by side. Each gets one request at a time. */
const SIDE_BY_SIDE = 4
/** Time for one world, in milliseconds. A nearby world takes about a second. */
const WORLD_MS = 60_000
/** Maximum numbers of characters of a text, and of items of a list, taken from a world. */
const MOST_CHARACTERS = 1_000
const MOST_ITEMS = 200

const text = (description: string) => ({ type: 'string', description })
const texts = (description: string) => ({ type: 'array', items: { type: 'string' }, description })
const PROPERTIES = {
  origin: text('Where the world is'),
  world: text('Its identifier'),
  types: texts('Its entity types'),
  titles: texts('The titles of these types'),
  extensions: texts('What it declares beyond Level 1'),
  entryType: text('Media type of what describes it to agents'),
  license: text('Licence of its data'),
  state: {
    enum: ['passed', 'failed', 'incomplete', 'not judged'],
    description: 'Whether it follows Level 1',
  },
  level: { type: 'integer', description: 'Level that it passed' },
  failed: texts('Checks that failed'),
  reason: text('Why it could not be judged'),
  judged: { type: 'string', format: 'date-time', description: 'When it was judged' },
  reading: { type: 'object', description: 'Names of its members, where they are not ours' },
}

/** Judges the worlds at the origins in a file, one per line, and writes the folder. A bad world stops none of the others. @throws UsageFault without any */
export async function buildDirectory(file: string, { out }: DirectoryOptions, io: Io): Promise<number> {
  const list = await readFile(resolve(io.cwd, file), 'utf8').catch((error: Error) => {
    throw new UsageFault(`No list of worlds at ${file}: ${error.message}`)
  })
  const lines = list.split('\n')
  const typed = lines.map((line) => line.replace(/#.*/, '').trim()).filter((line) => line !== '')
  const origins = new Set<string>()
  for (const one of typed) {
    const url = URL.parse(originFrom(one))
    if (url !== null && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`)
      origins.add(url.origin)
    else say(io, `Left out, since it is no origin: ${visible(one)}`)
  }
  if (origins.size === 0) throw new UsageFault(`${file} names no world.`)
  const entities: Entity[] = []
  const waiting = origins.values()
  const judgeNext = async () => {
    for (const origin of waiting) {
      const entity = await judged(origin, io)
      io.signal.throwIfAborted()
      const { state, reason } = entity.attributes
      say(io, visible(`${origin}: ${state}${reason === undefined ? '' : `: ${reason}`}`))
      entities.push(entity)
    }
  }
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, judgeNext))
  await write(resolve(io.cwd, out), entities)
  say(io, `Wrote ${count(entities.length, 'world')} to ${out}. Serve them with: npx worldwright serve ${out}`)
  return 0
}

/** Returns a world as an entity. The token of the environment is sent to none. A public world can lead to no private address. */
async function judged(origin: string, io: Io): Promise<Entity> {
  const signal = AbortSignal.any([io.signal, AbortSignal.timeout(WORLD_MS)])
  const about: JsonObject = { origin, judged: new Date().toISOString() }
  const words: { title?: string; summary?: string } = {}
  const allowed = await addressesAllowed(origin)
  let refused: string | undefined
  const allowAddress = (address: string) => {
    const isAllowed = allowed(address)
    if (!isAllowed) refused = address
    return isAllowed
  }
  try {
    const fetch = io.fetch ?? guardedFetch({ allowAddress })
    const { document } = await connect(origin, { signal, fetch })
    Object.assign(about, membersOf(document, words))
    if (document.authentication?.required === true) throw new OutputFault('it needs a token')
    const verdict = await verdictOn(origin, signal, allowAddress)
    // A name can have other addresses beside those refused.
    if (refused !== undefined && verdict['state'] !== 'passed')
      throw new OutputFault(`it leads to ${refused}, which is no public address`)
    Object.assign(about, verdict)
  } catch (error) {
    const isKnown = error instanceof WorldError && !signal.aborted
    const late = signal.aborted && `it took more than ${WORLD_MS / 1_000} seconds`
    const reason = late || (isKnown ? failureWords(error).what : (error as Error).message)
    Object.assign(about, { state: 'not judged', reason: shortened(reason) })
  }
  // An id with `//` would not be portable.
  const id = origin.replace(/^https:\/\//, '').replace('://', ':')
  return { type: WORLD_TYPE, id, title: id, ...words, attributes: about }
}

/** Returns what a discovery document says of its world. */
function membersOf(document: object, words: { title?: string; summary?: string }): JsonObject {
  const { id, name, entityTypes } = descriptionFrom(document)
  const { world, extensions } = document as { world?: unknown; extensions?: unknown }
  const { description, license } = isObject(world) ? world : {}
  if (name) words.title = shortened(name.value)
  if (typeof description === 'string') words.summary = shortened(description)
  const types = (entityTypes?.value ?? [])
    .filter(({ type }) => typeFault(type) === undefined)
    .slice(0, MOST_ITEMS)
  const titles = types.flatMap(({ title }) => (typeof title === 'string' ? [shortened(title)] : []))
  return {
    ...(id && { world: shortened(id.value) }),
    types: types.map(({ type }) => type),
    titles,
    entryType:
      isObject(extensions) && Object.hasOwn(extensions, 'worldwright:mcp') ? CARD_TYPE : 'application/json',
    extensions: isObject(extensions) ? Object.keys(extensions).slice(0, MOST_ITEMS).map(shortened) : [],
    ...(typeof license === 'string' && { license: shortened(license) }),
  }
}

/** Judges a world by Level 1. */
async function verdictOn(
  origin: string,
  signal: AbortSignal,
  allowAddress: (address: string) => boolean,
): Promise<JsonObject> {
  let facts: WorldFacts = {}
  const onFacts = (found: WorldFacts) => {
    facts = found
  }
  const failed: string[] = []
  let isWhole = true
  const options = { profile: 'level-1', signal, onFacts, allowAddress } as const
  for await (const { id, outcome } of checkServer(origin, options)) {
    if (outcome === 'fail') failed.push(id)
    if (outcome === 'not-asked') isWhole = false
  }
  signal.throwIfAborted()
  const state = failed.length > 0 ? 'failed' : isWhole ? 'passed' : 'incomplete'
  return {
    state,
    ...(state === 'passed' && { level: 1 }),
    ...(state === 'failed' && { failed: failed.slice(0, MOST_ITEMS) }),
    ...(facts.reading && { reading: facts.reading as unknown as JsonValue }),
  }
}

function shortened(said: string): string {
  return said.replaceAll('\0', '').slice(0, MOST_CHARACTERS).toWellFormed()
}

/** Writes the worlds, and a definition if there is none. */
async function write(folder: string, entities: readonly Entity[]): Promise<void> {
  const definition = {
    id: `urn:uuid:${randomUUID()}`,
    name: 'Directory',
    description: 'Worlds, and how they follow Level 1 of world/0.1.',
    types: [
      {
        type: WORLD_TYPE,
        title: 'World',
        schema: { type: 'object', properties: PROPERTIES },
        index: { reading: false },
        search: { reading: 0, failed: 0, titles: 2 },
      },
    ],
    sources: ['worlds.ndjson'],
  }
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'world.yaml'), `${JSON.stringify(definition, null, 2)}\n`, {
    flag: 'wx',
  }).catch((error) => {
    if (error.code !== 'EEXIST') throw error
  })
  const ordered = entities.toSorted((one, other) => (one.id < other.id ? -1 : 1))
  const file = join(folder, 'worlds.ndjson')
  await writeFile(`${file}.part`, ordered.map((entity) => `${JSON.stringify(entity)}\n`).join(''))
  await rename(`${file}.part`, file)
}
