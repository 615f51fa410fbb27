/** Generates a synthetic world of planets and books for tests, and reads the data of the demo world. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { FILE, temporaryStore } from './browser.ts'
import { serve } from './command.ts'
import { ROOT } from './source-files.ts'

/** Planets with deterministic, random-looking numbers. */
export const PLANETS = Array.from({ length: 2_000 }, (_, index) => ({
  title: `Planet ${index}`,
  massEarths: ((index * 7_919) % 10_007) / 10,
  distancePc: ((index * 104_729) % 9_973) / 20,
}))
/** Books of forty authors, of whom a few have written many books and most have written few. */
export const BOOKS = Array.from({ length: 3_000 }, (_, index) => ({
  title: `Book ${index}`,
  author: `Author ${Math.floor(40 * (((index * 7_919) % 3_001) / 3_001) ** 2)}`,
  rating: 1 + ((index * 104_729) % 4_001) / 1_000,
  publicationYear: 1900 + (index % 120),
}))

const DEFINITION = `
name: Shelves and planets
types:
  - type: near:planet
    title: Planet
    schema: { type: object, properties: { massEarths: { type: number }, distancePc: { type: number } } }
  - type: near:book
    title: Book
    schema: { type: object, properties: { author: { type: string }, rating: { type: number }, publicationYear: { type: integer } } }
sources:
  - { file: data.ndjson }
`

let made: Promise<string> | undefined

/** Returns the origin of a world with these planets and books, which all tests of a file share. */
export function madeWorld(): Promise<string> {
  made ??= makeWorld()
  return made
}

async function makeWorld(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'worldwright-'))
  FILE.after(() => rm(folder, { recursive: true, force: true }))
  const lines = [
    ...PLANETS.map(({ title, ...attributes }, at) => ({
      type: 'near:planet',
      id: `p${at}`,
      title,
      attributes,
    })),
    ...BOOKS.map(({ title, ...attributes }, at) => ({ type: 'near:book', id: `b${at}`, title, attributes })),
  ]
  await writeFile(join(folder, 'world.yaml'), DEFINITION)
  await writeFile(join(folder, 'data.ndjson'), lines.map((line) => JSON.stringify(line)).join('\n'))
  return (await serve(FILE, folder, '--store', await temporaryStore(FILE), '--workers', '1')).origin
}

/** Reads the entities of the demo world from the data file `file`, such as `moons`. */
export async function demoData(file: string) {
  const text = await readFile(join(ROOT, 'examples/solar-system/data', `${file}.ndjson`), 'utf8')
  return text
    .trimEnd()
    .split('\n')
    .map((line): { id: string; title: string; attributes: Record<string, unknown> } => JSON.parse(line))
}
