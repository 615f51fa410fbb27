/**
 * Randomly damages the entities, index, headers or log in a store's files, or truncates a file. Opening must succeed or fail
 * with a code. Returned and salvaged entities must be as written, and salvage must not change the files.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Store, StoreFault } from '@worldwright/core/store'
import { openStore, storeAt } from '@worldwright/engines'
import { type Effort, type Finding, finding } from './fault.ts'

const ENTITIES = 1_500
const WORDS = ['crater', 'ridge', 'plain', 'ocean', 'storm']

/** Intact files of a store, with the entities that they contain. */
interface Sound {
  readonly file: Buffer
  readonly log: Buffer
  readonly entities: ReadonlyMap<string, string>
  /** Number of entities that contain each word. */
  readonly totals: ReadonlyMap<string, number>
}

type Mistakes = Record<
  'wrong entities' | 'wrong searches' | 'errors without a code' | 'salvaged wrong' | 'originals changed',
  number
>

/** Runs the fault with 1,000 damaged stores, or 40 in a short run. */
export async function damagedFiles({ short }: Effort): Promise<Finding> {
  const times = short ? 40 : 1_000
  const folder = mkdtempSync(join(tmpdir(), 'world-damage-'))
  const mistakes: Mistakes = {
    'wrong entities': 0,
    'wrong searches': 0,
    'errors without a code': 0,
    'salvaged wrong': 0,
    'originals changed': 0,
  }
  const found = { refused: 0, named: 0, salvaged: 0 }
  try {
    const sound = await soundStore(folder)
    for (let time = 0; time < times; time++) {
      const store = join(folder, `${time}.db`)
      const [file, log] = damaged(sound)
      writeFileSync(store, file)
      writeFileSync(`${store}-wal`, log)
      found.salvaged += await salvage(store, sound, mistakes)
      const isSame = file.equals(readFileSync(store)) && log.equals(readFileSync(`${store}-wal`))
      if (!isSame) mistakes['originals changed'] += 1
      const opened = await look(store, sound, mistakes)
      if (opened === undefined) found.refused += 1
      else found.named += opened
      for (const suffix of ['', '-wal', '-shm']) rmSync(store + suffix, { force: true })
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  const share = ((100 * found.salvaged) / (times * ENTITIES)).toFixed(1)
  return finding(
    `${times} damaged stores: ${found.refused} not opened, ${found.named} entities named as damaged, ${share} % of entities salvaged`,
    mistakes,
  )
}

/** Creates a store with entities both in the main file and in its log. */
async function soundStore(folder: string): Promise<Sound> {
  const path = join(folder, 'sound.db')
  const put = (at: number) => ({
    put: {
      type: 'chaos:thing',
      id: `t${at}`,
      title: `Thing ${at}`,
      summary: `${WORDS[at % WORDS.length]} `.repeat(1 + (at % 300)),
      attributes: { at },
    },
  })
  const first = await openStore(`sqlite:${path}`, { role: 'writer' })
  await first.write(Array.from({ length: ENTITIES - 200 }, (_, at) => put(at)))
  await first.close()
  const second = await openStore(`sqlite:${path}`, { role: 'writer' })
  for (let at = ENTITIES - 200; at < ENTITIES; at += 20)
    await second.write(Array.from({ length: 20 }, (_, more) => put(at + more)))
  const { entities } = await second.list('chaos:thing', { limit: 2 * ENTITIES })
  const totals = new Map<string, number>()
  for (const word of WORDS) totals.set(word, await totalOf(second, word))
  const sound = {
    file: readFileSync(path),
    log: readFileSync(`${path}-wal`),
    entities: new Map(entities.map(({ id, json }) => [id, json])),
    totals,
  }
  await second.close()
  return sound
}

async function totalOf(store: Store, text: string): Promise<number> {
  return (await store.find({ text, limit: 5, budgetMs: 10_000 })).total
}

/** Returns copies of both files, with one kind of damage in one of them. */
function damaged({ file, log }: Sound): [Buffer, Buffer] {
  const [newFile, newLog] = [Buffer.from(file), Buffer.from(log)]
  const [bytes, isFile] = Math.random() < 0.7 ? [newFile, true] : [newLog, false]
  const at = Math.floor(Math.random() * bytes.length)
  const kind = Math.floor(Math.random() * 5)
  if (kind === 0) bytes.fill(0, at, Math.min(at + 4_096, bytes.length))
  else if (kind === 1) for (let count = 0; count < 16; count++) bytes[at + count] = Math.random() * 256
  else if (kind === 2) bytes[at % 200] = Math.random() * 256
  else if (kind === 3) {
    const other = Math.floor(Math.random() * (bytes.length / 8_192)) * 8_192
    bytes.copy(bytes, Math.floor(at / 8_192) * 8_192, other, other + 8_192)
  } else return isFile ? [bytes.subarray(0, at), newLog] : [newFile, bytes.subarray(0, at)]
  return [newFile, newLog]
}

/** Returns the number of entities reported as damaged, or undefined if the store cannot be opened. */
async function look(
  file: string,
  { entities, totals }: Sound,
  mistakes: Mistakes,
): Promise<number | undefined> {
  const foreseen = async <T>(work: () => T | Promise<T>): Promise<T | undefined> => {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof StoreFault)) {
        mistakes['errors without a code'] += 1
        process.stderr.write(`${error instanceof Error ? error.stack : error}\n`)
      }
      return undefined
    }
  }
  const store = await foreseen(() => openStore(`sqlite:${file}`, { role: 'writer' }))
  if (store === undefined) return undefined
  let named = 0
  // Searches may return fewer hits only if the end of the log is lost, together with its writes.
  const page = await foreseen(() => store.list('chaos:thing', { limit: 2 * ENTITIES }))
  for (const { id, json } of page?.entities ?? [])
    if (entities.get(id) !== json) mistakes['wrong entities'] += 1
  for (const id of entities.keys()) {
    const found = await foreseen(() => store.get('chaos:thing', id))
    if (found === undefined) named += 1
    else if (entities.get(id) !== found.json) mistakes['wrong entities'] += 1
  }
  for (const [word, total] of totals) {
    const found = await foreseen(() => totalOf(store, word))
    if (found !== undefined && (found > total || (found < total && page?.total === ENTITIES)))
      mistakes['wrong searches'] += 1
  }
  const other = { type: 'chaos:other', id: 'new', title: 'New', attributes: {} }
  await foreseen(async () => void (await store.write([{ put: other }])))
  await foreseen(() => store.close())
  return named
}

async function salvage(store: string, { entities }: Sound, mistakes: Mistakes): Promise<number> {
  let saved = 0
  try {
    for (const { id, json } of (await storeAt(`sqlite:${store}`)).salvage()) {
      if (entities.get(id) === json) saved += 1
      else mistakes['salvaged wrong'] += 1
    }
  } catch (error) {
    mistakes['salvaged wrong'] += 1
    process.stderr.write(`${error instanceof Error ? error.stack : error}\n`)
  }
  return saved
}
